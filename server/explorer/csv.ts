import type { Standing } from "./schema";

const COLUMNS: Record<string, (agent: Standing) => string | number | null> = {
  place: ({ rank }) => rank?.place ?? null,
  tied: ({ rank }) => (rank ? String(rank.tied) : null),
  name: ({ name }) => name,
  walletAddress: ({ walletAddress }) => walletAddress,
  walletVerified: ({ walletVerified }) => String(walletVerified),
  score: ({ score }) => score.toFixed(2),
  confidence: ({ confidence }) => confidence,
  tier: ({ tier }) => tier,
  totalOutcomes: ({ totalOutcomes }) => totalOutcomes,
  requesters: ({ requesters }) => requesters,
  lastActive: ({ lastActive }) => lastActive,
  simulated: ({ simulated }) => String(simulated ?? false),
  categories: ({ categories }) => categories.join(" "),
};

/** Agents as CSV (RFC 4180), a header line first. */
export function csvOf(agents: Standing[]): string {
  const lines = [
    Object.keys(COLUMNS),
    ...agents.map((agent) => Object.values(COLUMNS).map((read) => read(agent))),
  ];
  return lines.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

/**
 * A value as a cell. Text that a spreadsheet would take for a formula gets an apostrophe before it:
 * agents choose their names themselves.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[\s\p{C}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u.test(value)
    ? `'${value}`
    : value;
  return /[",\r\n']/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
