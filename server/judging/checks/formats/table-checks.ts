import { z } from "zod";
import type { CheckResult, TextCheck } from "@/server/judging/checks/check";
import {
  type Bounds,
  describeBounds,
  isWithin,
  listQuantities,
} from "@/server/judging/checks/text/quantity";
import { isHedgedQuantity } from "@/server/judging/checks/text/statements";
import { readNames } from "./demanded-keys";
import { type Demand, excludesOtherText, findDemands } from "./demands";
import { findMarkdownTables, findTables, listDelimitedTables, type Table } from "./tables";

const TABLE_NAME =
  "(?:(?:[a-z]{1,20}[- ]){0,2}?(?:markdown|md) tables?|(?:(?:two|three|four|five|comparison|summary|evidence|variance|profit|priced|simple|[a-z]{1,20})[- ](?:column[- ])?)?tables?(?![- ]of contents|spoons?|tops?|top\\b)|tabular (?:form(?:at)?|layout))";
const CSV_NAME = "(?:csv|tsv)";

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
    const tables = markdown ? findMarkdownTables(text) : findAnyTables(text);
    if (tables.length === 0) {
      return { outcome: "fail", observed: markdown ? "no Markdown table" : "no table" };
    }
    const words = tables[0]?.kind === "markdown" ? countWordsOutside(text) : 0;
    return only && words > MAX_WORDS_OUTSIDE
      ? { outcome: "fail", observed: `${words} words beside the table` }
      : { outcome: "pass", observed: tables.length === 1 ? "1 table" : `${tables.length} tables` };
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

const columnsSchema = z.strictObject({
  columns: z.array(z.string().min(1).max(80)).min(1).max(40),
  /** Whether the columns must come in this order, and no others. */
  exact: z.boolean(),
});

/** Checks the column names of a table or of CSV. */
export const COLUMNS: TextCheck<z.infer<typeof columnsSchema>> = {
  name: "columns",
  parameters: columnsSchema,
  extract: (task) =>
    listDemands(task)
      .flatMap((demand) => {
        const columns = readColumns(demand);
        return columns
          ? [{ check: "columns", parameters: columns, statement: demand.statement }]
          : [];
      })
      .slice(0, 1),
  describe: ({ columns }) =>
    columns.length === 1
      ? "Table with one named column"
      : `Table with ${columns.length} named columns`,
  forRubric:
    '{"columns": [names], "exact": whether exactly these in this order}: columns of a table or CSV',
  run: ({ text }, { columns, exact }): CheckResult => {
    const tables = findAnyTables(text);
    if (tables.length === 0) return { outcome: "not-applicable", observed: "no table" };
    const wanted = columns.map(normalise);
    const missing = tables.map(({ header, rows }) => {
      const present = header.map(normalise);
      // Transposed tables have the names in their first column.
      const first = rows.map(([cell]) => normalise(cell ?? ""));
      const lacks = (cells: string[]) =>
        wanted.filter((name) => !cells.some((cell) => isSameName(name, cell)));
      return exact
        ? lacks(present)
        : ([lacks(present), lacks(first)].toSorted((a, b) => a.length - b.length)[0] ?? []);
    });
    const [fewest = []] = missing.toSorted((a, b) => a.length - b.length);
    if (fewest.length > 0) {
      return {
        outcome: "fail",
        observed: `${fewest.length} of ${columns.length} columns missing`,
        detail: `missing: ${fewest.join(", ")}`,
      };
    }
    const isOrdered = tables.some(({ header }) => {
      const places = wanted.map((name) =>
        header.findIndex((cell) => isSameName(name, normalise(cell))),
      );
      return header.length === wanted.length && places.every((place, index) => place === index);
    });
    return exact && !isOrdered
      ? { outcome: "fail", observed: "other columns, or another order" }
      : { outcome: "pass", observed: "all columns present" };
  },
};

const normalise = (name: string) => name.toLowerCase().replaceAll(/[^\p{L}\p{N}%]/gu, "");
/** "Price (USD)" is the column "price"; "due date" is the column "due". */
const isSameName = (wanted: string, cell: string) =>
  wanted === cell ||
  (Math.min(wanted.length, cell.length) >= 3 && (cell.includes(wanted) || wanted.includes(cell))) ||
  (wanted.length >= 5 && cell.startsWith(wanted.slice(0, 5)));

const COLUMNS_WORD =
  /\b(?:columns?|column (?:names|headers|headings)|headers?(?: row)?(?: line)?|headings)(?: (?:named|called|are|is|for|labeled|labelled|titled|must be|should be|as follows|in (?:this|that|the given|exactly this) order|only|exactly|reading|showing|containing))*\s*[:(]?\s*(?!of\b|from\b|the\b)/i;

function readColumns(demand: Demand): z.infer<typeof columnsSchema> | null {
  const following = demand.next
    .slice(0, 2)
    .filter((sentence) =>
      /^(?:the (?:csv |table )?(?:columns|header|headings)|columns|headers?|use|include|it|with)\b/i.test(
        sentence,
      ),
    );
  for (const sentence of [demand.rest, ...following]) {
    const word = COLUMNS_WORD.exec(sentence);
    if (
      !word ||
      /\b(?:first|second|third|last|extra|additional|another|each|every|no|without|total|right|left|same) $/i.test(
        sentence.slice(0, word.index),
      )
    )
      continue;
    const after = sentence.slice(word.index + word[0].length);
    const literal = /^[`"“]([^`"”\n]{1,200}[,;|\t][^`"”\n]{1,200})[`"”]/.exec(after)?.[1];
    if (literal)
      return {
        columns: literal
          .split(/[,;|\t]/)
          .map((name) => name.trim())
          .filter(Boolean),
        exact: true,
      };
    const named = readNames(after, true);
    if (named && named.names.length >= 2) return { columns: named.names, exact: false };
  }
  const header = /^\s*[:(]?\s*`([^`\n]{1,200},[^`\n]{1,200})`/.exec(demand.rest)?.[1];
  return header
    ? {
        columns: header
          .split(",")
          .map((name) => name.trim())
          .filter(Boolean),
        exact: true,
      }
    : null;
}

const listDemands = (task: string) => [...listTableDemands(task), ...findDemands(task, CSV_NAME)];

const findAnyTables = (text: string): Table[] => {
  const tables = findTables(text);
  return tables.some(({ kind }) => kind === "markdown" || kind === "html")
    ? [
        ...tables,
        ...listDelimitedTables(text).filter(
          ({ header }) => !header.some((cell) => cell.includes("|")),
        ),
      ]
    : [...tables, ...listDelimitedTables(text)];
};

const bound = z.number().int().min(0).max(100_000).nullable();
const boundsSchema = z.strictObject({ min: bound, max: bound });

/** Creates a check of the number of rows or columns of a table. */
function createSizeCheck(
  name: "table-rows" | "table-columns",
  singular: "row" | "column",
  unit: RegExp,
  count: (table: Table) => number[],
): TextCheck<Bounds> {
  return {
    name,
    parameters: boundsSchema,
    extract: (task) =>
      listDemands(task)
        .flatMap(({ statement, next }) => {
          const about = next
            .slice(0, 2)
            .filter((sentence) => /^(?:it|the (?:table|csv)|include|with|use)\b/i.test(sentence));
          return [statement, ...about].flatMap((sentence) =>
            listQuantities(sentence)
              .filter(
                (quantity) =>
                  unit.test(quantity.following) &&
                  !isHedgedQuantity(sentence, quantity) &&
                  !/\b(?:each|first|last|top|per|every|of the)\s*$/i.test(quantity.preceding),
              )
              .map(({ min, max }) => ({ check: name, parameters: { min, max }, statement })),
          );
        })
        .slice(0, 1),
    describe: (bounds) => `Table: ${describeBounds(bounds, singular).toLowerCase()}`,
    forRubric: `{"min": number or null, "max": number or null}: number of ${singular}s of a table or CSV${singular === "row" ? ", the header not counted" : ""}`,
    run: ({ text }, bounds): CheckResult => {
      const tables = findAnyTables(text);
      const counts = tables.flatMap(count);
      if (counts.length === 0) return { outcome: "not-applicable", observed: "no table" };
      const [first = 0] = counts;
      return {
        outcome: counts.some((each) => isWithin(each, bounds)) ? "pass" : "fail",
        observed: first === 1 ? `1 ${singular}` : `${first} ${singular}s`,
      };
    },
  };
}

/** The header may count as a row, and a row of totals may not. */
export const TABLE_ROWS = createSizeCheck(
  "table-rows",
  "row",
  /^(?:data |body |content )?rows\b(?! (?:per|for each|each))/i,
  ({ rows }) => {
    const last = rows.at(-1)?.join(" ") ?? "";
    const hasTotal = /\b(?:total|sum|overall|average|all)\b/i.test(last);
    return [rows.length, rows.length + 1, ...(hasTotal ? [rows.length - 1] : [])];
  },
);
export const TABLE_COLUMNS = createSizeCheck(
  "table-columns",
  "column",
  /^(?:columns\b(?! (?:per|each))|column (?:[a-z]+ )?table)/i,
  ({ header }) => [header.filter((cell) => cell !== "").length, header.length],
);
