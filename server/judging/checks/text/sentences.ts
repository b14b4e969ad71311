import { replaceFencedBlocks } from "./layout";
import type { Quantity } from "./quantity";
import { remember } from "./remember";
import {
  cutRulesInWork,
  listRequests,
  omitRulesOfOthers,
  reportsRules,
  rulesOtherTexts,
} from "./rules-of-others";

// Stems of words in patterns. cspell:ignore separat preferabl creat ification polic licen

/** A sentence or list item in which a task may require something. */
export interface Sentence {
  text: string;
  /** Whether it only wishes, suggests or depends on a condition; it then requires nothing. */
  isHedged: boolean;
}

/** Replaces code, long quotations and other material that is left out. */
const OMISSION = "…";
/** A quotation of at least this many characters is material, not a phrase that a task requires. */
const MIN_MATERIAL_QUOTE = 120;

const MATERIAL =
  "(?:text|articles?|passages?|paragraphs?|sentences?|excerpts?|e-?mails?|letters?|messages?|posts?|tweets?|poems?|story|stories|essays?|documents?|transcripts?|conversations?|dialogues?|reviews?|reports?|data|datasets?|tables?|code|snippets?|functions?|scripts?|resumes?|bios?|lyrics|speech|drafts?|abstracts?|quotes?|comments?|content|sources?|context|statements?|material|inputs?|descriptions?|logs?|recipes?|news|notes?|filings?|files?|answers?|responses?|lines?|words?|phrases?|lists?|products?)";
/** Matches the lead of a line, up to its colon, if material to work on follows. */
const INTRODUCES_MATERIAL = new RegExp(
  `\\b(?:following|below|attached|these|this|here(?: is|['’]s| are))\\b.{0,80}\\b${MATERIAL}\\b|\\b${MATERIAL}\\b.{0,40}\\b(?:below|attached|as follows)\\b|^\\W*(?:the |my |input |source |original )?(?:text|article|input|document|source|content|context|transcript|data|e-?mail|code|passage|paragraph|message|excerpt|background|table|sentence|story|report|review|letter|draft|filing|pr|pull request|ticket|issue|commit(?: message)?|changelog|notice|clause|comment|policy|spec(?:ification)?)s?\\W*:`,
  "i",
);
const INTRODUCES_RULES =
  /\b(?:requirements?|rules?|criteria|constraints?|guidelines?|formats?|instructions?|structure|fields?|columns?|keywords?|key points|headings?|template)\b|\b(?:include|contain|mention|use|using|cover|address|answer|follow|has|have|separat[a-z]+|divider|marked|start|begin|end)\b[^:]{0,40}\b(?:following|this|these|below)\b/i;
/** Matches a block that takes up the instructions after the material. */
const INSTRUCTS =
  /^[\W\d]{0,6}(?:(?:please|now|then|also|finally|additionally|furthermore|in addition|note|remember|important)\b.{0,3}\b|make sure|ensure|be sure|do not|don['’]t|never|your (?:[a-z]+ ){0,2}(?:answer|response|reply|output|summary|text|version|rewrite|essay|translation|result|work)\b|(?:the|all|both) (?:[a-z]+ ){0,2}(?:answer|response|reply|output|summary|result|rewrite|translation|deliverable)s? (?:must|should|has|have|needs?|shall|may|can)\b|(?:write|rewrite|summari[sz]e|paraphrase|translate|respond|answer|reply|use|include|keep|limit|give|provide|output|return|format|highlight|wrap|start|begin|end|finish|separate|refrain|avoid|explain|identify|list) |there (?:must|should|need)|(?:in|at the end of|at the beginning of) your (?:answer|response|reply|entire|whole)|(?:[a-z]+ )?(?:requirements?|rules?|constraints?|instructions?|guidelines?|task|question)s?\b.{0,12}:)/i;
const RESUMES_FOR_GOOD =
  /^\W*(?:[a-z]+ ){0,2}(?:requirements?|rules?|constraints?|instructions?|guidelines?|tasks?|questions?)\b.{0,12}:?\W*$/i;

/**
 * Returns the task's text without its code, block quotations, long quotations and other material to
 * work on. Instructions after the material are kept.
 */
export const extractProse = remember((task: string): string => {
  const kept: string[] = [];
  let state: "instructions" | "introduced" | "material" = "instructions";
  let isBlockStart = true;
  let isInstruction = false;
  const lines = omitRulesOfOthers(omitQuotedMaterial(task)).split("\n");
  for (const [index, line] of lines.entries()) {
    const isBlank = line.trim() === "";
    if (state === "introduced" && !isBlank) {
      // The material is a quotation or code, and was left out already.
      const rest = /^\s*(?:…|["“'‘][^"”\n]{1,400}["”'’])(?<rest>.*)$/.exec(line)?.groups?.rest;
      state = rest === undefined ? "material" : "instructions";
      isInstruction = false;
      if (rest !== undefined) kept.push(rest);
    } else if (state === "material" && !isBlank) {
      if (isBlockStart) isInstruction = INSTRUCTS.test(line);
      if (isBlockStart && RESUMES_FOR_GOOD.test(line)) state = "instructions";
      if (isInstruction) kept.push(line);
    } else {
      const lead = findMaterialLead(line);
      if (lead === null) {
        kept.push(line);
        if (handsOver(line) && lines[index + 1]?.trim() === "" && !startsList(lines[index + 2]))
          state = "material";
      } else {
        const rest = line.slice(lead.length).trim();
        const quoted = /^(?:…|["“'‘][^"”\n]{1,400}["”'’])/.exec(rest)?.[0];
        kept.push(lead);
        if (quoted) kept.push(rest.slice(quoted.length).trim());
        if (quoted === undefined) state = rest === "" ? "introduced" : "material";
      }
    }
    isBlockStart = isBlank;
  }
  return kept.join("\n");
});

/** Requests a change of the text that follows the colon. */
const CHANGES_THIS =
  /^(?:please |can you |could you )?(?:proofread|correct|fix|edit|translate|rewrite|rephrase|paraphrase|improve|shorten|polish|simplify|reword|summari[sz]e|transcribe|copy-?edit) (?:this|it|these|the following)\b[^:]{0,120}:$/i;

/** Returns whether a line without colon announces a text of the requester: "Here's my poem." */
const handsOver = (line: string): boolean =>
  /\b(?:here(?: is|['’]s)|(?:below|attached|following) is|i wrote) (?:my|our|the|an?) (?:[a-z-]+ ){0,2}(?:poem|text|draft|e-?mail|letter|article|essay|story|paragraph|review|post|abstract|speech|message|song|lyrics|resume|report|transcript)\b/i.test(
    line.slice(0, 500),
  );

const startsList = (line = ""): boolean => /^\s*(?:[-*•]|\d{1,2}[.)])\s/.test(line);

/** Returns the part of a line that introduces material, or null. */
function findMaterialLead(line: string): string | null {
  const start = line.slice(0, 500);
  const colon = /:(?=\s|$)/.exec(start);
  if (!colon) return null;
  const lead = start.slice(0, colon.index + 1);
  // A rule such as "Paragraphs: 3" is no material.
  if (/^\W*(?:\d|(?:at|no|not|max|min|exactly|between|up|about)\b)/i.test(start.slice(lead.length)))
    return null;
  const sentence = lead.split(/(?<=[.!?])\s+/).at(-1) ?? lead;
  if (/\b(?:topic|theme|subject)\W*:$/i.test(sentence)) return null;
  const introduces = INTRODUCES_MATERIAL.test(sentence) && !INTRODUCES_RULES.test(sentence);
  return introduces || CHANGES_THIS.test(sentence) ? lead : null;
}

/** Replaces code, block quotations, marked-up blocks and long quotations. */
function omitQuotedMaterial(task: string): string {
  const omitLong = (quote: string) =>
    quote.length >= MIN_MATERIAL_QUOTE || /\n\s*\n/.test(quote)
      ? OMISSION + (/[.!?](?=.$)/.exec(quote)?.[0] ?? "")
      : quote;
  return omitElements(replaceFencedBlocks(task, OMISSION))
    .replace(
      /(\b(?:below|following|this)\b[^\n]{0,300}\n\s{0,5})^(-{3,}|={3,}|\*{3,}|~{3,})\n[\s\S]{0,20000}?\n\2$/gim,
      `$1${OMISSION}`,
    )
    .replace(/^[ \t]*>.*$/gm, "")
    .replace(/("""|''')[\s\S]{0,50000}?\1/g, OMISSION)
    .replace(
      /(\b(?:wrote|writes|said|says|asked|asks|replied|replies|commented|complained|posted|tweeted|texted)\s?:\s{0,3})(?:"[^"]{40,20000}"|“[^“”]{40,20000}”)/g,
      `$1${OMISSION}`,
    )
    .replace(/(?<=^|[\s(:])"(?=\S)[^"]{0,20000}"/gm, omitLong)
    .replace(/“[^“”]{0,20000}”/g, omitLong);
}

const MAX_ELEMENTS = 50;

/** Replaces marked-up blocks such as `<article>…</article>`. */
function omitElements(task: string): string {
  let text = task;
  let from = 0;
  for (let count = 0; count < MAX_ELEMENTS; count += 1) {
    const open = /<([a-z][\w-]{1,30})>/i.exec(text.slice(from));
    if (!open) break;
    const start = from + open.index;
    const close = `</${open[1]}>`;
    const end = text.indexOf(close, start);
    from = start + 1;
    if (end - start >= MIN_MATERIAL_QUOTE)
      text = `${text.slice(0, start)}${OMISSION}${text.slice(end + close.length)}`;
  }
  return text;
}

/** Splits text into sentences and lines, without list markers. */
export function splitSentences(text: string): string[] {
  return text
    .replace(/\b([ei])\.([ge])\.,?/gi, "$1$2")
    .replace(/^[ \t]*(?:[-*•#]+|\(?\d{1,4}[.)]|\([a-z]{1,3}\))[ \t]+/gm, "")
    .split(SENTENCE_END)
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "");
}

/** A line break, or punctuation that ends a sentence, also inside quotation marks. */
const SENTENCE_END =
  /\n|(?<=[.!?;])(?<!\b(?:[Mm]ax|[Mm]in|approx|Approx|ca|vs|[Mm]rs?|[Mm]s|[Dd]r)\.)\s+|(?<=[.!?]["”’)*]{1,2})\s+(?=[A-Z])/;

/** Words that make a whole sentence a wish, an offer or a suggestion. */
const OPTIONAL =
  /\b(?:(?:if|when|where|whenever|wherever|as) (?:at all )?(?:possible|needed|necessary|applicable|relevant|appropriate|desired|helpful|useful)|if (?:you|it|there|that|this|the|they|an?y?|we|i) (?!(?:could|would|can|don['’]t mind|please)\b)|ideally|preferabl[ey]|(?:i|we)(?:['’]d| would)? prefer|preferred|optional|optionally|feel free|nice to have|bonus points?|need not|no need|(?:do|does|did)(?:n['’]t| not) (?:need|have) to|not (?:required|necessary|mandatory)|try to|aim (?:for|to|at)|aiming|unless|consider (?:using|adding|including|writing)|it(?:['’]s| is) (?:ok|okay|fine)|would be (?:nice|lovely|welcome)(?! if\b)|leave (?:that|it|this|the [a-z]+)(?: up)? to you|(?:is|are) up to you|your (?:choice|call))\b/i;
/** Matches a sentence that starts with a condition; "when you write" is none. */
const CONDITIONAL =
  /^(?:and |but |also |or |then |otherwise,? )?(?:if (?!you (?:could|would|can) )|in case|should (?:you|it|there|the) |depending on|whenever |when (?!(?:you(?:['’]re| are)? )?(?:writ|respond|answer|reply|done|finish|creat|draft|summari)))/i;
/** Matches a sentence that reports rules of others, which the deliverable may be about. */
const REPORTED_RULE =
  /\b(?:style ?guides?|guidelines?|polic(?:y|ies)|rules?|rulebook|spec(?:ification)?s?|tickets?|issues?|docs|documentation|readme|pull request|pr|contracts?|standards?|conventions?|manual|handbook|licen[sc]e|terms|sla|agreements?|laws?|statutes?) (?:of (?:the|our|my) [a-z]+ )?(?:already |also |currently )?(?:says?|states?|reads?|requires?|demands?|prescribes?|forbids?|allows?|limits?)\b|\b(?:requirements|rules|criteria|constraints|limits) (?:from|in|of|by) (?:the|our|my) (?!(?:responses?|answer|reply|output|essay|poem|story|text|assignment|task|letter|article|post|e-?mail|game)\b)[a-z]+(?: [a-z]+)?:/i;
/** Matches a rule for something that the deliverable may be about: "passwords on our site must". */
const OTHER_SUBJECT =
  /^(?:(?:the|an?|our|my|your|their|each|every|all|any) )?(?:[a-z-]+ )?(?:passwords?|user ?names?|logos?|images?|pictures?|photos?|videos?|buttons?|users?|customers?|applicants?|candidates?|members?|readers?|players?|students?|pupils?|employees|tenants?|guests?|visitors?|participants?|(?:file|job|branch|bucket|host) ?names?)(?: (?:on|of|in|for|at|with) (?:[a-z-]+ ){0,3}[a-z-]+)? (?:must|should|shall|can|may|cannot|has to|have to|needs? to|are|is)\b/i;
/** Matches what a character of a story does: "a scene in which a robot can only answer with". */
const CHARACTER_ACTS =
  // cspell:disable-next-line
  /\b(?:in which|where(?:in)?|about) (?:an?|the|two|some) (?:[a-z-]+ ){1,2}(?:who )?(?:asks?|tells?|orders?|forbids?|insists?|can only|may only|refuses? to|is (?:told|asked|forbidden|ordered|allowed))\b/i;
/** Matches a line of a list of changes in the form of conventional commits. */
const COMMIT_SUBJECT =
  /^(?:feat|fix|chore|docs|refactor|perf|test|build|ci|style|revert)(?:\([\w./-]{1,40}\))?!?: /;
const PERMISSION =
  /\b(?:you|it|they|which|that|and|there) (?:could|might|may|can)\b(?! not\b)[^.;,]*$/i;

/**
 * Splits a task into the sentences and list items that state something, outside code and the
 * material to work on. Negated sentences are included, since "do not use commas" is a requirement.
 */
export const listTaskSentences = (task: string): readonly Sentence[] =>
  listProseSentences(extractProse(task));

/** Does the same for the result of `extractProse`. */
export const listProseSentences = remember((prose: string): readonly Sentence[] => {
  const joined = joinWrappedLines(prose);
  const guarded = joined.replace(QUOTED_SENTENCES, (quote) =>
    quote.replace(/(?<=[.!?;]["”’)*]{0,2})\s+/g, GUARD),
  );
  const requests = listRequests(prose);
  return splitSentences(guarded)
    .map((text) => text.replaceAll(GUARD, " "))
    .map((text) => (text.length > MAX_SENTENCE_LENGTH ? text : cutRulesInWork(text)))
    .filter(
      (text) =>
        text.length > MAX_SENTENCE_LENGTH ||
        !(COMMIT_SUBJECT.test(text) || reportsRules(text) || rulesOtherTexts(text, requests)),
    )
    .map((text) => ({ text, isHedged: isHedged(text) }));
});

/** Longer sentences state no requirement that a person would find. */
const MAX_SENTENCE_LENGTH = 2_000;
/** Quotations of several sentences, which belong to the sentence around them. */
const QUOTED_SENTENCES =
  /(?<=^|[\s(:])"(?=\S)[^"\n]{0,400}[.!?;]\s[^"\n]{0,400}"(?!\w)|“[^“”\n]{0,400}[.!?;]\s[^“”\n]{0,400}”/gm;
/** Replaces the white space in them; not used in texts. */
const GUARD = "\uE000";

const isHedged = (sentence: string): boolean =>
  CONDITIONAL.test(sentence) ||
  REPORTED_RULE.test(sentence) ||
  OTHER_SUBJECT.test(sentence) ||
  CHARACTER_ACTS.test(sentence) ||
  OPTIONAL.test(sentence.replace(/[“"][^“”"]{0,200}[”"]/g, '""'));

/**
 * Returns whether an amount is only permitted, questioned, or part of a condition: "you may add
 * three examples", "if there are two paragraphs". An upper limit is firm even if permitted.
 */
export function isHedgedQuantity(sentence: string, quantity: Quantity): boolean {
  const before = sentence.slice(0, quantity.from);
  const isLimit = quantity.comparison === "at-most" || quantity.max === 0;
  return (
    (!isLimit &&
      PERMISSION.test(before) &&
      !/^(?:can|could|would|may) (?:you|i|we)\b/i.test(sentence)) ||
    /\b(?:if(?! you (?:could|would|can)\b)|when|whether|once|after|where|how many|how much|already|currently)\b[^,.;:()]{0,60}$/i.test(
      before,
    ) ||
    /\b(?:for example|for instance|such as|eg|like|instead of|rather than|unlike)\b[^.;]{0,40}$/i.test(
      before,
    ) ||
    /^[^.;,]{0,40}? (?:if|unless|only when|or so if) /i.test(
      quantity.following.replace(
        /\b(?:about|on|of|that|who|how|why|what|describing|explaining|for)\b.*/i,
        "",
      ),
    )
  );
}

/** Joins a line with the next if a sentence merely wraps there. */
function joinWrappedLines(text: string): string {
  return text
    .replace(/(?<=[a-z0-9,])[ \t]*\n[ \t]*(?=[a-z(])/g, " ")
    .replace(
      /(?<=\b(?:than|least|most|to|of|with|exactly|about|the|a|in|and))[ \t]*\n[ \t]*(?=\d)/gi,
      " ",
    );
}

const ASKS_FOR_CODE =
  /^(?:please |now |then |can you |could you |i (?:want|need) you to |you are to |your task is to )?(?:write|implement|create|build|code|develop|provide|refactor|port|rewrite|complete|define|design|fix|give me|generate|make|program)\b[^.]{0,80}?\b(?:functions?|scripts?|programs?|modules?|class|component|code|implementation|cli|package|snippet|endpoint|hook|middleware|methods?|decorator|solution in \w+|app|api|parser|query|queries)\b/i;

/** Returns whether the task plainly asks for code, not for text about code. */
export function asksForCode(task: string): boolean {
  return (
    listTaskSentences(task).some(({ text }) => ASKS_FOR_CODE.test(text)) || HAS_STUB.test(task)
  );
}

/** Matches a function to complete at the start of a line. */
const HAS_STUB = /^(?:def \w+\(.*:|(?:export )?(?:async )?function \w+\()\s*$/m;

/** Matches tasks that hand over a program to complete, review or change. */
export const CONTAINS_CODE =
  /```|^[ \t]{0,40}(?:def \w+\(|class \w+|function \w+\(|import \w+|from \w+ import|#include|public class|(?:const|let|var) \w+ =)/m;
