import type { Category, Verdict } from "@/server/lib/schema";

/** One labelled case and what a judge said of it. */
export interface Judged {
  id: string;
  category: Category;
  /** Whether the deliverable does what the task asks. */
  label: Verdict;
  /** Null where the judge gave none, tries included: no verdict is no wrong verdict. */
  verdict: Verdict | null;
  /** That the verdict is right, 0 to 1, as the judge says. */
  confidence: number;
}

/** A case with a verdict. */
export type Decided = Judged & { verdict: Verdict };

export function decidedOf(judged: readonly Judged[]): Decided[] {
  return judged.filter((one): one is Decided => one.verdict !== null);
}

export const isRight = ({ label, verdict }: Pick<Judged, "label" | "verdict">): boolean =>
  label === verdict;
