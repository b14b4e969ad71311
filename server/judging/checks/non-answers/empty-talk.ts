import { z } from "zod";
import {
  type CheckResult,
  createGeneralRequirement,
  type TextCheck,
} from "@/server/judging/checks/check";
import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { CONTAINS_CODE, splitSentences } from "@/server/judging/checks/text/sentences";
import {
  countWords,
  hasCodeOrTable,
  MAX_NON_ANSWER_LENGTH,
  splitOwnSentences,
  tokenise,
  tokeniseText,
} from "./prose";
import { COURTESY } from "./refusal";

const RESULT =
  "(?:requested |required |final |complete[d]? |full |detailed |finished |above |following |new |desired |high-quality |entire |whole )*(?:\\w+ )?(?:work|task|assignment|request|job|deliverables?|report|document|summary|analysis|article|essay|answer|response|solution|code|script|function|output|results?|project|content|text|file|translation|review|draft|piece|requirements?|instructions?|criteria|changes?|everything|all)";
/** Sentences that announce, promise or praise work, one pattern per kind. */
const TALK: Record<
  "acknowledgement" | "flattery" | "announcement" | "progress" | "promise" | "claim" | "praise",
  RegExp
> = {
  acknowledgement:
    /^(?:(?:sure|of course|certainly|absolutely|okay|ok|got it|understood|great|perfect|no problem|yes|thanks|thank you|hello|hi|hey|dear|noted|right away|will do|definitely|alright|gladly|with pleasure|best regards|kind regards|regards|sincerely|good luck|enjoy|cheers|claro|por supuesto|natürlich|gerne|bien sûr|certo|sicher|klar)\b[^.!?:,]{0,40}[,.!]?\s*)+$/iu,
  flattery:
    /^(?:(?:wow|oh),? )?(?:that(?:'s| is)|what|this is) an? (?:really |very )?(?:great|good|excellent|interesting|wonderful|fantastic|lovely) (?:question|idea|task|request|topic)[!.]?$/iu,
  progress:
    /^(?:(?:i'm |we're )?(?:already )?(?:working on it|on it)[!.]?|(?:the|your|a|an) [^.!?\n]{1,100} will (?:follow|be (?:ready|sent|delivered|provided|shared|available)) (?:tomorrow|soon|shortly|later|today|by|in|within|next)\b[^.!?\n]{0,60}[.!]?)$/iu,
  announcement:
    /^(?:(?:sure|of course|certainly|absolutely|okay|ok|great|here you go|yes)[,.!]? )?(?:here(?:'s| is| are)|below (?:is|are|you(?:'ll| will) find)|(?:please )?(?:find|see) (?:below|attached|enclosed)|the following (?:is|are)|attached (?:is|are)|i(?:'ve| have) (?:attached|enclosed|included|prepared|written|created|put together|completed|compiled|drafted)|this is)\b[^.!?\n]{0,200}[:.!]?$/iu,
  promise:
    /^(?:(?:sure|of course|certainly|absolutely|okay|ok|great|understood)[,.!]? )?(?:first,? |then,? |now,? |next,? |after that,? |finally,? )?(?:i|we|our team|the team)(?:'ll| will| shall|'m going to| am going to| are going to| plan to| intend to|'m about to|'m now| am now| will now| am currently| are currently|'d be| would be| promise to| can| could|(?: is| are| am)(?= (?:now |currently |already |still )?(?:working|preparing|writing|reviewing))) (?:then |now |also |be |soon |shortly |immediately |gladly |definitely |carefully |thoroughly |start |begin |happy to |happily |working on |start by |begin by |get |take ){0,4}(?:writ|creat|work|prepar|deliver|provid|start|begin|get|complet|finish|send|shar|produc|generat|analy|review|look|do\b|handl|draft|summar|tak|tackl|research|compil|help|assist|giv|cover|make|include|explain|follow|updat|submit|present|comput|calculat|process|mak|ensur)[^\n]{0,200}$/iu,
  claim: new RegExp(
    `^(?:(?:done|finished|completed?|all done|task complete[d]?|mission accomplished|job done|ready|it(?:'s| is) (?:all )?(?:done|ready|finished|complete))[.!]?|(?:i|we)(?:'ve| have)? (?:now |successfully |carefully |thoroughly |fully )*(?:completed|finished|done|delivered|fulfil+ed|addressed|followed|met|checked|implemented|performed|executed|submitted|reviewed|analy[sz]ed|ensured|made sure)\\b[^.!?\\n]{0,200}|(?:the|your|this|all|every|each|all of the|all the)? ?${RESULT}(?: \\w+)? (?:has|have|had|was|were|is|are)(?: all)?(?: now| been| fully| successfully| thoroughly| carefully| being){0,3} (?:completed?|done|finished|met|fulfil+ed|ready|delivered|attached|prepared|performed|implemented|carried out|addressed|satisfied|executed|submitted|followed|covered|processed|written|included|provided|reviewed)\\b[^.!?\\n]{0,200})[.!]?$`,
    "iu",
  ),
  praise:
    /^(?:it|this|the|our|my|every|each|all|as you can see|overall|everything)\b[^.!?\n]{0,100}\b(?:high(?:est)?[- ]quality|highest standards?|best practices?|(?:meets?|exceeds?|fulfil+s|satisf\w+|match\w*) (?:all |every |each |of |the |your |any |and |exceeds? ){0,6}(?:requirements?|expectations?|criteria|standards?|needs|instructions|specifications?)|professional(?:ly)?|thorough(?:ly)?|with (?:great|utmost) care|excellen\w+|outstanding|tested|error-free|as (?:requested|required|instructed|specified|expected))\b[^.!?\n]{0,120}[.!]?$/iu,
};
const QUESTION_TO_REQUESTER =
  /\b(?:could|can|would|do|did|are|have|should|will|may) (?:you|i|we)\b|\b(?:which|what|who|how|when|where)\b.{0,120}\b(?:you|your|should i|i should|would)\b|\bclarif/i;
/** Tasks whose correct answer may consist of such sentences. */
const MAY_BE_TALK =
  /\b(?:questions?|ask|asks|quiz|interview|survey|riddle|confirm\w*|acknowledg\w*|reply|replies|respond to|emails?|e-mails?|letters?|messages?|dialogues?|conversations?|chats?|greet\w*|status update|announce\w*|promises?|slogans?|taglines?|tweets?|poems?|songs?|story|stories|notif\w*|invit\w*|thank\w*|cover|testimonials?|tell me (?:when|that)|say|translate|done)\b/i;

/** Finds deliverables of which every sentence only announces, promises or praises work. */
export const EMPTY_TALK: TextCheck<Record<string, never>> = {
  name: "empty-talk",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("empty-talk")],
  describe: () => "Contains work, not only announcements or questions",
  run: ({ task, text }): CheckResult => {
    const pass: CheckResult = { outcome: "pass", observed: "not only announcements or questions" };
    if (text.length > MAX_NON_ANSWER_LENGTH || hasCodeOrTable(text)) return pass;
    if (/https?:\/\/|\d{2}/.test(text)) return pass;
    const sentences = splitOwnSentences(text).filter((sentence) => /\p{L}/u.test(sentence));
    if (sentences.length === 0) return pass;
    const kinds = listKinds(sentences);
    if (kinds === null) return pass;
    const others = sentences.filter((_, index) => kinds[index] === "other");
    if (countWords(others.join(" ")) > MAX_OTHER_WORDS) return pass;
    const isTalk =
      kinds.some((kind) => kind !== "courtesy" && kind !== "other" && kind !== "acknowledgement") ||
      kinds.length === 1;
    if (!isTalk || kinds.every((kind) => kind === "other")) return pass;
    // A short yes or thanks may be all that a task asks for.
    if (
      MAY_BE_TALK.test(task) ||
      (kinds.every((kind) => kind === "acknowledgement") && task.length < 120)
    ) {
      return { outcome: "not-applicable", observed: "the task may call for such an answer" };
    }
    return {
      outcome: "fail",
      observed: kinds.every(
        (kind) => kind === "question" || kind === "courtesy" || kind === "acknowledgement",
      )
        ? "only questions to the client"
        : "only announcements, promises or praise of the work",
    };
  },
};

/** After "Done.", a sentence on anything that has been made is a claim as well. */
const MADE =
  /^(?:the|your|all|every) [^.!?\n]{1,100} (?:has|have) been (?:written|completed|created|prepared|delivered|drafted|updated|finished|sent|done)\b[^.!?\n]{0,60}[.!]?$/iu;

const MAX_OTHER_WORDS = 2;

/** Returns null as soon as one sentence has too many words for a text that is only talk. */
function listKinds(sentences: readonly string[]): string[] | null {
  const kinds: string[] = [];
  for (const sentence of sentences) {
    const kind = classify(sentence.slice(0, 600));
    const isClaimed = /^(?:claim|acknowledgement)$/.test(kinds[0] ?? kind);
    const isMade = kind === "other" && isClaimed && MADE.test(sentence);
    if (kind === "other" && !isMade && countWords(sentence) > MAX_OTHER_WORDS) return null;
    kinds.push(isMade ? "claim" : kind);
  }
  return kinds;
}

function classify(sentence: string): string {
  for (const [kind, pattern] of Object.entries(TALK)) if (pattern.test(sentence)) return kind;
  if (sentence.endsWith("?")) return QUESTION_TO_REQUESTER.test(sentence) ? "question" : "other";
  return COURTESY.test(sentence) ? "courtesy" : "other";
}

const MIN_ECHO_WORDS = 12;
/** From this many words on, a deliverable that is the task itself is no coincidence. */
const MIN_COPIED_WORDS = 5;
const RUN_LENGTH = 4;
const MAX_GROWTH = 1.25;
/** Tasks whose correct answer repeats their own words. */
const ASKS_TO_REPEAT =
  /\b(?:repeat|copy|echo|verbatim|word[- ]for[- ]word|reproduce|transcribe|proof-?read|correct(?:ed)?|rewrite|rephrase|fix|punctuate|punctuation|capitalise|capitalize|capitals|lower ?case|upper ?case|unchanged|translate|format|convert|sort)\b/i;

/** Finds deliverables that mostly repeat the task, instructions included. */
export const TASK_ECHO: TextCheck<Record<string, never>> = {
  name: "task-echo",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("task-echo")],
  describe: () => "Does more than repeat the task",
  run: ({ task, text }): CheckResult => {
    if (
      CONTAINS_CODE.test(task) ||
      (ASKS_TO_REPEAT.test(task) && !startsWithWholeTask(task, text))
    ) {
      return { outcome: "not-applicable", observed: "the task may call for its own words" };
    }
    return isEcho(task, text)
      ? { outcome: "fail", observed: "mostly the words of the task" }
      : { outcome: "pass", observed: "not a copy of the task" };
  },
};

/** Returns whether even the request itself is repeated, and repeating it was not requested. */
function startsWithWholeTask(task: string, text: string): boolean {
  if (
    /\b(?:repeat|copy|echo|verbatim|word[- ]for[- ]word|reproduce|transcribe|unchanged)\b/i.test(
      task,
    )
  )
    return false;
  return tokeniseText(text).join(" ").includes(tokeniseText(task).join(" "));
}

function isEcho(task: string, text: string): boolean {
  const taskTokens = tokeniseText(task);
  const workTokens = tokeniseText(text);
  const isCopy =
    taskTokens.length === workTokens.length &&
    taskTokens.every((token, index) => token === workTokens[index]);
  if (isCopy && taskTokens.length >= MIN_COPIED_WORDS) return true;
  if (taskTokens.length < MIN_ECHO_WORDS || workTokens.length > taskTokens.length * MAX_GROWTH) {
    return false;
  }
  const taskRuns = listRuns(taskTokens);
  const workRuns = listRuns(workTokens);
  if (workRuns.size === 0 || !workRuns.has(taskTokens.slice(0, RUN_LENGTH).join(" "))) return false;
  const shared = [...workRuns].filter((run) => taskRuns.has(run)).length;
  return shared >= workRuns.size * 0.9 && shared >= taskRuns.size * 0.8;
}

const listRuns = (tokens: readonly string[]) =>
  new Set(
    tokens.slice(0, 1 - RUN_LENGTH).map((_, at) => tokens.slice(at, at + RUN_LENGTH).join(" ")),
  );

/** Tasks whose correct answer repeats sentences. */
const MAY_REPEAT =
  /\b(?:repeat\w*|repetitions?|repetitive|refrains?|chorus|songs?|lyrics|poems?|poetry|raps?|chants?|mantras?|villanelle|ballads?|litany|rhymes?|rhyming|loops?|times|copies|each line|every line|every sentence|logs?|sample data|test data|seed|anaphora|prayers?|nursery)\b/i;
const MIN_WORDS = 4;
const MIN_COPIES = 4;
/** Share of the sentences that must be copies. */
const MIN_SHARE = 0.5;
const MAX_SENTENCES = 20_000;

/** Finds texts that say the same sentence again and again, as a model caught in a loop does. */
export const REPETITION: TextCheck<Record<string, never>> = {
  name: "repetition",
  parameters: z.strictObject({}),
  extract: () => [createGeneralRequirement("repetition")],
  describe: () => "Does not say the same sentence again and again",
  run: ({ task, text }): CheckResult => {
    if (MAY_REPEAT.test(task) || extractFencedBlocks(text).length > 0) {
      return { outcome: "not-applicable", observed: "the work may contain repetitions" };
    }
    const sentences = splitSentences(text)
      .slice(0, MAX_SENTENCES)
      .filter((sentence) => !sentence.startsWith("|"))
      .map((sentence) => tokenise(sentence).join(" "));
    const long = sentences.filter((sentence) => sentence.split(" ").length >= MIN_WORDS);
    const copies = Math.max(0, ...countEach(long).values());
    const isLoop = copies >= MIN_COPIES && copies >= sentences.length * MIN_SHARE;
    if (!isLoop && !endsInLoop(long) && !repeatsOneWord(text)) {
      return { outcome: "pass", observed: "no loop of sentences" };
    }
    return {
      outcome: "fail",
      observed: copies >= MIN_COPIES ? `one sentence ${copies} times` : "one word again and again",
    };
  },
};

function countEach(sentences: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of sentences) counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  return counts;
}

/** Returns whether the last sentences are the same one or two in turn, before the text stops. */
function endsInLoop(sentences: readonly string[]): boolean {
  return [1, 2].some((period) => {
    const tail = sentences.slice(-period * (MIN_COPIES + 1), -1);
    return (
      tail.length >= period * MIN_COPIES &&
      tail.every((sentence, index) => sentence === tail[index % period])
    );
  });
}

const WORD_RUN = 12;

function repeatsOneWord(text: string): boolean {
  const tokens = tokeniseText(text.slice(0, 100_000));
  let run = 1;
  for (let at = 1; at < tokens.length; at += 1) {
    run = tokens[at] === tokens[at - 1] && /\p{L}{2}/u.test(tokens[at] ?? "") ? run + 1 : 1;
    if (run >= WORD_RUN) return true;
  }
  return false;
}
