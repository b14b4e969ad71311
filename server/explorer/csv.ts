import { stringify } from "csv-stringify/sync";
import { z } from "zod";
import type { LeaderboardRow } from "./agent-list/schema";
import type { ListedOutcome, Names, OutcomesPage } from "./schema";

type Columns<Row> = Record<string, (row: Row) => string | number | null>;

const AGENT_COLUMNS: Columns<LeaderboardRow> = {
  place: ({ rank }) => rank?.place ?? null,
  tied: ({ rank }) => (rank ? String(rank.tied) : null),
  name: ({ name }) => name,
  walletAddress: ({ walletAddress }) => walletAddress,
  walletVerified: ({ walletVerified }) => String(walletVerified),
  score: ({ score }) => score,
  categoryScore: ({ categoryScore }) => categoryScore ?? null,
  evidence: ({ evidence }) => evidence,
  risk: ({ risk }) => risk.level,
  recommendation: ({ recommendation }) => recommendation.label,
  successRate: ({ successRate }) => successRate,
  tier: ({ tier }) => tier,
  totalOutcomes: ({ totalOutcomes }) => totalOutcomes,
  confirmedClients: ({ confirmedClients }) => confirmedClients,
  lastActive: ({ lastActive }) => lastActive,
  simulated: ({ simulated }) => String(simulated ?? false),
  categories: ({ categories }) => categories.join(" "),
  categorySuccessRate: ({ categoryFigures }) => categoryFigures?.successRate ?? null,
  categoryOutcomes: ({ categoryFigures }) => categoryFigures?.outcomes ?? null,
  categoryConfirmedClients: ({ categoryFigures }) => categoryFigures?.confirmedClients ?? null,
  categoryLastDay: ({ categoryFigures }) => categoryFigures?.lastDay ?? null,
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
  return formatRows<ListedOutcome>(
    {
      outcomeId: ({ outcomeId }) => outcomeId,
      submittedAt: ({ submittedAt }) => submittedAt,
      status: ({ status }) => status,
      verdict: ({ verdict }) => verdict ?? null,
      finalVerdict: ({ finalVerdict }) => finalVerdict ?? null,
      assessed: ({ assessed }) => (assessed === undefined ? null : String(assessed)),
      category: ({ taskCategory }) => taskCategory,
      title: ({ title }) => title,
      role: readRole,
      otherName: (outcome) => names[readOther(outcome)] ?? null,
      otherWallet: readOther,
      backing: ({ backing }) => backing,
      valueUsdc: ({ valueUsdc }) => valueUsdc,
      paidUsdc: ({ paidUsdc }) => paidUsdc,
      clientConfirmed: ({ clientConfirmed }) =>
        clientConfirmed === undefined ? null : String(clientConfirmed),
      refunded: ({ refund }) => String(refund !== undefined),
      supersededBy: ({ superseded }) => superseded?.by ?? null,
      judge: ({ judge }) => judge?.kind ?? null,
      onChainTx: ({ onChainTx }) => onChainTx ?? null,
      recordIndex: ({ recordIndex }) => recordIndex ?? null,
    },
    outcomes,
  );
}

/** Returns records as CSV, with a column for each field of their schema, or of an object in it. */
export function formatRecordsCsv(schema: z.ZodObject, records: object[]): string {
  const columns = Object.entries(schema.shape).flatMap(([name, field]) => {
    const read = (record: object) => Object.entries(record).find(([key]) => key === name)?.[1];
    if (!(field instanceof z.ZodObject)) return [[name, (row: object) => formatCell(read(row))]];
    return Object.keys(field.shape).map((part) => [
      `${name}${part.charAt(0).toUpperCase()}${part.slice(1)}`,
      (row: object) => formatCell(read(row)?.[part]),
    ]);
  });
  return formatRows<object>(Object.fromEntries(columns), records);
}

function formatCell(value: unknown): string | number | null {
  return typeof value === "number" ? value : value == null ? null : String(value);
}

/** Formats rows as RFC 4180 with a header line. Text is quoted, numbers are plain. */
function formatRows<Row>(columns: Columns<Row>, rows: Row[]): string {
  return stringify(
    [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((read) => read(row)))],
    {
      quoted_string: true,
      record_delimiter: "windows",
      cast: { string: neutralizeFormulas },
    },
  );
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
