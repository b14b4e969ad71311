import type { Category } from "./schema";

/** Names of the categories within a sentence. */
export const CATEGORY_NAMES: Record<Category, string> = {
  "code-review": "code review",
  "data-analysis": "data analysis",
  research: "research",
  content: "content",
  infra: "infrastructure",
  finance: "finance",
  trading: "trading",
  legal: "legal",
  ops: "operations",
};

/** Names a category within a sentence: `code review`. */
export const nameCategory = (category: string): string =>
  CATEGORY_NAMES[category as Category] ?? category;

/** Names a category where a text begins: `Code review`. */
export function labelCategory(category: string): string {
  const name = nameCategory(category);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
