import type { DraftCriterion } from "@/server/judging/panel/prompts/rubric-prompt";
import type { Criterion } from "@/server/judging/schema";
import { computeOverlap, computeSimilarity, isVacuous } from "./criterion-words";

/** Two criteria with at least this overlap demand the same, as far as two drafts agree on it. */
const AGREEMENT = 0.4;
/** Two criteria with at least this similarity are duplicates. */
const DUPLICATION = 0.85;
const MAX_CRITERIA = 9;
const MIN_MUSTS = 2;

/** The second draft, which confirms the musts of the first. */
export type SecondDraft = readonly Pick<DraftCriterion, "text" | "kind">[];

/**
 * Merges two drafts that were written independently, and the category's required criterion.
 * A must that only one draft has becomes a should, unless code decides it; if that leaves fewer than
 * two musts and no code check, the first draft's musts are kept. Removes vacuous and duplicate
 * criteria. `second` is null if there is no second draft.
 */
export function mergeDrafts(
  first: readonly DraftCriterion[],
  second: SecondDraft | null,
  guideMust: DraftCriterion,
): Criterion[] {
  const isMeaningful = (line: Pick<DraftCriterion, "text">) => !isVacuous(line.text);
  const drafted = removeDuplicates(sortMustsFirst(first.filter(isMeaningful)));
  const others = second?.filter(isMeaningful) ?? null;
  const isShared = ({ text }: DraftCriterion) =>
    others === null ||
    others.some((other) => isMust(other) && computeOverlap(other.text, text) >= AGREEMENT);
  const agreed = drafted.map(
    (line): DraftCriterion =>
      isMust(line) && line.proof !== "code" && !isShared(line) ? { ...line, kind: "should" } : line,
  );
  const isDecisive = (lines: readonly DraftCriterion[]) =>
    lines.some((line) => isMust(line) && line.proof === "code") ||
    // The category's must is the other one.
    lines.filter(isMust).length >= MIN_MUSTS - 1;
  const kept = isDecisive(agreed) ? agreed : drafted;
  const further = (others ?? [])
    .filter(({ text }) => !kept.some((line) => computeOverlap(line.text, text) >= AGREEMENT))
    .map(({ text }): DraftCriterion => ({ text, kind: "should", proof: "quote" }));
  const isCovered = kept.some(
    (line) => isMust(line) && computeSimilarity(line.text, guideMust.text) >= DUPLICATION,
  );
  const all = [...kept, ...(isCovered ? [] : [guideMust]), ...removeDuplicates(further)];
  // A long rubric loses only what decides nothing.
  return sortMustsFirst(all)
    .slice(0, MAX_CRITERIA)
    .map((line, index) => ({ id: `c${index + 1}`, ...line }));
}

const isMust = ({ kind }: Pick<DraftCriterion, "kind">) => kind === "must";

const sortMustsFirst = (lines: readonly DraftCriterion[]) => [
  ...lines.filter(isMust),
  ...lines.filter((line) => !isMust(line)),
];

function removeDuplicates(lines: readonly DraftCriterion[]): DraftCriterion[] {
  return lines.filter(
    (line, index) =>
      !lines
        .slice(0, index)
        .some((earlier) => computeSimilarity(earlier.text, line.text) >= DUPLICATION),
  );
}
