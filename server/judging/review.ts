import type { Verdict } from "@/server/lib/schema";
import type { Finding, JudgeInput, Judgement, JudgeOptions } from "./judge";
import type { Criterion } from "./schema";

/** One party's side of a dispute. Both texts are its own, and untrusted. */
export interface Brief {
  statement: string | null;
  /** Text of the fetched document; null where there is none or it could not be read. */
  evidence: string | null;
}

/** A judged case with what both sides say of its verdict. */
export interface ReviewInput extends JudgeInput {
  recorded: { verdict: Verdict; rubric: Criterion[] | null; findings: Finding[] };
  /**
   * The deliverable is what the contractor supplied in the dispute. The recorded verdict and its
   * findings are about another one, which the requester had submitted.
   */
  isSupplied?: boolean;
  contractor: Brief | null;
  requester: Brief | null;
}

export interface Review {
  judge: Judgement["judge"];
  /** As in `JudgementDetail.version`. */
  version: string;
  /** The recorded verdict, unless the review overturns it. */
  finalVerdict: Verdict;
  /** Public: quotes nothing from task, deliverable or fetched documents. */
  explanation: string;
  /** Everything that is kept of it, for audit. */
  detail: Record<string, unknown>;
}

/**
 * Reviews a disputed verdict. No continuation of the first judgement: a blind pass with the
 * evidence, then both briefs in both orders; only what every pass finds overturns. Throws
 * `JudgeUnavailable` when it cannot decide by its own fault.
 */
export interface Reviewer {
  review(input: ReviewInput, options?: JudgeOptions): Promise<Review>;
}
