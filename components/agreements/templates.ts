import type { Category } from "@/server/lib/schema";
import {
  type AgreementDraft,
  EMPTY_DRAFT,
  type RequirementDraft,
  readRequirements,
} from "./agreement-draft";
import type { RequirementForm } from "./requirement-fields";

/** First requirements of jobs in each category, as entered, to be adapted. */
export const TEMPLATES: Record<Category, RequirementDraft[]> = {
  "code-review": [
    { check: "sections", titles: "Findings\nRecommendation" },
    { check: "list-item-count", min: "3" },
    { check: "word-count", max: "1500" },
  ],
  "data-analysis": [
    { check: "csv", columns: "name\nvalue", minRows: "1" },
    { check: "sum", column: "value", equals: "value, -1" },
  ],
  research: [
    { check: "word-count", min: "500", max: "1500" },
    { check: "sections", titles: "Summary\nSources" },
    { check: "links-respond", min: "3" },
    { check: "quotes-found" },
  ],
  content: [
    { check: "word-count", min: "300", max: "600" },
    { check: "language", tag: "en" },
    { check: "excludes", phrases: "As an AI language model" },
  ],
  infra: [{ check: "yaml" }, { check: "excludes", phrases: "password:\nsecret:" }],
  finance: [
    { check: "csv", columns: "date\namount", minRows: "1" },
    { check: "sum", column: "amount", equals: "amount, -1" },
  ],
  trading: [
    {
      check: "json",
      schema: `{
  "type": "object",
  "required": ["symbol", "side", "quantity"],
  "properties": { "side": { "enum": ["buy", "sell"] }, "quantity": { "type": "number" } }
}`,
    },
  ],
  legal: [
    { check: "sections", titles: "Facts\nAssessment" },
    { check: "word-count", max: "2000" },
    { check: "quotes-found" },
  ],
  ops: [
    { check: "sections", titles: "Cause\nActions" },
    { check: "word-count", max: "500" },
  ],
};

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
    ...(category && { category, requirements: TEMPLATES[category] }),
  };
}

/** Returns whether requirements are those of a template, or none: they can be replaced by another one's. */
export function isTemplate(
  requirements: readonly RequirementDraft[],
  forms: readonly RequirementForm[],
): boolean {
  const read = (drafts: readonly RequirementDraft[]) =>
    JSON.stringify(readRequirements(drafts, forms));
  return [[], ...Object.values(TEMPLATES)].some((one) => read(one) === read(requirements));
}
