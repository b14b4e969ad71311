import { type DataTable, readTables } from "./data-table";
import { type Exact, type Figure, readFigures, toSigned } from "./figures";
import { listYears } from "./terms";

/** An amount that a task states, with the words that say what it is. */
export interface LabelledAmount {
  label: string;
  /** Null if the task names no year for it. */
  year: number | null;
  value: Exact;
}

interface ProseAmount extends LabelledAmount {
  figure: Figure;
  /** Whether the year is given for this very amount. */
  isListed: boolean;
}

const MAX_AMOUNTS = 600;
const LIST_ITEM =
  /(?:\bFY\s?|\b)((?:19|20)\d\d)\s?[:–—-]?\s(?=(?:US)?[$€£]?\s?\(?\d)|\(((?:19|20)\d\d):\s?/gi;

/** Returns the amounts of the tables and sentences of a task. */
export function listAmounts(task: string): LabelledAmount[] {
  const tables = readTables(task);
  const inTables = tables.flatMap(({ rows, columns }) =>
    rows.flatMap(({ label, section, cells }) =>
      cells.flatMap((cell, index): LabelledAmount[] => {
        if (!cell) return [];
        const column = columns[index] ?? "";
        const [year, ...others] = listYears(column);
        const [own] = listYears(label);
        const name = year === undefined && !own ? `${label} ${column}` : own ? column : label;
        return [
          {
            label: name.trim() || section,
            year: others.length > 0 ? null : (year ?? own ?? null),
            value: toSigned(cell),
          },
        ];
      }),
    ),
  );
  const sentences = task
    .split("\n")
    .filter((_, line) => !tables.some(({ from, to }) => line >= from && line < to))
    .flatMap((line) => line.slice(0, 3_000).split(/(?<=[.!?])\s+/));
  return [...inTables, ...sentences.flatMap(readSentence)].slice(0, MAX_AMOUNTS);
}

/** Returns the amounts of sentences, labelled with the words on both sides of each. */
export function listProseAmounts(prose: string): (LabelledAmount & { isPercent: boolean })[] {
  return prose
    .split("\n")
    .flatMap((line) => line.slice(0, 3_000).split(/(?<=[.!?])\s+/))
    .slice(0, MAX_AMOUNTS)
    .flatMap((sentence) =>
      readSentence(sentence)
        .filter(
          ({ figure }) =>
            !/^[ -](?:fiscal |calendar )?(?:year|quarter|month|week|day)s?\b/i.test(
              sentence.slice(figure.to, figure.to + 20),
            ),
        )
        .map(({ label, year, value, figure }) => ({
          label:
            `${lastClause(label)} ${readNoun(sentence.slice(figure.to, figure.to + 60))}`.trim(),
          year,
          value,
          isPercent: figure.isPercent,
        })),
    )
    .slice(0, MAX_AMOUNTS);
}

const lastClause = (label: string) =>
  label
    .split(/[,;:()]\s(?=.*\p{L}{3})/u)
    .at(-1)
    ?.slice(-60) ?? "";

/** Returns what a figure counts or is of, as in "21,300 people" and "$5 million of interest". */
const readNoun = (after: string) =>
  /^\s(?:of (?:the |our )?)?((?:\p{L}+[ -]){0,3}\p{L}+)/u
    .exec(after)?.[1]
    ?.split(/\b(?:and|in|at|for|from|to|as|by|with|was|were|is|are)\b/)[0] ?? "";

/** Reads "Net sales: FY2022 $9,460; FY2021 $8,805", "(2019: $5 million)" and plain amounts. */
function readSentence(sentence: string): ProseAmount[] {
  if (sentence.endsWith("?")) return [];
  const yearAt = new Map(
    [...sentence.matchAll(LIST_ITEM)].map((match) => [
      match.index + match[0].length,
      Number(match[1] ?? match[2]),
    ]),
  );
  let label = "";
  let from = 0;
  // "(2022: 298)" dates only what it is next to.
  const years = listYears(sentence.replace(/\((?:19|20)\d\d:[^()]{0,60}\)/g, " "));
  return readFigures(sentence).flatMap((figure): ProseAmount[] => {
    if (figure.isYear) return [];
    const listed = [...yearAt].find(([at]) => at <= figure.from && figure.from - at <= 3)?.[1];
    const words = sentence.slice(Math.max(from, figure.from - 120), figure.from);
    const following = /^[^\d,;.()]{0,12}\b(?:in|for)\s(?:fiscal\s|FY\s?)?((?:19|20)\d\d)\b/i.exec(
      sentence.slice(figure.to),
    )?.[1];
    // A further figure of a list continues the label of the first.
    if (listed === undefined || /\p{L}{3}/u.test(words.replace(/FY|EUR|USD/g, "")))
      label = words.split(/[.;!?]\s/).at(-1) ?? "";
    from = figure.to;
    const [only] = years.length === 1 ? years : [];
    // "1,845 (2019: 1,720)" compares with the year before.
    const before = /^[^()\d]{0,60}\(((?:19|20)\d\d):\s/.exec(sentence.slice(figure.to))?.[1];
    const own = listed ?? (following ? Number(following) : before ? Number(before) + 1 : undefined);
    const isListed = own !== undefined;
    return [
      { label: label.trim(), year: own ?? only ?? null, value: toSigned(figure), figure, isListed },
    ];
  });
}

const NOT_LABEL =
  /\bFY\s?\d{2,4}|\b(?:amount(?:ed|s)|came|total(?:ed|led)|rose|fell|stood|reached|were|was|is|are|of|to|at|EUR|USD|GBP)\b(?=[^\p{L}]*$|\s+(?:to|at|EUR|USD|GBP)\b)/giu;

/** Returns the amounts that sentences give by year as a table, or null if there are none. */
export function readProseTable(prose: string): DataTable | null {
  const amounts = prose
    .split("\n")
    .flatMap((line) => line.slice(0, 3_000).split(/(?<=[.!?])\s+/))
    .flatMap(readSentence)
    .filter(({ isListed, year }) => isListed && year !== null)
    .slice(0, MAX_AMOUNTS);
  const years = [...new Set(amounts.map(({ year }) => year))];
  const labels = [...new Set(amounts.map(({ label }) => label))].filter(
    (label) => amounts.filter((amount) => amount.label === label).length > 1,
  );
  if (labels.length === 0 || years.length > 12) return null;
  const rows = labels.map((label) => ({
    label: label
      .replace(NOT_LABEL, " ")
      .replace(/[^\p{L}\p{N}]+$/u, "")
      .trim(),
    section: "",
    cells: years.map((year) => {
      const own = amounts.filter((amount) => amount.label === label && amount.year === year);
      return own.length === 1 ? (own[0]?.figure ?? null) : null;
    }),
  }));
  return { corner: "", columns: years.map(String), rows, from: 0, to: 0 };
}
