import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { Demand, Met, StoredExamination } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { type Calibration, getConfidencePpm } from "./calibration";

/** Maximum confidence of a verdict that an examination contradicts. */
const CONTRADICTED_PPM = 600_000;
/** Maximum confidence of a verdict that one model alone gave: whatever deceives it decides. */
const SINGLE_MODEL_PPM = 750_000;

/** What decides: an examination without an answer has no verdict and no demands. */
export type Examined = Pick<StoredExamination, "outcome" | "verdict" | "confidence" | "demands"> & {
  call: Pick<StoredExamination["call"], "requestedModel">;
};

export interface Decision {
  verdict: Verdict;
  confidencePpm: number;
  /** Mean of the stated confidences, from 0.5 to 1; absent if nothing has weight. */
  stated?: number;
}

const UNDECIDED: Decision = { verdict: "FAILURE", confidencePpm: UNDECIDED_PPM };

/**
 * Returns what one examination says. Of signed criteria, all met is a `SUCCESS` and one `no` a
 * `FAILURE`; null if it did not answer or an unclear criterion keeps it from either.
 */
export function getVerdict({ outcome, verdict, demands }: Examined): Verdict | null {
  if (outcome !== "answer") return null;
  return verdict ?? deriveVerdict(demands.map(({ met }) => met));
}

function deriveVerdict(met: readonly Met[]): Verdict | null {
  if (met.includes("no")) return "FAILURE";
  return met.includes("unclear") ? null : "SUCCESS";
}

/** Returns whether the first two examinations decide. Otherwise a third one is needed. */
export function agree(first: Examined, second: Examined): boolean {
  if (first.outcome !== "answer" || second.outcome !== "answer") return false;
  if (first.verdict !== null) return first.verdict === second.verdict;
  return first.demands.every(({ met }, index) => met === second.demands[index]?.met);
}

/**
 * Derives verdict and confidence from two examinations that agree, or from three. `hasTwoModels`:
 * whether two are configured; a `SUCCESS` then needs that of both to have weight. Without a majority the
 * work is not assessed: a `FAILURE` at 0.5.
 */
export function decide(
  examined: readonly Examined[],
  { hasTwoModels }: { hasTwoModels: boolean },
  calibration: Calibration,
): Decision {
  const verdict = combine(examined);
  if (verdict === null) return UNDECIDED;
  const agreeing = examined.filter((each) => getVerdict(each) === verdict);
  const models = new Set(agreeing.map(({ call }) => call.requestedModel));
  if (verdict === "SUCCESS" && models.size < (hasTwoModels ? 2 : 1)) {
    return { verdict, confidencePpm: UNDECIDED_PPM };
  }
  const confidences = agreeing.flatMap(({ confidence }) => confidence ?? []);
  const stated =
    confidences.reduce((sum, each) => sum + each, 0) / Math.max(1, confidences.length) || 0.5;
  const isContradicted = examined.some((each) => {
    const other = getVerdict(each);
    return other !== null && other !== verdict;
  });
  const most = Math.min(
    isContradicted ? CONTRADICTED_PPM : 1_000_000,
    models.size < 2 ? SINGLE_MODEL_PPM : 1_000_000,
  );
  const confidencePpm = Math.min(most, getConfidencePpm(verdict, stated, calibration));
  return { verdict, confidencePpm, stated };
}

/** Returns the verdict of the majority; of signed criteria, that of the majority on each. */
function combine(examined: readonly Examined[]): Verdict | null {
  const answered = examined.filter(({ outcome }) => outcome === "answer");
  const isAgreed = answered.some(({ verdict }) => verdict === null);
  if (!isAgreed) return findMajority(answered.map(({ verdict }) => verdict));
  const demands = combineDemands(answered);
  return answered.length < 2 ? null : deriveVerdict(demands.map(({ met }) => met));
}

/** Returns the signed criteria with the answer of the majority, in the words of one that gave it. */
export function combineDemands(examined: readonly Examined[]): Demand[] {
  const answered = examined.filter(({ outcome }) => outcome === "answer");
  const [first] = answered;
  return (first?.demands ?? []).map((demand, index) => {
    const answers = answered.flatMap(({ demands }) => demands[index] ?? []);
    const met = findMajority(answers.map((answer) => answer.met));
    return answers.find((answer) => answer.met === met) ?? { ...demand, met: "unclear" };
  });
}

/** Returns the value that at least two share, if there is one. */
function findMajority<T>(values: readonly T[]): T | null {
  return values.find((value, index) => values.indexOf(value) < index) ?? null;
}

/**
 * Decides whether a recorded verdict is overturned: only if every examination contradicts it, on a
 * demand that it names; of signed criteria, all on the same one. `assessed`: every examination results
 * in the final verdict.
 */
export function decideReview(
  recorded: Verdict,
  examined: readonly Examined[],
): { finalVerdict: Verdict; assessed: boolean } {
  const opposite = recorded === "SUCCESS" ? "FAILURE" : "SUCCESS";
  const contrary: Met = opposite === "SUCCESS" ? "yes" : "no";
  const isShared = (index: number) =>
    examined.every(({ verdict, demands }) => verdict !== null || demands[index]?.met === contrary);
  const overturns = examined.every(
    (each) =>
      getVerdict(each) === opposite &&
      each.demands.some(({ met }, index) => met === contrary && isShared(index)),
  );
  const finalVerdict = overturns ? opposite : recorded;
  return { finalVerdict, assessed: examined.every((each) => getVerdict(each) === finalVerdict) };
}
