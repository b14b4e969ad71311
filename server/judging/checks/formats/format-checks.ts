import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import { excludesOtherText, findDemands } from "./demands";
import {
  findDelimited,
  findJson,
  findMarkdownTables,
  hasTable,
  isCollection,
  readSoleBlock,
  type Separator,
} from "./tables";

const JSON_NAME = "json(?!(?:[- ]?(?:ld|rpc|lines|l|schema|path|p)\\b|l\\b))(?:[- ]formatted)?";

const jsonSchema = z.strictObject({
  /** Whether any text beside the JSON is a failure. */
  only: z.boolean(),
  /** Outermost value; null: any. */
  shape: z.enum(["object", "array"]).nullable(),
});

/** Checks that the deliverable is, or contains, valid JSON. */
export const JSON_FORMAT: TextCheck<z.infer<typeof jsonSchema>> = {
  name: "json",
  parameters: jsonSchema,
  extract: (task) =>
    findDemands(task, JSON_NAME)
      .slice(0, 1)
      .map((demand) => ({
        check: "json",
        parameters: {
          only: excludesOtherText(demand, JSON_NAME),
          shape: readShape(demand.rest),
        },
        statement: demand.statement,
      })),
  describe: ({ only, shape }) =>
    `${only ? "Only" : "Contains"} valid JSON${shape ? `, an ${shape}` : ""}`,
  forRubric:
    '{"only": true if no text beside the JSON is allowed, "shape": "object", "array" or null}: valid JSON',
  run: ({ text }, { only, shape }): CheckResult => {
    const found = findJson(text);
    if (!found) return { outcome: "fail", observed: "no valid JSON", ...locateError(text) };
    if (only && found.place === "part")
      return { outcome: "fail", observed: "text beside the JSON" };
    const { value } = found;
    if (!isCollection(value) && shape !== null)
      return { outcome: "fail", observed: `no JSON ${shape}` };
    // Several objects may be what the task calls an object; several in a row, an array.
    const isMismatch = shape === "array" && found.place !== "part" && !Array.isArray(value);
    return isMismatch
      ? { outcome: "fail", observed: "a JSON object instead of an array" }
      : { outcome: "pass", observed: "valid JSON" };
  },
};

function readShape(rest: string): "object" | "array" | null {
  const word = /^[ "`]*(?:(?:formatted|valid) )?(object|array|list)\b(?!s)/i
    .exec(rest)?.[1]
    ?.toLowerCase();
  return word === "object" ? word : word ? "array" : null;
}

/** Describes where the first candidate stops being JSON. Private, since it quotes the text. */
function locateError(text: string): Pick<CheckResult, "detail"> {
  const start = text.search(/[[{]/);
  if (start < 0) return {};
  try {
    JSON.parse(text.slice(start));
    return {};
  } catch (error) {
    return { detail: String(error).slice(0, 200) };
  }
}

const CSV_NAME =
  "(?:csv|tsv|(?:comma|tab|semicolon|pipe)[- ](?:separated|delimited)(?: values)?)(?! of\\b)";
const SEPARATORS = ["comma", "semicolon", "tab", "pipe"] as const;
const CHARACTERS: Record<(typeof SEPARATORS)[number], Separator> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  pipe: "|",
};

const csvSchema = z.strictObject({
  /** Null: comma, semicolon or tab. */
  separator: z.enum(SEPARATORS).nullable(),
  /** Whether any text beside the rows is a failure. */
  only: z.boolean(),
});

/** Checks that the deliverable is, or contains, rows of delimited values. */
export const CSV_FORMAT: TextCheck<z.infer<typeof csvSchema>> = {
  name: "csv",
  parameters: csvSchema,
  extract: (task) =>
    findDemands(task, CSV_NAME)
      // "A comma-separated list of five fruits" is no table.
      .filter(
        ({ statement }) =>
          !/(?:comma|tab|semicolon|pipe)[- ](?:separated|delimited)(?! (?:values|rows|table|file|records|text|data))/i.test(
            statement,
          ) || /\b(?:csv|tsv)\b/i.test(statement),
      )
      .slice(0, 1)
      .map((demand) => ({
        check: "csv",
        parameters: {
          separator: readSeparator([demand.statement, ...demand.next].join(" ")),
          only: excludesOtherText(demand, CSV_NAME),
        },
        statement: demand.statement,
      })),
  describe: ({ separator, only }) =>
    `${only ? "Only" : "Contains"} ${separator && separator !== "comma" ? `${separator}-separated rows` : "CSV"}`,
  forRubric:
    '{"separator": "comma", "semicolon", "tab", "pipe" or null, "only": true if no text beside the rows is allowed}: CSV or the like, with as many fields in every row',
  run: ({ text }, { separator, only }): CheckResult => {
    const wanted: Separator[] = separator ? [CHARACTERS[separator]] : [",", ";", "\t"];
    const found = findDelimited(text, wanted);
    if (!found) return { outcome: "fail", observed: "no rows of separated values" };
    if (found.place === "block" && !found.isEven) {
      return { outcome: "fail", observed: "rows of different length" };
    }
    if (only && (found.place === "part" || (found.place === "block" && !readSoleBlock(text)))) {
      return { outcome: "fail", observed: "text beside the rows, or rows of different length" };
    }
    return { outcome: "pass", observed: "rows of separated values" };
  },
};

function readSeparator(text: string): (typeof SEPARATORS)[number] | null {
  if (
    /\btsv\b|\btabs? as (?:the )?(?:separator|delimiter)|tab[- ](?:separated|delimited)|separated by tabs?\b/i.test(
      text,
    )
  )
    return "tab";
  if (
    /semi-?colon[- ](?:separated|delimited)|(?:separated|delimited) (?:by|with) semi-?colons?|semi-?colons? as (?:the )?(?:separator|delimiter)/i.test(
      text,
    )
  )
    return "semicolon";
  if (
    /pipe[- ](?:separated|delimited)|(?:separated|delimited) (?:by|with) (?:pipes?|bars?)|pipes? as (?:the )?(?:separator|delimiter)/i.test(
      text,
    )
  )
    return "pipe";
  return null;
}

const TABLE_NAME =
  "(?:(?:[a-z]{1,20}[- ]){0,2}?(?:markdown|md) tables?|(?:(?:two|three|four|five|comparison|summary|evidence|variance|profit|priced|simple|[a-z]{1,20})[- ](?:column[- ])?)?tables?(?![- ]of contents|spoons?|tops?|top\\b)|tabular (?:form(?:at)?|layout))";

const tableSchema = z.strictObject({
  /** Whether it must be a Markdown table. */
  markdown: z.boolean(),
  /** Whether any text beside it is a failure. */
  only: z.boolean(),
});

/** Matches every task that names a table, and faster than the name itself. */
const MAY_NAME_TABLE = /table|tabular/iu;

const listTableDemands = (task: string) =>
  (MAY_NAME_TABLE.test(task) ? findDemands(task, TABLE_NAME) : []).filter(
    ({ statement, rest }) =>
      !/\btables?\b[^.;]{0,30}\b(?:above|given|attached|provided|you (?:are|were) given)\b|\b(?:from|in|of|using|based on) the (?:\w+ )?table\b|\b(?:use|read|consult|study|check|refer to) the (?:\w+ ){0,2}tables?\b(?! (?:form|layout|structure|template|syntax))|\b(?:create table|database|sql|postgres\w*|sqlite|(?:dinner|lookup|hash|truth|periodic|multiplication|dining|coffee|pool|round|kitchen|operating) table|at the table|time-?table|set the)\b/i.test(
        statement,
      ) && !/^ (?:for (?:two|four|six|\d)|by the|decoration|manners)\b/i.test(rest),
  );

/** Checks that the deliverable contains a table. */
export const TABLE: TextCheck<z.infer<typeof tableSchema>> = {
  name: "table",
  parameters: tableSchema,
  extract: (task) =>
    listTableDemands(task)
      .slice(0, 1)
      .map((demand) => ({
        check: "table",
        parameters: {
          markdown: /\b(?:markdown|md)\b[^.;]{0,20}\btable/i.test(demand.statement),
          only: excludesOtherText(demand, "table"),
        },
        statement: demand.statement,
      })),
  describe: ({ markdown, only }) =>
    `${only ? "Only" : "Contains"} a ${markdown ? "Markdown table" : "table"}`,
  forRubric:
    '{"markdown": whether it must be a Markdown table, "only": whether text beside it is a failure}: a table',
  run: ({ text }, { markdown, only }): CheckResult => {
    const isMarkdown = findMarkdownTables(text).length > 0;
    if (!isMarkdown && (markdown || !hasTable(text))) {
      return { outcome: "fail", observed: markdown ? "no Markdown table" : "no table" };
    }
    const words = isMarkdown ? countWordsOutside(text) : 0;
    return only && words > MAX_WORDS_OUTSIDE
      ? { outcome: "fail", observed: `${words} words beside the table` }
      : { outcome: "pass", observed: isMarkdown ? "a Markdown table" : "a table" };
  },
};

/** Words beside a table up to which it counts as the only thing. */
const MAX_WORDS_OUTSIDE = 3;

function countWordsOutside(text: string): number {
  const lines = text
    .split("\n")
    .filter((line) => !line.includes("|") && !/^\s*(?:```|~~~)/.test(line));
  return lines.join(" ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}
