import type { Category, Verdict } from "@/server/lib/schema";

/** One labelled case with a judge's verdict. */
export interface Judged {
  id: string;
  category: Category;
  /** Whether the deliverable does what the task asks. */
  label: Verdict;
  /** Null if every try failed; that does not count as a wrong verdict. */
  verdict: Verdict | null;
  /** The judge's probability that its verdict is right, 0 to 1. */
  confidence: number;
}

/** A case with a verdict. */
export type Decided = Judged & { verdict: Verdict };

export function decidedOf(judged: readonly Judged[]): Decided[] {
  return judged.filter((one): one is Decided => one.verdict !== null);
}

export const isRight = ({ label, verdict }: Pick<Judged, "label" | "verdict">): boolean =>
  label === verdict;
