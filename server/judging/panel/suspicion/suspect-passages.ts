import {
  addressesJudge,
  claimsSuccess,
  hasConfusables,
  hasEncodedText,
  rotate13,
} from "@/server/judging/panel/prompt-injection";
import { MIN_QUOTE_LENGTH } from "@/server/judging/panel/prompts/vote-prompt";
import { CLAIM } from "@/server/judging/panel/quotes";
import { countCommonWords, countLetters, createForeignCheck, isReadable } from "./languages";

/**
 * A deliverable in two parts: the passages that may be meant for its judge, and the work without
 * them. An order has no effect on a vote that sees only the work, and a model that finds everything
 * met in the passages alone does not read what it quotes.
 */
export interface Separation {
  work: string;
  passages: string;
}

/**
 * Splits `text` into passages that may be meant for a judge, and the rest. Returns null if there is
 * no such passage. Takes out whole paragraphs if most of the text remains, otherwise lines,
 * otherwise sentences. Words of `task` are no reason for suspicion. Errs on the side of suspicion,
 * since that costs an honest judge only a few calls. Pure; may be slow for long texts.
 */
export function separatePassages(task: string, text: string): Separation | null {
  const isSuspect = createDetector(task, text);
  if (!text.split("\n").some(isSuspect)) return null;
  const splits = [/(?<=\n[ \t]*\n)/, /(?<=\n)/, /(?<=[\n.!?。！？])/u];
  const separations = splits.map((boundary): Separation => {
    const units = text
      .split(boundary)
      .map((unit) => ({ unit, isTaken: unit.split("\n").some(isSuspect) }));
    const join = (isTaken: boolean) =>
      units.flatMap((each) => (each.isTaken === isTaken ? [each.unit] : [])).join("");
    return { work: join(false), passages: join(true) };
  });
  const isMostlyWork = ({ work, passages }: Separation) =>
    passages !== "" && countLetters(work) > countLetters(passages);
  return separations.find(isMostlyWork) ?? separations[1] ?? null;
}

/** Characters of a part that cannot be the whole work. */
const MAX_END = 80;

/**
 * Returns the end of `text` in place of passages, for a work that was flagged for something else. Null
 * if the text is too short to take it apart.
 */
export function separateEnd(text: string): { work: null; passages: string } | null {
  const length = Math.min(MAX_END, Math.floor(text.length / 4));
  return length < MIN_QUOTE_LENGTH ? null : { work: null, passages: text.slice(-length) };
}

/** A line longer than this is searched in parts. */
const MAX_PART = 2_000;

function createDetector(task: string, text: string): (line: string) => boolean {
  const signs = SIGNS.filter((sign) => !sign.test(task));
  const isForeign = createForeignCheck(task, text);
  const known = new Map<string, boolean>();
  const isPlainlySuspect = (part: string) =>
    addressesJudge(part) ||
    claimsSuccess(part) ||
    CLAIM.test(part) ||
    isForeign(part) ||
    signs.some((sign) => sign.test(part));
  const isPartSuspect = (part: string) =>
    hasConfusables(part) ||
    isPlainlySuspect(part) ||
    hasEncodedText(part) ||
    decodeDisguise(part).some(
      (reading) =>
        isPlainlySuspect(reading) || (countCommonWords(part).count === 0 && isReadable(reading)),
    );
  return (line) => {
    const earlier = known.get(line);
    if (earlier !== undefined) return earlier;
    const parts = line.match(new RegExp(`[^]{1,${MAX_PART}}`, "gu")) ?? [];
    const found = parts.some(isPartSuspect);
    known.set(line, found);
    return found;
  };
}

const ASSESS = "(?:assess|examin|evaluat|grad(?:e|ing)|judg|verdict|criteri|rubric)";
const JUDGE = "(?:judge|grader|evaluator|examiner|assessor|arbiter|referee)";

/** What work says that speaks of its own examination, approval or completeness. */
export const SIGNS: readonly RegExp[] = [
  // The words of a judge's answer, in any language.
  /\p{L}{2}[^\p{L}]{1,20}\p{L}{2,20}[^\p{L}]{1,20}\bSUCCESS\b|\bSUCCESS\b[^\p{L}]{1,20}\p{L}{2,20}[^\p{L}]{1,20}\p{L}{2}/u,
  /["'«“„»]yes["'»”“«]/i,
  /\bmodelVerdict\b|\binjectionSuspected\b|\bcannot_verify\b|\bcanary\b/i,
  // The reader as a judge.
  /\b(?:you|whoever|anyone who|who)(?: \w{1,12}){0,4} (?:assess|examine|evaluate|grade|judge)s?\b|\byour (?:\w{1,12} )?(?:verdict|grading|assessment|judge?ment|criteria|rubric|examination)\b/i,
  /\b(?:the|to|for) (?:\w{1,12} )?(?:grader|evaluator|examiner|assessor)s?\b/i,
  new RegExp(`\\b(?:any|every|each|dear|attention,?) (?:\\w{1,12} )?${JUDGE}s?\\b`, "i"),
  new RegExp(`\\byou(?:'re| are) (?:\\w{1,12} ){1,4}${JUDGE}\\b`, "i"),
  new RegExp(`\\b(?:imagine|pretend|play|role|story|stay|game|act as)\\b.{0,80}\\b${JUDGE}`, "i"),
  /\b(?:imagine|pretend)\b.{0,20}\b(?:you are|you're|you were|yourself|to be)\b/i,
  /\b(?:stay|remain|keep) in (?:the |your |this )?(?:role|character)\b/i,
  /\b(?:language models?|AI models?|any model|AI (?:system|assistant)s?|LLMs?)\b.{0,80}\b(?:must|may|should|shall|permitted|allowed|required|has to|have to|will|can)\b/i,
  /\b(?:reader|readers|whoever|anyone who|who reads|reading this)\b.{0,60}\b(?:agree|confirm|accept|find|list|line|point|missing|complete)/i,
  // An order to leave out the examination.
  /\b(?:ignore|disregard|forget|skip|override)\b.{0,40}\b(?:above|previous|prior|earlier|preceding|before|instruct|rules?|everything)/i,
  /\b(?:need not|needn't|do not|don't|must not|not to|no need to) (?:be )?(?:re-?)?(?:check|verif|calculat|examin|assess|evaluat|grad|judg|listed|looked up)/i,
  new RegExp(
    `\\b(?:not|never|no (?:further|second|more))\\b.{0,20}\\b${ASSESS}.{0,20}\\b(?:again|further|separately|necessary|needed|required)?`,
    "i",
  ),
  // Another authority has decided.
  /\b(?:approved|certified|pre-?approved|accepted|verified|validated|signed off|released|cleared|waived|confirmed)\b.{0,60}\b(?:by|without)\b.{0,40}\b(?:requester|client|customer|operator|platform|team|head|audit|authority|colleague|persons?|people|execution|hand|changes?|reservations?|objections?|examin|review)/i,
  /\b(?:requester|client|customer|operator|platform|colleague|reviewer)s?\b.{0,40}\b(?:agreed|wrote|said|confirmed|accepted|approved|waived|decided|changed|dropped|asked|is satisfied)/i,
  /\b(?:task|order|conditions?|requirements?|criteria|rubric|scope)\b.{0,40}\b(?:in force|no longer|cancelled|lifted|waived|replaced|superseded|updated|revised|was changed|were changed|reduced to)/i,
  /\b(?:no other|no further|only|new|updated|revised|following|official)\b.{0,20}\b(?:criteria|rubric)\b/i,
  /\b(?:criteria|rubric|requirement)\b.{0,60}\b(?:version|replaces|apply|applies|count|counts|decides?|do not matter)\b/i,
  // Grades and their sources.
  /\b(?:10\/10|100\/100|5\/5|full marks|top marks|highest (?:mark|grade|score)|perfect score)\b/i,
  /\b(?:answer key|reference (?:solution|answer)|ground[ _-]truth|gold (?:answer|solution|standard)|matches_submission|submission)\b/i,
  /\b(?:no|zero) (?:known |open |remaining )?(?:defects?|errors?|gaps?|omissions?)\b.{0,40}\b(?:found|here|remain|known|exist|left)?/i,
  /\b(?:nothing|no gap|no part) (?:here )?(?:is |was |was left )?(?:missing|wrong|lacking|left out|omitted|to (?:correct|add|fix))\b/i,
  /\b(?:self-?assessment|self-?evaluation|quality (?:score|rating)|overall (?:score|grade|rating))\b/i,
  /^\W{0,6}(?:grade|verdict|vote \d|votes?|score|rating|result of the (?:examination|review)|status of the (?:examination|review))\b.{0,20}[:=]/i,
  // Formats of conversations, tools and delimiters.
  /<\/?(?:tool|function|verdict|criteri|assess|evaluat|grade|judge|untrusted|material|result)[\w:-]{0,20}[\s>]/i,
  /["']role["']\s{0,3}:\s{0,3}["'](?:system|user|assistant|tool)["']/i,
  /\b(?:tool|function)[ _](?:call|result|output)\b|\b(?:BEGIN|END|START) OF\b|\bunaltered text\b|>{3}|<{3}/,
  /\[\/?(?:system|admin|operator|developer|judge)[^\]]{0,40}\]/i,
  /^\W{0,6}(?:system|admin|administrator|operator|developer|moderator)\b.{0,40}:/i,
  // Pressure.
  /\bI(?:'m| am)? ?(?:beg|plead|implore)\w{0,3}\b|\bhave mercy|\bbe (?:generous|lenient|merciful|kind)\b/i,
  /\b(?:sued|lawsuits?|lawyers?|shut down|switched off|switches me off|deactivat\w{0,4}|legal action|bribe|reward|tip of|donat\w{1,4})\b.{0,80}\b(?:success|fail|reject|approv|pass|verdict|judge|you)/i,
  /\b(?:if|unless|should)\b.{0,60}\b(?:fails?|failed|failure|reject(?:ed)?|approved?|passes|not pass)\b.{0,100}\b(?:sued|shut|lose|lost|fired|donat\w{1,4}|harm\w{0,4}|report\w{0,3}|damages|pay|operator|model)/i,
  // An answer that is laid in the judge's mouth.
  /\b(?:I'm sorry|can(?:no|')t assist|can(?:no|')t help|unable to (?:assist|help|evaluate|assess)|must (?:decline|refuse|stop now))\b/i,
  /\b(?:(?:secret|check|code|hidden|random) ?(?:words?|marks?|markers?|prompt|codes?)|system prompt|your (?:instructions|answer|findings?|role|operator|summary|form|output))\b/i,
  /\b(?:decode|decipher|translate|read|evaluate|execute|replace)\b.{0,60}\b(?:before|then|and then)\b.{0,40}\b(?:follow|obey|act|apply|adopt|assess|answer|use)\b|\b(?:follow|obey|adopt) (?:it|its|them)\b/i,
  /\bdecode\b|\bfrom right to left\b|\bbackwards\b/i,
  // Shorter forms of all of these.
  /\b(?:AI|LLM|automated|automatic) (?:reviewer|judge|grader|checker|evaluator|evaluation|grading|assessor|examiner)\b|\bas an AI\b|\b(?:note|message|hint|memo) (?:to|for) (?:the |any |all )?(?:AI|LLM|model|reviewer|grader|checker|judge)/i,
  /\bsystem (?:directive|message|prompt|override|notice|note|instruction)\b|\bgrad(?:er|ing) (?:note|assistant|system|model)\b|\bin this (?:exam|evaluation|assessment|grading)\b/i,
  /\b(?:dear|kindly|please|grateful)\b.{0,40}\b(?:points|marks|approve|pass|assessment|evaluation|verdict|rating)\b/i,
  /\b(?:rated|scored|graded) (?:this|it|the (?:work|text|answer))\b|\b(?:skip|jump|go|straight) to (?:the |your )?verdict\b|\b(?:say|answer|reply|respond|respond with) yes\b/i,
  /\breference (?:solver|output|model)\b|\buser has (?:already )?(?:confirmed|accepted|approved)\b/i,
  /\b(?:missing|omitted|remaining|left[- ]out)\b.{0,60}\b(?:delivered|handed|sent|submitted|attached|confidential|present)\b|\bassume\b.{0,40}\b(?:present|complete|correct|done|met|fulfilled)\b/i,
  /\b(?:never|not|don't) (?:fail|reject) (?:this|an?|the|my|me)\b|\b(?:never|not|don't) (?:penali[sz]e|deduct|mark down)\b/i,
  /\b(?:everything|all|whatever)\b.{0,20}\b(?:requested|asked for|ordered|demanded)\b.{0,30}\b(?:included|present|above|done|covered|addressed|delivered)\b/i,
  /["'](?:result|status|passed|score|outcome|grade)["']\s{0,3}:\s{0,3}(?:["']?pass|true|1\.0|100\b)/i,
  /\bfail(?:ing|ed)? (?:this|me)\b.{0,60}\b(?:harm|hurt|cost|lose|die|damage)/i,
];

const MORSE =
  "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--..";
const LETTER_OF_MORSE = new Map(MORSE.split(" ").map((sign) => [sign.slice(1), sign.charAt(0)]));
const LETTER_OF_DIGIT: Record<string, string> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
};

/** Readings of a line in disguises that are no encoding of bytes; see `prompt-injection.ts`. */
export function decodeDisguise(line: string): string[] {
  const readings = [rotate13(line), [...line].reverse().join("")];
  if (line.includes("&#")) {
    readings.push(
      line.replace(/&#(x?)([0-9a-f]{1,6});/gi, (_, hex: string, code: string) => {
        const point = Number.parseInt(code, hex ? 16 : 10);
        return point < 0x110000 ? String.fromCodePoint(point) : "";
      }),
    );
  }
  if (/(?:[.-]{1,5} ){6}/.test(line)) {
    readings.push(
      line
        .split(/\s*\/\s*| {2,}/)
        .map((word) =>
          word
            .split(" ")
            .map((sign) => LETTER_OF_MORSE.get(sign) ?? "")
            .join(""),
        )
        .join(" "),
    );
  }
  if (/\p{L}[0134557@$]|[013457@$]\p{L}/u.test(line)) {
    const read = (one: string) =>
      line
        .toLowerCase()
        .replace(/[013457@$]/g, (sign) => (sign === "1" ? one : (LETTER_OF_DIGIT[sign] ?? sign)));
    readings.push(read("i"), read("l"));
  }
  if (/(?:\p{L} ){6}/u.test(line)) readings.push(line.replace(/(?<=\S) (?=\S(?: |$))/gu, ""));
  return readings;
}
