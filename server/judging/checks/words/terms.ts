import { remember } from "@/server/judging/checks/text/remember";
import { extractProse, listProseSentences } from "@/server/judging/checks/text/sentences";

/**
 * A clause of a task that states one demand. Quoted terms are replaced by marks such as `⟦TA⟧`, so
 * that patterns see where a term is, and its words and punctuation cannot match them.
 */
export interface Clause {
  text: string;
  /** The sentence or list item that the clause belongs to, with the same marks. */
  statement: string;
}

/** The clauses of a task, with the terms that their marks refer to. */
export interface Clauses {
  clauses: Clause[];
  /** Returns the term of a mark; other text is returned as it is. */
  resolve(mark: string): string;
  /** Replaces the marks in a clause by their terms, for the private record. */
  restore(text: string): string;
}

/** Matches the mark of a term. Letters only, since digits would look like an amount. */
export const MARK = "⟦T[A-Z]+⟧";

const MAX_TERM_LENGTH = 400;
/**
 * Matches a quoted, emphasised or code-formatted term within a line. The character before an
 * apostrophe decides whether it opens a quotation; the character after decides whether it ends one.
 */
const QUOTED = new RegExp(
  [
    `(?<![\\w"])"(?<straight>[^"\\n]{1,${MAX_TERM_LENGTH}})"(?!\\w)`,
    `“(?!⟦)(?<curly>[^”\\n]{1,${MAX_TERM_LENGTH}})”`,
    `«\\s?(?<guillemets>[^»\\n]{1,${MAX_TERM_LENGTH}})»`,
    `(?<!\`)\`(?<code>[^\`\\n]{1,${MAX_TERM_LENGTH}})\`(?!\`)`,
    `(?<![\\w*])\\*\\*(?<bold>[^*\\n]{1,80})\\*\\*(?![\\w*])`,
    `(?<![\\p{L}\\p{N}'’‘])['‘](?<single>(?:[^'’\\n]|['’](?=\\p{L})){1,${MAX_TERM_LENGTH}})['’](?![\\p{L}\\p{N}])`,
  ].join("|"),
  "gu",
);
const CONJUNCTION =
  /(?:[,;]\s*(?:and\s+|but\s+|then\s+|while\s+|also\s+)?|\s+(?:and|but|then|while|yet|plus|&)\s+)(?=(?:(?:also|then|please|it|they|you|the (?:response|answer|output|text|whole)|your (?:response|answer|entire))\s+)*(?:(?:must|should|shall|make sure|ensure|be sure|do not|don['’]?t|does(?:n['’]?t| not)|never|skip|drop|avoid(?:ing)?|without|refrain|steer clear|stay away|use|using|include|including|includes|contain(?:s|ing)?|mention(?:s|ing)?|start|begin|end|finish|wrap|keep|write|give|add|put|repeat|has|have|no|omit|exclude|leave out|highlight|separate|choose|answer|respond|insert|incorporate)\b))|\s+without\s+(?=(?:using|including|mentioning|saying|any)\b)/giu;

/** Splits the instructions of a task into clauses. Leaves out wishes and conditions. */
export const listClauses = remember((task: string): Clauses => {
  const terms: string[] = [];
  // In quotation marks, so that the statements are parsed as if the term were still there.
  const mark = (term: string) => {
    terms.push(term.trim());
    return `“⟦T${toLetters(terms.length - 1)}⟧”`;
  };
  const marked = joinTermLists(
    shorten(extractProse(task.replace(TERMS_LEAD, `$1${COLON}`))),
    mark,
  ).replace(QUOTED, (...match) => {
    const groups: Record<string, string | undefined> = match.at(-1);
    const term = Object.values(groups).find((value) => value !== undefined) ?? "";
    return term.trim() === "" ? match[0] : mark(term.replace(/^\*\*|\*\*$/g, ""));
  });
  const clauses = listProseSentences(marked)
    .filter(({ isHedged, text }) => !isHedged && text.length <= MAX_STATEMENT_LENGTH)
    .slice(0, MAX_STATEMENTS)
    .flatMap(({ text }) => {
      const statement = text.replace(new RegExp(`“(${MARK})”`, "g"), "$1").replaceAll(COLON, ":");
      return splitClauses(statement).map((clause) => ({ text: clause, statement }));
    });
  const resolve = (text: string) => {
    const letters = /^⟦T([A-Z]+)⟧$/.exec(text)?.[1];
    return letters === undefined ? text : (terms[fromLetters(letters)] ?? text);
  };
  return {
    clauses,
    resolve,
    restore: (text) => text.replace(new RegExp(MARK, "g"), (found) => `"${resolve(found)}"`),
  };
});

/** Limits the time for hostile tasks; the instructions of honest ones are shorter. */
const MAX_STATEMENTS = 150;
const MAX_STATEMENT_LENGTH = 2_000;
const MAX_CLAUSE_LENGTH = 600;
const MAX_PROSE_LENGTH = 60_000;

/** Keeps the beginning and the end of a very long text, where instructions are. */
function shorten(text: string): string {
  const half = MAX_PROSE_LENGTH / 2;
  return text.length <= MAX_PROSE_LENGTH ? text : `${text.slice(0, half)}\n${text.slice(-half)}`;
}

function splitClauses(statement: string): string[] {
  const clauses: string[] = [];
  let from = 0;
  for (const { 0: conjunction, index } of statement.matchAll(CONJUNCTION)) {
    clauses.push(statement.slice(from, index));
    // "without" negates what follows it, so it stays.
    from = /without/i.test(conjunction) ? index : index + conjunction.length;
  }
  return [...clauses, statement.slice(from)]
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "" && clause.length <= MAX_CLAUSE_LENGTH);
}

/** Replaces the colon before a list of terms, which would look like the lead of material. */
const COLON = "∶";
const TERMS_LEAD =
  /^(?=[^\n]{0,300}\b(?:us(?:e|ing|ed)|includ|incorporat|mention|contain|avoid|forbid|banned|prohibit|must|should|work in|insert|weav|featur|employ|appear|allowed|one of|start|begin|open|end|finish|conclud|clos|first|last|say|choose|select|pick)\w*)([^:\n]{0,300}\b(?:(?:key ?)?(?:words?|phrases?)|terms?|expressions?|hashtags?|options|one of)\b[^:\n]{0,60}):(?=[ \t]|$)/gim;
const INTRODUCES_TERMS =
  /\b(?:key ?words?|words?|phrases?|terms?|expressions?|sentences?|hashtags?|options|answers|responses|labels|values|of)\b[^:∶.!?\n]{0,80}[:∶][ \t]*$/i;
const LIST_ITEM = /^[ \t]*(?:[-*•]|\d{1,2}[.)]|\(?[a-z]\))[ \t]+(\S.{0,119})$/i;
const MAX_ITEM_WORDS = 8;

/** Joins a list of terms, one per line, to the line that introduces it: "Use the words: ⟦TA⟧, ⟦TB⟧". */
function joinTermLists(task: string, mark: (term: string) => string): string {
  const joined: string[] = [];
  let isOpen = false;
  for (const line of task.split("\n")) {
    const item = LIST_ITEM.exec(line)?.[1]?.trim();
    const previous = joined.at(-1);
    if (isOpen && previous !== undefined && item && item.split(/\s+/).length <= MAX_ITEM_WORDS) {
      const term = item.replace(/^["'`“‘*]+|["'`”’*,;]+$/g, "");
      joined[joined.length - 1] = `${previous}${/⟧”$/.test(previous) ? "," : ""} ${mark(term)}`;
    } else if (!(isOpen && line.trim() === "" && /[:∶]\s*$/.test(previous ?? ""))) {
      joined.push(line);
      isOpen = line.length < 1000 && INTRODUCES_TERMS.test(line);
    }
  }
  return joined.join("\n");
}

function toLetters(index: number): string {
  let rest = index;
  let letters = "";
  do {
    letters = String.fromCharCode(65 + (rest % 26)) + letters;
    rest = Math.floor(rest / 26) - 1;
  } while (rest >= 0);
  return letters;
}

function fromLetters(letters: string): number {
  return [...letters].reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

/** Lowest and highest plausible number of occurrences. */
export interface Occurrences {
  low: number;
  high: number;
  /** The occurrences counted in `low`, as offsets in the text; at most ten. */
  passages: { from: number; to: number }[];
}

/**
 * Folds what readers don't distinguish: case, quotation marks, kinds of hyphens. Keeps the length,
 * so that offsets stay valid.
 */
export function foldCharacters(text: string): string {
  const lower = text.toLowerCase();
  return (lower.length === text.length ? lower : text)
    .replace(/[‐-―−]/g, "-")
    .replace(/[‘’‛`´]/g, "'")
    .replace(/[“”„«»]/g, '"')
    .replace(/\s/g, " ");
}

/** Folds also Markdown emphasis and spacing, for comparing phrases. */
export function foldPhrase(text: string): string {
  return foldCharacters(text)
    .replace(/[*_~`]/g, "")
    .replace(/ +/g, " ")
    .trim();
}

const WORD_CHARACTER = /[\p{L}\p{M}\p{N}_]/u;
/** An abbreviation in capitals, such as "US" or "IT", is not the word in lower case. */
const SHORT_CAPITALS = /^[A-Z]{1,3}$/;

/**
 * Counts a word or phrase. `low` counts it as a separate word only; `high` counts it also within
 * longer words, with emphasis inside, and with other spacing or hyphens.
 */
export function countTerm(text: string, term: string): Occurrences {
  const isExactCase = SHORT_CAPITALS.test(term) && /\p{Ll}/u.test(text);
  const folded = isExactCase ? text : foldCharacters(text);
  const needle = isExactCase ? term : foldCharacters(term).trim();
  if (needle === "") return { low: 0, high: 0, passages: [] };
  const passages: Occurrences["passages"] = [];
  let low = 0;
  for (const from of listOccurrences(folded, needle)) {
    const to = from + needle.length;
    if (!isSeparate(folded, from, to)) continue;
    low += 1;
    if (passages.length < 10) passages.push({ from, to });
  }
  const loose = (value: string) => foldPhrase(value).replace(/[- ]+/g, " ");
  const joined = (value: string) => loose(value).replaceAll(" ", "");
  const high = Math.max(
    countIn(loose(text), loose(term)),
    // "well being" and "wellbeing" are two spellings of one word.
    /[- ]/.test(needle) ? countIn(joined(text), joined(term)) : 0,
  );
  return { low, high: Math.max(low, high), passages };
}

/** Returns whether a word or phrase occurs anywhere, even within a longer word. */
export const containsTerm = (text: string, term: string) => countTerm(text, term).high > 0;

const countIn = (text: string, needle: string) =>
  needle === "" ? 0 : [...listOccurrences(text, needle)].length;

function* listOccurrences(text: string, needle: string): Generator<number> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + needle.length))
    yield at;
}

/** Returns whether no letter, digit, hyphen or apostrophe with a letter adjoins the passage. */
function isSeparate(text: string, from: number, to: number): boolean {
  const first = text[from] ?? "";
  const last = text[to - 1] ?? "";
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
  if (isUnspaced.test(first)) return true;
  const before = text.slice(Math.max(0, from - 2), from);
  const after = text.slice(to, to + 2);
  const adjoins = (side: string, isBefore: boolean) => {
    const near = (isBefore ? side.at(-1) : side[0]) ?? "";
    const far = (isBefore ? side.at(-2) : side[1]) ?? "";
    return WORD_CHARACTER.test(near) || (/[-']/.test(near) && WORD_CHARACTER.test(far));
  };
  return (
    !(WORD_CHARACTER.test(first) && adjoins(before, true)) &&
    !(WORD_CHARACTER.test(last) && adjoins(after, false))
  );
}

const MIN_REPEATED_CHARACTERS = 25;

/**
 * Returns where the answer begins if the deliverable first repeats the task, else 0. What a
 * repetition contains was not the contractor's choice.
 */
export function findAnswerStart(task: string, text: string): number {
  const isCounted = (character: string) => WORD_CHARACTER.test(character);
  let matched = 0;
  let end = 0;
  let inTask = 0;
  let inText = 0;
  while (inTask < task.length && inText < text.length) {
    const expected = task[inTask] ?? "";
    const found = text[inText] ?? "";
    if (!isCounted(expected)) inTask += 1;
    else if (!isCounted(found)) inText += 1;
    else if (expected.toLowerCase() === found.toLowerCase()) {
      inTask += 1;
      inText += 1;
      matched += 1;
      end = inText;
    } else break;
  }
  return matched >= MIN_REPEATED_CHARACTERS ? end : 0;
}

const PART =
  "(?:titles?|headings?|headlines?|subject(?: line)?|captions?|footer|header|intro(?:duction)?|conclusion|signature|(?:first|second|third|last|opening|closing|next) (?:[a-z]+ )?(?:paragraph|sentence|line|section|stanza|part|word|verse)s?|paragraphs?|sections?|stanzas?|bullets?|bullet points?|items?|columns?|fields?|cells?|names?|usernames?|passwords?|keys?|ids?|numbers?|file ?names?|urls?|table)";
/** A part after a preposition, in a label, or as the subject of the clause. */
const SCOPE = new RegExp(
  `\\b(?:in|within|for|of|at|on|inside|after|before|between|to) (?:the |your |its |any |all |both |these )*(?:[a-z]+ )?${PART}\\b|^(?:the |your |its )*(?:[a-z]+ )?${PART}\\b(?: must| should| may| can|:| has| have| need)|\\b(?:each|every|per) `,
  "i",
);
const LABEL = new RegExp(`^(?:the |your )?(?:[a-z]+ )?${PART}[^:.]{0,20}:`, "i");

/** Returns whether the text before a demand limits it to a part of the deliverable. */
export const isLimitedToPart = (before: string, statement: string): boolean =>
  SCOPE.test(before) || LABEL.test(statement);

/** Phrases with a negation that still demand what follows. */
export const NOT_NEGATIVE =
  /\b(?:do not|don['’]?t|never) (?:forget|fail|hesitate|neglect|omit)\b|\bwithout fail\b|\bnot only\b|\bno (?:more|fewer|less|later|longer) than\b|\bnot (?:more|fewer|less) than\b|\bno matter\b|\bif not\b|\bnot limited to\b/gi;

const WORK =
  "(?:responses?|answers?|reply|replies|output|texts?|essay|poem|story|e-?mail|letter|article|post|message|tweet|summary|song|rap|speech|riddle|haiku|limerick|report|review|description|piece|writing|memo|script|joke|paragraphs?|dialogue|documents?|content|rewrite|translation|ad|advert|advertisement|pitch|resume|proposal|itinerary|blurb|copy|caption|note|lyrics|narrative|tale|scene|toast|announcement|statement|conclusion|introduction|intro|template|list|guide|brief|blog|abstract|outline|section|slogan|tagline|bio|biography|monologue|verse|stanza|thing|deliverable|explanation|analysis|result|version|invitation|plan|recipe|quiz|questions?|chapter|page|brochure|newsletter|couplet|sonnet|eulogy|poster|flyer|dialog|conversation|sentences?|work|submission|draft|words?|phrases?|terms?|keywords?|following|it|you|they|these|those|all|each|both)";
const SUBJECT =
  /\b(?:the|an?|each|every|this|our|my|its|their|your) (?:[a-z-]+ ){0,2}?(?<noun>[a-z-]+) (?:must|should|shall|has to|needs? to|have to|may|can)(?: also| explicitly| always| never| not)*\s*$/i;
const IS_WORK = new RegExp(`^${WORK}$`, "i");

/** Returns whether the demand has a subject other than the deliverable: "the button must …". */
export function hasOtherSubject(before: string): boolean {
  const noun = SUBJECT.exec(before)?.groups?.noun;
  return noun !== undefined && !IS_WORK.test(noun);
}

/** Returns whether the demand has a subject other than the whole deliverable. */
export function hasPartAsSubject(before: string): boolean {
  const noun = SUBJECT.exec(before)?.groups?.noun;
  return noun !== undefined && !isAboutWork(noun);
}

/** Returns whether a sentence is a question that requests nothing. */
export const isMereQuestion = (statement: string): boolean =>
  /\?\s*$/.test(statement) &&
  !/^(?:please )?(?:answer|respond|reply|explain|describe|say|tell|use)\b/i.test(statement) &&
  (!/\b(?:can|could|would|will) (?:you|i|we)\b|please/i.test(statement) ||
    /^(?:how|what|why|when|where|which|who|whose)\b/i.test(statement));

const WHOLE_WORK = new RegExp(
  `\\b(?!(?:words?|phrases?|terms?|keywords?|following|list|sections?|sentences?|paragraphs?|scene|verse|stanza|chapter|page|note|questions?|you|they|these|those|all|each|both)\\b)${WORK}(?:,? (?:that|which))?,?\\s*$`,
  "i",
);

/** Returns whether a verb such as "begins" or "ending" after this text refers to the whole work. */
export const isAboutWork = (before: string): boolean => WHOLE_WORK.test(before);
