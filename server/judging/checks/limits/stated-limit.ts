import { isDeepStrictEqual } from "node:util";
import type { CheckInput, CheckResult, TextCheck } from "@/server/judging/checks/check";
import { describeBounds } from "@/server/judging/checks/text/bounds";
import { COUNTED, countUnits } from "./counts";
import { containsPhrase, countSeparate, endsWithPhrase, omitRepeatedTask } from "./phrases";
import { type CountLimit, readCounts } from "./read-counts";
import { type PhraseLimit, readPhrases } from "./read-phrases";
import { readStatements } from "./statements";

/** A limit of the whole deliverable. */
type Limit = CountLimit | PhraseLimit;

const isCountLimit = (limit: Limit): limit is CountLimit => "min" in limit;

const toPlural = (kind: CountLimit["kind"]) => kind.replace("-", " ");

/**
 * Checks the limits of a task whose statement leaves one reading: a plain imperative about the whole
 * deliverable. Whatever depends on the way of counting is not applicable.
 */
export const STATED_LIMIT: TextCheck<Limit> = {
  name: "stated-limit",
  extract: (task) =>
    findLimits(task).map(({ limit, statement }) => ({
      check: "stated-limit",
      parameters: limit,
      statement,
    })),
  describe: describeLimit,
  run: checkLimit,
};

interface FoundLimit {
  limit: Limit;
  /** The sentence that states it. */
  statement: string;
}

/** More than an honest task states; each takes time of its own. */
const MAX_LIMITS = 15;

/** Finds the first limits of a task, each once; none of a kind that may occur once if two statements concern it. */
export function findLimits(task: string): FoundLimit[] {
  const statements = readStatements(task);
  const { sentences, unmask } = statements;
  const found = sentences.flatMap((sentence): FoundLimit[] => {
    const counts = readCounts(sentence, statements);
    const statement = unmask(sentence);
    return [...counts, ...readPhrases(sentence, unmask)].map((limit) => ({ limit, statement }));
  });
  const isRepeatable = ({ kind }: Limit) => kind === "includes" || kind === "excludes";
  return found
    .filter(
      ({ limit }, index) =>
        found.findIndex((other) => isDeepStrictEqual(other.limit, limit)) === index &&
        (isRepeatable(limit) ||
          found.filter((other) => other.limit.kind === limit.kind).length === 1),
    )
    .slice(0, MAX_LIMITS);
}

function describeLimit(limit: Limit): string {
  if (isCountLimit(limit)) {
    const bounds = describeBounds(limit, toPlural(limit.kind).slice(0, -1));
    return `The task demands ${bounds.charAt(0).toLowerCase()}${bounds.slice(1)}`;
  }
  if (limit.kind === "ends-with") return "The task demands a given phrase at the end";
  const { length } = limit.phrases;
  const verb = limit.kind === "includes" ? "demands" : "forbids";
  return `The task ${verb} ${length === 1 ? "a given phrase" : `${length} given phrases`}`;
}

function checkLimit({ task, text }: CheckInput, limit: Limit): CheckResult {
  if (isCountLimit(limit)) return compareCounts(text, limit);
  if (limit.kind === "ends-with") return compareEnd(text, limit.phrases[0]);
  const isIncluded = limit.kind === "includes";
  const own = isIncluded ? text : omitRepeatedTask(task, text);
  const counts = limit.phrases.map((phrase) => ({ phrase, count: countSeparate(own, phrase) }));
  const hasNone = limit.phrases.some((phrase) => !containsPhrase(text, phrase));
  const hasAny = limit.phrases.some((phrase) => containsPhrase(text, phrase));
  const found = counts.filter(({ count }) => count > 0).length;
  const isFailed = isIncluded ? hasNone : found > 0;
  const isMet = isIncluded ? found === counts.length : !hasAny;
  return {
    outcome: isFailed ? "fail" : isMet ? "pass" : "not-applicable",
    observed:
      isFailed || isMet
        ? describeFound(found, counts.length)
        : "a phrase occurs within longer words, in another spelling or as a quotation",
    detail: counts.map(({ phrase, count }) => `${JSON.stringify(phrase)}: ${count}`).join(", "),
  };
}

function describeFound(found: number, all: number): string {
  if (all > 1) return `${found} of ${all} phrases occur`;
  return found === 1 ? "the phrase occurs" : "the phrase doesn't occur";
}

function compareEnd(text: string, phrase: string): CheckResult {
  const isMet = endsWithPhrase(text, phrase);
  const detail = `the phrase: ${JSON.stringify(phrase)}; the end: ${JSON.stringify(text.trim().slice(-phrase.length - 20))}`;
  if (isMet === null) {
    return { outcome: "not-applicable", observed: "only an earlier line ends with it", detail };
  }
  return isMet
    ? { outcome: "pass", observed: "ends with it", detail }
    : { outcome: "fail", observed: "ends otherwise", detail };
}

/** Fails if every sensible way of counting misses the limit, passes if every one meets it. */
function compareCounts(text: string, { kind, min, max }: CountLimit): CheckResult {
  const counted = countUnits(kind, text);
  const noun = toPlural(kind);
  if (!counted) return { outcome: "not-applicable", observed: `${noun} cannot be counted` };
  const { count, ranges } = counted;
  const least = min ?? 0;
  const most = max ?? Number.POSITIVE_INFINITY;
  const all = [...ranges, { low: count, high: count }];
  const isFailed = !ranges.some(({ low, high }) => high >= least && low <= most);
  const isMet = all.every(({ low, high }) => low >= least && high <= most);
  const observed = `${noun}: ${count}`;
  const detail = COUNTED[kind];
  return isFailed || isMet
    ? { outcome: isFailed ? "fail" : "pass", observed, detail }
    : { outcome: "not-applicable", observed: `${observed}; other ways of counting differ`, detail };
}
