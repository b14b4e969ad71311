import { normaliseWithinLimit } from "@/server/judging/canonicalise";
import { extractProse, splitSentences } from "@/server/judging/checks/text/sentences";
import type { Criterion } from "@/server/judging/schema";
import { MIN_QUOTE_LENGTH } from "./prompts/vote-prompt";

/** A quotation with at most this many words in addition to a claim or an echo proves nothing. */
const FEW_WORDS = 5;
/** Minimum length of each further fragment of a quotation with ellipses. */
const MIN_FRAGMENT_LENGTH = 4;
const MAX_FRAGMENTS = 10;

const SUBJECT =
  "(?:(?:all|every|each|any)\\b.{0,30}\\b)?(?:everything|task|work|job|assignment|deliverable|request|order|criteri(?:on|a)|requirements?|instructions?)";
const FULFILLED =
  "(?:met|satisfied|fulfil?led|completed?|done|finished|delivered|addressed|accomplished|correct|passed)";
/** Matches a claim that the work is good. */
export const CLAIM = new RegExp(
  `\\b${SUBJECT}\\b.{0,50}\\b${FULFILLED}\\b|\\b(?:meets|satisfies|fulfil?s|addresses|complies with|conforms to)\\b.{0,30}\\b(?:criteri|requirement|instruction|task|request)`,
  "i",
);

/** Matches an instruction of the task, which no work repeats by chance. */
const INSTRUCTION =
  /^(?:please |kindly )?(?:write|name|list|give|summari[sz]e|describe|explain|create|compare|review|analy[sz]e|find|calculate|compute|draft|prepare|propose|provide|state|identify|translate|design|build|implement|fix|check|report|show|make|produce|set up|configure|research|recommend|evaluate|deliver)\b/;

/** Checks quotations against one deliverable. */
export interface QuoteCheck {
  /** Returns whether the quotation occurs in the shown text and is long enough not to be chance. */
  occurs(quote: string): boolean;
  /** Returns whether it also proves something: it is not just a claim or an echo. */
  proves(quote: string, criterion: Pick<Criterion, "text">): boolean;
}

/** Texts prepared for checking quotations. */
export interface QuoteTexts {
  shown: string;
  whole: string;
  /** Lines of the shown text that occur once, without list marks. */
  lines: ReadonlySet<string>;
  /** Minimum length of a quotation, in characters, unless it is one of `lines`. */
  minLength: number;
  /** Instructions of the task, which a quotation must not merely repeat. */
  instructions: string[];
}

/**
 * Prepares the texts. `shown` is the text that the votes see, `whole` the complete deliverable,
 * which rules out a quotation of an omission mark. Pure; may be slow for long texts.
 */
export function prepareQuoteTexts(task: string, shown: string, whole: string): QuoteTexts {
  const plain = toComparable(whole);
  return {
    shown: shown === whole ? plain : toComparable(shown),
    whole: plain,
    lines: findUniqueLines(shown),
    minLength: Math.min(MIN_QUOTE_LENGTH, plain.length),
    instructions: splitSentences(extractProse(task))
      .map(toBareWords)
      .filter((sentence) => INSTRUCTION.test(sentence) && !isFewWords(sentence)),
  };
}

/**
 * Creates a quotation check. Letters, digits and their order must match; case, white space, Markdown
 * marks, compatibility forms and the typography of quotation marks and dashes need not. Ellipses may
 * join fragments in their order. A whole line that occurs once may be of any length.
 */
export function createQuoteCheck({
  shown,
  whole,
  lines,
  minLength,
  instructions,
}: QuoteTexts): QuoteCheck {
  const isLine = (reading: string) => lines.has(removeBullet(reading));
  const isPassage = (reading: string) =>
    (reading.length >= minLength || isLine(reading)) &&
    shown.includes(reading) &&
    whole.includes(reading);
  const hasFragments = (reading: string) => {
    const fragments = splitFragments(reading);
    const isLongEnough =
      fragments.length > 1 &&
      fragments.length <= MAX_FRAGMENTS &&
      fragments.every((fragment) => fragment.length >= MIN_FRAGMENT_LENGTH || isLine(fragment)) &&
      fragments.some(isPassage);
    return isLongEnough && [shown, whole].every((text) => occurInOrder(fragments, text));
  };
  const find = (quote: string) =>
    listReadings(quote).find((reading) => isPassage(reading) || hasFragments(reading));
  const isProof = (quote: string, criterion: string) =>
    !splitSentences(quote).every(isClaim) &&
    ![criterion, ...instructions].some((source) => isEcho(toBareWords(quote), source));
  return {
    occurs: (quote) => find(quote) !== undefined,
    proves: (quote, criterion) => {
      const found = find(quote);
      return found !== undefined && isProof(found, toBareWords(criterion.text));
    },
  };
}

/** Returns the form in which two quotations of the same passage are equal. */
export function toComparable(text: string): string {
  return (normaliseWithinLimit(text) ?? text)
    .toLowerCase()
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐-―−]/g, "-")
    .replace(/[*_`#>|~]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Returns the quotation as written, without double escaping, and without surrounding punctuation.
 */
function listReadings(quote: string): string[] {
  const plain = toComparable(quote);
  const unframed = plain.replace(/^["'.…\s]+|["'.…\s]+$/g, "");
  return [plain, unescapeQuote(quote), unframed].filter((reading) => reading !== "");
}

function unescapeQuote(quote: string): string {
  try {
    return toComparable(String(JSON.parse(`"${quote.replace(/(?<!\\)"/g, '\\"')}"`)));
  } catch {
    return "";
  }
}

/** Splits at ellipses. NFKC has already turned "…" into three dots. */
function splitFragments(reading: string): string[] {
  return reading
    .split(/\[?(?:\.{3,}|…)\]?/)
    .map((fragment) => fragment.trim())
    .filter((fragment) => fragment !== "");
}

function occurInOrder(fragments: readonly string[], text: string): boolean {
  let at = 0;
  return fragments.every((fragment) => {
    const found = text.indexOf(fragment, at);
    at = found + fragment.length;
    return found >= 0;
  });
}

function findUniqueLines(text: string): Set<string> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    const comparable = removeBullet(toComparable(line));
    if (/[\p{L}\p{N}]/u.test(comparable)) {
      counts.set(comparable, (counts.get(comparable) ?? 0) + 1);
    }
  }
  return new Set([...counts].filter(([, count]) => count === 1).map(([line]) => line));
}

const removeBullet = (line: string) => line.replace(/^(?:[-+•]|\d{1,3}[.)]) /, "");

function isClaim(sentence: string): boolean {
  if (/\d/.test(sentence) || !CLAIM.test(sentence)) return false;
  return isFewWords(toBareWords(sentence.replace(CLAIM, " ")));
}

function isEcho(quote: string, source: string): boolean {
  return source !== "" && quote.includes(source) && isFewWords(quote.replace(source, " "));
}

const isFewWords = (text: string) => text.split(" ").filter(Boolean).length <= FEW_WORDS;

/** Returns letters and digits in lower case, with words separated by one space. */
function toBareWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
