const NAMES: Record<string, string> = {
  "code-review": "code review",
  "data-analysis": "data analysis",
  infra: "infrastructure",
  ops: "operations",
};

/** Names a category within a sentence: `code review`. */
export const nameCategory = (category: string): string => NAMES[category] ?? category;

/** Names a category where a text begins: `Code review`. */
export function labelCategory(category: string): string {
  const name = nameCategory(category);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
