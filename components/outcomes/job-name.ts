import { capitalizeFirst } from "@/components/ui/format";

const CATEGORY_WORDS: Record<string, string> = {
  "code-review": "code review",
  "data-analysis": "data analysis",
  infra: "infrastructure",
  ops: "operations",
};

/** Names a job without a title within a sentence, by its category: `code review job`. */
export const nameJob = (category: string) => `${CATEGORY_WORDS[category] ?? category} job`;

/** Names a job without a title in a list: `Code review job`. */
export const nameListedJob = (category: string) => capitalizeFirst(nameJob(category));
