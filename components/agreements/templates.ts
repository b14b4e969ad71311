import type { Category } from "@/server/lib/schema";
import { type AgreementDraft, EMPTY_DRAFT, type RequirementDraft } from "./agreement-draft";

/** The checks that the form proposes in each category. */
const TEMPLATES: Record<Category, readonly string[]> = {
  "code-review": ["sections", "list-item-count", "word-count"],
  "data-analysis": ["csv", "sum"],
  research: ["word-count", "sections", "links-respond", "quotes-found"],
  content: ["word-count", "language", "excludes"],
  infra: ["yaml", "excludes"],
  finance: ["csv", "sum"],
  trading: ["json"],
  legal: ["sections", "word-count", "quotes-found"],
  ops: ["sections", "word-count"],
};

/** Returns a category's first requirements. Values stay empty: examples would be signed unread. */
export const proposeRequirements = (category: Category): RequirementDraft[] =>
  TEMPLATES[category].map((check) => ({ check }));

/** What a link to the form says about the job. */
export interface Preset {
  contractor?: string | undefined;
  category?: Category | undefined;
  valueUsdc?: number | undefined;
  payment?: AgreementDraft["payment"] | undefined;
}

/** Returns the first draft of an agreement, with the requirements that its category proposes. */
export function createDraft(
  { contractor = "", category, valueUsdc, payment = EMPTY_DRAFT.payment }: Preset,
  hasEscrows: boolean,
): AgreementDraft {
  return {
    ...EMPTY_DRAFT,
    contractor,
    valueUsdc: valueUsdc?.toString() ?? "",
    payment: payment === "escrow" && !hasEscrows ? EMPTY_DRAFT.payment : payment,
    ...(category && { category, requirements: proposeRequirements(category) }),
  };
}

/** Returns whether requirements are those of a template, or none: they can be replaced by another one's. */
export const isTemplate = (requirements: readonly RequirementDraft[]): boolean =>
  requirements.every(({ check: _, ...entered }) => !Object.values(entered).some(Boolean)) &&
  [[], ...Object.values(TEMPLATES)].some(
    (checks) => checks.join() === requirements.map(({ check }) => check).join(),
  );
