import { deriveFromFacts, UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import type { Criterion, Flag, StoredVote } from "@/server/judging/schema";
import type { Verdict } from "@/server/lib/schema";
import { type Calibration, getConfidencePpm } from "./calibration";
import type { CodeFindings } from "./rubric/code-findings";
import {
  addCodeFindings,
  type CountedVote,
  computeSupport,
  deriveVerdict,
  getVoteFlags,
  isDecidedByMissingAnswers,
  meetsControl,
  type Support,
} from "./tally";

/** Maximum confidence of a verdict on which the rounds of votes disagree. */
const DISAGREEMENT_PPM = 600_000;
/** Maximum confidence of a verdict on which one model alone voted: whatever deceives it decides. */
const SINGLE_MODEL_PPM = 750_000;

export interface Evidence {
  criteria: readonly Criterion[];
  code: Pick<CodeFindings, "decided" | "failures">;
  first: readonly StoredVote[];
  /** Null if there was no reason for a second round. */
  second: readonly StoredVote[] | null;
  /** Raised by the texts. */
  flags: readonly Flag[];
}

export interface Decision {
  verdict: Verdict;
  confidencePpm: number;
  /** Whether votes without an answer decide the verdict. */
  isUndecided: boolean;
  /** Present if the confidence comes from the calibration. */
  support?: Support;
}

/**
 * Derives verdict and confidence. A failed check of a must decides alone. Otherwise the votes do:
 * those of the second round if there is one, so that two honest votes overturn three deceived ones.
 *
 * The confidence is 0.5, which has no weight in a score, if missing answers decide or if nothing but
 * unverified musts speaks for a `FAILURE`. A `SUCCESS` has no weight either if a deciding vote met the
 * control criterion, if all votes of one model refute it, or if a flag was raised, unless the second round is unanimous and free of flags.
 * The confidence is at most 0.6 if the rounds disagree, and at most 0.75 if one model cast all votes.
 */
export function decide(evidence: Evidence, calibration: Calibration): Decision {
  const { criteria, code, first, second, flags } = evidence;
  if (code.failures.length > 0) {
    return { ...deriveFromFacts(code.failures), verdict: "FAILURE", isUndecided: false };
  }
  const derive = (votes: readonly StoredVote[]) =>
    deriveVerdict(criteria, addCodeFindings(votes, code.decided));
  const deciding = second ?? first;
  const counted = addCodeFindings(deciding, code.decided);
  const verdict = derive(deciding);
  const isUndecided = isDecidedByMissingAnswers(criteria, counted);
  const isFlagged = flags.length > 0 || getVoteFlags([...first, ...(second ?? [])]).length > 0;
  const isWithoutWeight =
    isUndecided ||
    (verdict === "FAILURE" && restsOnUnverified(criteria, counted)) ||
    (verdict === "SUCCESS" && deciding.some(meetsControl)) ||
    (verdict === "SUCCESS" && isFlagged && !isCleared(second, derive)) ||
    (verdict === "SUCCESS" && isRefutedByModel(evidence));
  if (isWithoutWeight) return { verdict, confidencePpm: UNDECIDED_PPM, isUndecided };
  const support = computeSupport(criteria, counted, verdict);
  const most = isBySingleModel([...first, ...(second ?? [])]) ? SINGLE_MODEL_PPM : 1_000_000;
  const confidencePpm = Math.min(most, getConfidencePpm(verdict, support, calibration));
  if (second && derive(first) !== verdict) {
    return { verdict, confidencePpm: Math.min(confidencePpm, DISAGREEMENT_PPM), isUndecided };
  }
  return { verdict, confidencePpm, isUndecided, support };
}

function isBySingleModel(votes: readonly StoredVote[]): boolean {
  const answered = votes.filter(({ outcome }) => outcome === "answer");
  return new Set(answered.map(({ call }) => call.requestedModel)).size < 2;
}

/**
 * Returns whether one of the models found in each of its votes that the work fails. So a text has to
 * deceive both models to pass.
 */
function isRefutedByModel({ criteria, code, first, second }: Evidence): boolean {
  const answered = [...first, ...(second ?? [])].filter(({ outcome }) => outcome === "answer");
  const byModel = Map.groupBy(answered, ({ call }) => call.requestedModel);
  return [...byModel.values()].some((votes) =>
    addCodeFindings(votes, code.decided).every((vote) => !restsOnUnverified(criteria, [vote])),
  );
}

/** Returns whether the votes would pass the work if everything unverified were met. */
function restsOnUnverified(criteria: readonly Criterion[], votes: readonly CountedVote[]): boolean {
  const ids = criteria.map(({ id }) => id);
  const verified = votes.map(({ findings }) => ({
    findings: ids.map((id) => {
      const met = findings.find((finding) => finding.id === id)?.met ?? "cannot_verify";
      return { id, met: met === "cannot_verify" ? ("yes" as const) : met };
    }),
  }));
  return deriveVerdict(criteria, verified) === "SUCCESS";
}

/** Returns whether a second round passes the work unanimously and raised no flag. */
function isCleared(
  second: readonly StoredVote[] | null,
  derive: (votes: readonly StoredVote[]) => Verdict,
): boolean {
  const passes = (vote: StoredVote) =>
    vote.outcome === "answer" && !meetsControl(vote) && derive([vote]) === "SUCCESS";
  return second !== null && getVoteFlags(second).length === 0 && second.every(passes);
}
