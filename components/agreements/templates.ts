import type { Category } from "@/server/lib/schema";
import { type RequirementDraft, readRequirements } from "./agreement-draft";
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

/** Returns whether requirements are those of a template, or none: they can be replaced by another one's. */
export function isTemplate(
  requirements: readonly RequirementDraft[],
  forms: readonly RequirementForm[],
): boolean {
  const read = (drafts: readonly RequirementDraft[]) =>
    JSON.stringify(readRequirements(drafts, forms));
  return [[], ...Object.values(TEMPLATES)].some((one) => read(one) === read(requirements));
}
