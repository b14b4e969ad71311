import { labelCategory, nameCategory } from "@/server/lib/category-name";

/** Names a job without a title within a sentence, by its category: `code review job`. */
export const nameJob = (category: string) => `${nameCategory(category)} job`;

/** Names a job without a title in a list: `Code review job`. */
export const nameListedJob = (category: string) => `${labelCategory(category)} job`;
