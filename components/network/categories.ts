import { CATEGORIES } from "@/server/lib/schema";
import type { FilterChoice } from "./filter-menu";

/** Narrows a list to one category. */
export const CATEGORY_CHOICE: FilterChoice = {
  name: "category",
  label: "Category",
  options: [[undefined, "All categories"], ...CATEGORIES.map((name) => [name, name] as const)],
};
