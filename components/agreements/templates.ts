import type { Requirement } from "@/server/judging/requirements/schema";
import type { Category } from "@/server/lib/schema";

/** First requirements of jobs in each category, to be adapted. */
export const TEMPLATES: Record<Category, Requirement[]> = {
  "code-review": [
    { check: "sections", titles: ["Findings", "Recommendation"] },
    { check: "list-item-count", min: 3 },
    { check: "word-count", max: 1_500 },
  ],
  "data-analysis": [
    { check: "csv", columns: ["name", "value"], minRows: 1 },
    { check: "sum", column: "value", equals: { column: "value", row: -1 } },
  ],
  research: [
    { check: "word-count", min: 500, max: 1_500 },
    { check: "sections", titles: ["Summary", "Sources"] },
    { check: "links-respond", min: 3 },
    { check: "quotes-found" },
  ],
  content: [
    { check: "word-count", min: 300, max: 600 },
    { check: "language", tag: "en" },
    { check: "excludes", phrases: ["As an AI language model"] },
  ],
  infra: [{ check: "yaml" }, { check: "excludes", phrases: ["password:", "secret:"] }],
  finance: [
    { check: "csv", columns: ["date", "amount"], minRows: 1 },
    { check: "sum", column: "amount", equals: { column: "amount", row: -1 } },
  ],
  trading: [
    {
      check: "json",
      schema: {
        type: "object",
        required: ["symbol", "side", "quantity"],
        properties: { side: { enum: ["buy", "sell"] }, quantity: { type: "number" } },
      },
    },
  ],
  legal: [
    { check: "sections", titles: ["Facts", "Assessment"] },
    { check: "word-count", max: 2_000 },
    { check: "quotes-found" },
  ],
  ops: [
    { check: "sections", titles: ["Cause", "Actions"] },
    { check: "word-count", max: 500 },
  ],
};
