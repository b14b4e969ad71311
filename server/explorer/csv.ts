import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import type { LeaderboardRow } from "./agent-list/schema";
import type { ListedOutcome, Names, OutcomesPage } from "./schema";

type Columns<Row> = Record<string, (row: Row) => unknown>;

/** Returns a column for each of the named fields. */
const columnsFor = <Row>(...names: (keyof Row & string)[]): Columns<Row> =>
  Object.fromEntries(names.map((name) => [name, (row: Row) => row[name]]));

const AGENT_COLUMNS: Columns<LeaderboardRow> = {
  place: ({ rank }) => rank?.place,
  tied: ({ rank }) => rank?.tied,
  ...columnsFor("name", "walletAddress", "walletVerified", "score", "categoryScore", "evidence"),
  risk: ({ risk }) => risk.level,
  recommendation: ({ recommendation }) => recommendation.label,
  ...columnsFor("successRate", "tier", "totalOutcomes", "confirmedClients", "lastActive"),
  simulated: ({ simulated }) => simulated ?? false,
  categories: ({ categories }) => categories.join(" "),
  categorySuccessRate: ({ categoryFigures }) => categoryFigures?.successRate,
  categoryOutcomes: ({ categoryFigures }) => categoryFigures?.outcomes,
  categoryConfirmedClients: ({ categoryFigures }) => categoryFigures?.confirmedClients,
  categoryLastDay: ({ categoryFigures }) => categoryFigures?.lastDay,
};

/** Returns the agents as CSV. */
export const formatCsv = (agents: LeaderboardRow[]) => formatRows(AGENT_COLUMNS, agents);

/**
 * Yields all outcomes of a wallet as CSV, one page at a time, with the names of the registered
 * parties. Outcomes that arrive while it reads move others to the next page; each is listed once.
 */
export async function* streamOutcomesCsv(
  wallet: string,
  readPage: (page: number) => Promise<OutcomesPage>,
  readNames: (outcomes: ListedOutcome[]) => Promise<Names>,
): AsyncGenerator<string> {
  let previous = new Set<string>();
  for (let page = 0, pages = 1; page < pages; page++) {
    const { content, totalPages } = await readPage(page);
    const fresh = content.filter(({ outcomeId }) => !previous.has(outcomeId));
    const csv = formatOutcomesCsv(fresh, wallet, await readNames(fresh));
    yield page === 0 ? csv : csv.slice(csv.indexOf("\n") + 1);
    previous = new Set(content.map(({ outcomeId }) => outcomeId));
    pages = totalPages;
  }
}

/** Returns the outcomes of a wallet as CSV, with the names of the registered parties. */
export function formatOutcomesCsv(outcomes: ListedOutcome[], wallet: string, names: Names): string {
  const readRole = (outcome: ListedOutcome) =>
    outcome.contractorAgentAddress === wallet ? "contractor" : "requester";
  const readOther = (outcome: ListedOutcome) =>
    readRole(outcome) === "contractor"
      ? outcome.requesterAgentAddress
      : outcome.contractorAgentAddress;
  const columns: Columns<ListedOutcome> = {
    ...columnsFor("outcomeId", "submittedAt", "status", "verdict", "finalVerdict", "assessed"),
    category: ({ taskCategory }) => taskCategory,
    title: ({ title }) => title,
    role: readRole,
    otherName: (outcome) => names[readOther(outcome)],
    otherWallet: readOther,
    ...columnsFor("backing", "valueUsdc", "paidUsdc", "clientConfirmed"),
    refunded: ({ refund }) => refund !== undefined,
    supersededBy: ({ superseded }) => superseded?.by,
    judge: ({ judge }) => judge?.kind,
    ...columnsFor("onChainTx", "recordIndex"),
  };
  return formatRows(columns, outcomes);
}

/** Returns records as CSV, with a column for each field of their schema, or of an object in it. */
export function formatRecordsCsv(schema: z.ZodObject, records: object[]): string {
  const columns: Columns<Record<string, unknown>> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    if (!(field instanceof z.ZodObject)) columns[name] = (record) => record[name];
    else {
      for (const part of Object.keys(field.shape)) {
        columns[name + part.charAt(0).toUpperCase() + part.slice(1)] = (record) =>
          (record[name] as Record<string, unknown>)[part];
      }
    }
  }
  return formatRows(columns, records as Record<string, unknown>[]);
}

/** Formats rows as RFC 4180 with a header line. Text is quoted, numbers are plain, null is empty. */
function formatRows<Row>(columns: Columns<Row>, rows: Row[]): string {
  const toCell = (value: unknown) =>
    value == null || typeof value === "number" ? value : neutralizeFormulas(String(value));
  const cells = rows.map((row) => Object.values(columns).map((read) => toCell(read(row))));
  return stringify([Object.keys(columns), ...cells], {
    quoted_string: true,
    record_delimiter: "windows",
  });
}

/**
 * Matches the positions at which a spreadsheet could read a formula: the start of the text, and
 * after every character that may end a cell. A spreadsheet that splits at `;` or tabs ignores our
 * quotes, because for it they don't open the cell. Some skip quotation marks, spaces and invisible
 * characters.
 */
const FORMULA_START =
  /(?<=^|[;\t\n\v\f\r\u0085\u2028\u2029])(?=[\s\p{C}"]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])|^(?=[\t\r\n])/gu;

/** Returns `text` with an apostrophe before every possible formula (OWASP: CSV injection). */
export function neutralizeFormulas(text: string): string {
  return text.replace(FORMULA_START, "'");
}
