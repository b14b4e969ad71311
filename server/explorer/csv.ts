import { stringify } from "csv-stringify/sync";
import type { LeaderboardRow } from "./schema";

const COLUMNS: Record<string, (agent: LeaderboardRow) => string | number | null> = {
  place: ({ rank }) => rank?.place ?? null,
  tied: ({ rank }) => (rank ? String(rank.tied) : null),
  name: ({ name }) => name,
  walletAddress: ({ walletAddress }) => walletAddress,
  walletVerified: ({ walletVerified }) => String(walletVerified),
  score: ({ score }) => score,
  categoryScore: ({ categoryScore }) => categoryScore ?? null,
  evidence: ({ evidence }) => evidence,
  risk: ({ risk }) => risk.level,
  advice: ({ risk }) => risk.advice,
  successRate: ({ successRate }) => successRate,
  tier: ({ tier }) => tier,
  totalOutcomes: ({ totalOutcomes }) => totalOutcomes,
  confirmedClients: ({ confirmedClients }) => confirmedClients,
  lastActive: ({ lastActive }) => lastActive,
  simulated: ({ simulated }) => String(simulated ?? false),
  categories: ({ categories }) => categories.join(" "),
};

/** Returns the agents as CSV (RFC 4180) with a header line. Text is quoted, numbers are plain. */
export function formatCsv(agents: LeaderboardRow[]): string {
  return stringify(
    [
      Object.keys(COLUMNS),
      ...agents.map((agent) => Object.values(COLUMNS).map((read) => read(agent))),
    ],
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
