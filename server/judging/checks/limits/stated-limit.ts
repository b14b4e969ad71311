import { z } from "zod";
import type { CheckInput, CheckResult, TextCheck } from "@/server/judging/checks/check";
import { describeBounds } from "@/server/judging/checks/text/bounds";
import { remember } from "@/server/judging/checks/text/remember";
import { countUnits } from "./counts";
import { containsPhrase, countSeparate, endsWithPhrase, omitRepeatedTask } from "./phrases";
import { readCounts } from "./read-counts";
import { readPhrases } from "./read-phrases";
import { readStatements } from "./statements";

const bound = z.int().min(0).max(1_000_000).nullable();
const phrases = z.array(z.string().trim().min(1).max(200)).min(1).max(20);
const counted = z.enum(["words", "characters", "sentences", "bullet-points"]);
/** A limit of the whole deliverable. */
const limitSchema = z.union([
  z
    .strictObject({ kind: counted, min: bound, max: bound })
    .refine(
      ({ min, max }) => (min ?? max) !== null && (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY),
    ),
  z.strictObject({ kind: z.enum(["includes", "excludes"]), phrases }),
  z.strictObject({ kind: z.literal("ends-with"), phrases: z.tuple([phrases.element]) }),
]);
type Limit = z.infer<typeof limitSchema>;
type CountLimit = Extract<Limit, { min: number | null }>;

const isCountLimit = (limit: Limit): limit is CountLimit => "min" in limit;

const NOUNS = {
  words: ["word", "words"],
  characters: ["character", "characters"],
  sentences: ["sentence", "sentences"],
  "bullet-points": ["bullet point", "bullet points"],
} satisfies Record<CountLimit["kind"], [string, string]>;

/**
 * Checks the limits of a task whose statement leaves one reading: a plain imperative about the whole
 * deliverable. Fails only if every sensible way of counting misses the limit.
 */
export const STATED_LIMIT: TextCheck<Limit> = {
  name: "stated-limit",
  parameters: limitSchema,
  extract: (task) =>
    findLimits(task).map(({ limit, statement }) => ({
      check: "stated-limit",
      parameters: limit,
      statement,
    })),
  describe: describeLimit,
  forRubric:
    'a limit of the whole work: {"kind": "words" | "characters" | "sentences" | "bullet-points", "min", "max"}, inclusive, null for no limit; or {"kind": "includes" | "excludes", "phrases": [...]}; or {"kind": "ends-with", "phrases": [one]}',
  run: checkLimit,
};

interface FoundLimit {
  limit: Limit;
  /** The sentence that states it. */
  statement: string;
}

/** Finds the limits of a task; none of a kind that two statements concern. */
export const findLimits = remember((task: string): readonly FoundLimit[] => {
  const statements = readStatements(task);
  const { sentences, unmask } = statements;
  const found = sentences.flatMap((sentence): FoundLimit[] => {
    const counts = readCounts(sentence, statements);
    const statement = unmask(sentence);
    return [...counts, ...readPhrases(sentence, unmask)].map((limit) => ({ limit, statement }));
  });
  const isRepeatable = ({ kind }: Limit) => kind === "includes" || kind === "excludes";
  return found.filter(
    ({ limit }) =>
      isRepeatable(limit) || found.filter((other) => other.limit.kind === limit.kind).length === 1,
  );
});

function describeLimit(limit: Limit): string {
  if (isCountLimit(limit)) return describeBounds(limit, ...NOUNS[limit.kind]);
  if (limit.kind === "ends-with") return "Ends with a given phrase";
  const { length } = limit.phrases;
  const verb = limit.kind === "includes" ? "Includes" : "Avoids";
  return length === 1 ? `${verb} a given phrase` : `${verb} ${length} given phrases`;
}

function checkLimit({ task, text }: CheckInput, limit: Limit): CheckResult {
  if (isCountLimit(limit)) return compareCounts(text, limit);
  if (limit.kind === "ends-with") {
    const isMet = endsWithPhrase(text, limit.phrases[0]);
    return {
      outcome: isMet ? "pass" : "fail",
      observed: isMet ? "ends with it" : "ends otherwise",
    };
  }
  const isIncluded = limit.kind === "includes";
  const own = omitRepeatedTask(task, text);
  const found = limit.phrases.filter((phrase) =>
    isIncluded ? containsPhrase(text, phrase) : countSeparate(own, phrase) > 0,
  );
  const wrong = isIncluded ? limit.phrases.filter((phrase) => !found.includes(phrase)) : found;
  return {
    outcome: wrong.length === 0 ? "pass" : "fail",
    observed: `${found.length} of ${limit.phrases.length} found`,
    ...(wrong.length > 0 && {
      detail: `${isIncluded ? "missing" : "found"}: ${wrong.join(", ")}`,
    }),
  };
}

function compareCounts(text: string, { kind, min, max }: CountLimit): CheckResult {
  const counts = countUnits(kind, text);
  const [first] = counts;
  const [singular, plural] = NOUNS[kind];
  if (!first) return { outcome: "not-applicable", observed: `${plural} cannot be counted` };
  const isMet = counts.some(({ low, high }) => high >= (min ?? 0) && low <= (max ?? high));
  const { low, high } = first;
  const amount = low === high ? `${low}` : `${low} to ${high}`;
  return {
    outcome: isMet ? "pass" : "fail",
    observed: `${amount} ${low === 1 && high === 1 ? singular : plural}`,
  };
}
