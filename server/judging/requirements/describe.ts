import { describeBounds } from "@/server/judging/checks/text/bounds";
import type { Range, Requirement, RequirementName, RequirementOf } from "./schema";

/** Describes a requirement in public, such as "At most 200 words". Quotes no parameter that is text. */
export function describeRequirement(requirement: Requirement): string {
  const describe = DESCRIPTIONS[requirement.check] as (one: Requirement) => string;
  return describe(requirement);
}

const describeRange = ({ min, max }: Range, singular: string, plural?: string) =>
  describeBounds({ min: min ?? null, max: max ?? null }, singular, plural);

const count = (amount: number, singular: string) =>
  `${amount} ${singular}${amount === 1 ? "" : "s"}`;

const LANGUAGES = { javascript: "JavaScript", typescript: "TypeScript", python: "Python" } as const;

const languageNames = new Intl.DisplayNames(["en"], { type: "language" });

const describeColumns = (columns: readonly string[] | undefined) =>
  columns ? [`${count(columns.length, "agreed column")}`] : [];

const describeTolerance = (tolerance: number | undefined) =>
  tolerance ? `, give or take ${tolerance}` : "";

const DESCRIPTIONS: { [Name in RequirementName]: (requirement: RequirementOf<Name>) => string } = {
  "word-count": (range) => describeRange(range, "word"),
  "character-count": (range) => describeRange(range, "character"),
  "sentence-count": (range) => describeRange(range, "sentence"),
  "paragraph-count": (range) => describeRange(range, "paragraph"),
  "list-item-count": (range) => describeRange(range, "list item"),

  contains: ({ phrases }) =>
    phrases.length === 1
      ? "Contains the agreed phrase"
      : `Contains ${phrases.length} agreed phrases`,
  excludes: ({ phrases }) =>
    phrases.length === 1
      ? "Doesn't contain the agreed phrase"
      : `Contains none of ${phrases.length} agreed phrases`,
  "starts-with": () => "Starts with the agreed text",
  "ends-with": () => "Ends with the agreed text",
  // Subtags after the language could spell a text.
  language: ({ tag }) => `Written in ${languageNames.of(tag.split("-", 1)[0] ?? tag)}`,
  "letter-case": (requirement) => `All letters in ${requirement.case} case`,
  matches: ({ min, max }) =>
    min === undefined && max === undefined
      ? "Matches the agreed pattern"
      : `${describeRange({ min, max }, "match", "matches")} of the agreed pattern`,

  json: ({ schema }) => (schema ? "Valid JSON that matches the agreed schema" : "Valid JSON"),
  "json-lines": () => "Valid JSON Lines",
  csv: ({ columns, minRows }) => {
    const rows = minRows === undefined ? [] : [`at least ${count(minRows, "row")}`];
    const parts = [...describeColumns(columns), ...rows];
    return `Valid CSV${parts.length > 0 ? ` with ${parts.join(" and ")}` : ""}`;
  },
  yaml: () => "Valid YAML",
  xml: () => "Well-formed XML",
  html: () => "HTML without unclosed elements",
  "markdown-table": ({ columns }) =>
    ["Has a Markdown table", ...describeColumns(columns)].join(" with "),
  sections: ({ titles }) =>
    titles.length === 1
      ? "Has a section with the agreed title"
      : `Has ${titles.length} sections with the agreed titles, in order`,
  "code-block": () => "Has a code block in the agreed language",

  value: ({ at, tolerance }) =>
    `${typeof at === "string" ? "A value" : "A table cell"} is as agreed${describeTolerance(tolerance)}`,
  sum: ({ tolerance }) => `A column adds up to the agreed cell${describeTolerance(tolerance)}`,

  parses: ({ language }) => `Valid ${LANGUAGES[language]}`,
  examples: ({ language, calls }) =>
    `${LANGUAGES[language]} that returns the agreed results for ${count(calls.length, "call")}`,
  tests: ({ language }) => `${LANGUAGES[language]} that passes the agreed tests`,

  "links-respond": ({ min }) => `${describeRange({ min }, "link")}, and every link responds`,
  "quotes-found": () => "Every quotation is on the page that it cites",

  sha256: () => "Has the agreed SHA-256 hash",
  "media-type": () => "Has the agreed media type",
  "max-bytes": ({ bytes }) => describeRange({ max: bytes }, "byte"),
};
