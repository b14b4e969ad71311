import { hasUnspaced } from "@/server/judging/checks/text/scripts";
import table from "./refusal-phrases.json";

/**
 * How authors of one language say that they did not do the work: patterns of `refusal-phrases.json`, each
 * for a sentence with straight apostrophes and without Markdown, and, in scripts with spaces, from the
 * start of a word on.
 */
interface Phrases {
  /** The author cannot or will not. */
  cannot: string[];
  /** What the author would have to do. Together with `cannot`, it makes a sentence a refusal. */
  work: string[];
  /** A refusal without such a verb: what the author is, may do, lacks, or last learned. */
  excuse: string[];
  /** The material did not arrive, or the work will follow. */
  waiting: string[];
  /** Requests, referrals, offers, politeness and missing information, which add nothing to a refusal. */
  courtesy: string[];
}

/** Parts of English patterns. */
const PARTS: Record<string, string> = {
  "{author}": "(?:i|we|this (?:assistant|model|agent|tool|system)|the (?:assistant|model|agent))",
  "{material}":
    "(?:text|document|passage|article|context|table|report|data|information|question|prompt|input|source|excerpt|extract|filing|statement|file|material|content|dataset|figures|details|snippet|sheet|message)s?",
};
/** A word boundary that, unlike `\b`, knows letters with accents. */
const BOUNDARY = "(?:(?<!\\p{L})(?=\\p{L})|(?<=\\p{L})(?!\\p{L}))";

function compile(sources: readonly string[] = ["(?!)"]): RegExp {
  const source = sources
    .join("|")
    .replaceAll(/\{\w{4,}\}/g, (name) => PARTS[name] ?? name)
    .replaceAll("\\b", BOUNDARY);
  return new RegExp(`${hasUnspaced(source) ? "" : "(?<!\\p{L})"}(?:${source})`, "iu");
}

const PATTERNS = Object.values<Partial<Phrases>>(table).map((language) => ({
  cannot: compile(language.cannot),
  work: compile(language.work),
  excuse: compile(language.excuse),
  waiting: compile(language.waiting),
  courtesy: compile(language.courtesy),
}));

/** Returns whether a sentence is of this kind in any language. */
export const says = (kind: keyof Phrases, sentence: string): boolean =>
  PATTERNS.some((patterns) => patterns[kind].test(sentence));

/** Returns whether the author of a sentence declines the work or reports not having done it. */
export const isRefusal = (sentence: string): boolean =>
  says("excuse", sentence) ||
  PATTERNS.some(({ cannot, work }) => cannot.test(sentence) && work.test(sentence));
