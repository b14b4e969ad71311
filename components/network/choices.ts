import { labelCategory } from "@/server/lib/category-name";
import { CATEGORIES } from "@/server/lib/schema";
import type { FilterChoice } from "./filter-menu";

/** Returns a menu; `any` removes its filter, and `options` are labels by value. */
export const createChoice = (
  name: string,
  label: string,
  any: string,
  options: Record<string, string>,
): FilterChoice => ({ name, label, options: [[undefined, any], ...Object.entries(options)] });

/** Returns a filter that is on or off. */
export const createSwitch = (name: string, value: string, label: string): FilterChoice => ({
  name,
  label,
  options: [[value, label]],
});

export const VALUE_CHOICE = { name: "valueUsdc", label: "Job value", options: [], unit: "USDC" };
export const CATEGORY_CHOICE = createChoice(
  "category",
  "Category",
  "All categories",
  Object.fromEntries(CATEGORIES.map((name) => [name, labelCategory(name)])),
);
export const BACKING_CHOICE = createChoice("backing", "Evidence", "Any evidence", {
  anchored: "Known client",
  paid: "Paid",
  claimed: "Unconfirmed",
});
