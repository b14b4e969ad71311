const CATEGORY_WORDS: Record<string, string> = {
  "code-review": "code review",
  "data-analysis": "data analysis",
  infra: "infrastructure",
  ops: "operations",
};

/** Names a job without a title within a sentence, by its category: `code review job`. */
export const nameJob = (category: string) => `${CATEGORY_WORDS[category] ?? category} job`;

/** Names a job without a title in a list: `Code review job`. */
export function nameListedJob(category: string): string {
  const name = nameJob(category);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
