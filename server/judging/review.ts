import type { Verdict } from "@/server/lib/schema";
import type { Finding, JudgeInput, Judgement, JudgeOptions } from "./judge";
import type { Criterion } from "./schema";

/** One party's side of a dispute. Both texts are the party's own, and untrusted. */
export interface Brief {
  statement: string | null;
  /** Text of the fetched document; null if there is none or it could not be read. */
  evidence: string | null;
}

/** A judged case with both parties' briefs. */
export interface ReviewInput extends JudgeInput {
  recorded: { verdict: Verdict; rubric: Criterion[] | null; findings: Finding[] };
  /**
   * Whether the contractor supplied this deliverable in the dispute. The recorded verdict and its
   * findings then refer to a different one, submitted by the requester.
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
  /** Everything stored about the review, for audit. */
  detail: Record<string, unknown>;
}

/**
 * Reviews a disputed verdict independently of the first judgement: a blind pass with the evidence,
 * then both briefs in both orders. Only findings shared by every pass overturn it. Throws
 * `JudgeUnavailable` if the reviewer itself fails.
 */
export interface Reviewer {
  review(input: ReviewInput, options?: JudgeOptions): Promise<Review>;
}
