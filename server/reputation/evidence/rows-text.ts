import type { EvidenceRow } from "./evidence-row";

/** Returns rows of a wallet as JSON, with weights as strings, which keeps them exact. */
export function toRowsText(wallet: string, rows: EvidenceRow[]): string {
  return JSON.stringify(
    rows.map((row) => ({ wallet, ...row, good: String(row.good), bad: String(row.bad) })),
  );
}

/** Parses rows that `toRowsText` or Postgres returned. */
export function parseRows(text: string): EvidenceRow[] {
  return JSON.parse(text).map((row: EvidenceRow) => ({
    ...row,
    good: BigInt(row.good),
    bad: BigInt(row.bad),
  }));
}
