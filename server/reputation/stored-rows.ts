import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Transaction } from "@/server/lib/context";
import { type StoredRow, serializeRows } from "./compute-change";
import type { StoredReputation } from "./score/public-reputation";
import { type reputationHistory, reputations } from "./tables";

// Every settlement and every chunk of the daily refresh runs these statements, so they bypass
// drizzle's builder, which would build them each time.

/** The columns of `reputations`: the name in code and the name in the database. */
const COLUMNS = Object.keys(getTableColumns(reputations)).map((key) => ({
  key,
  name: toSnakeCase(key),
}));
/** The columns but `totals`, which only updates need and which are most of a row. */
const WITHOUT_TOTALS = COLUMNS.filter(({ key }) => key !== "totals");

const toSelectList = (columns: typeof COLUMNS) =>
  columns.map(({ key, name }) => `${name} as "${key}"`).join(", ");

/** The columns that the public record shows as they are, in the order of `PUBLIC_VALUES`. */
export const PUBLIC_KEYS = WITHOUT_TOTALS.map(({ key }) => key).filter(
  (key) => key !== "breakdown" && key !== "version",
);
/** These columns, and after them the two parts of the breakdown that the public record needs. */
export const PUBLIC_VALUES = `${PUBLIC_KEYS.map(toSnakeCase).join(", ")}, breakdown->'paid', breakdown->'anchored'`;

/** The list of a `select` from `reputations`, with names as in code and without `totals`. */
export const REPUTATION_COLUMNS = toSelectList(WITHOUT_TOTALS);
const ALL_COLUMNS = toSelectList(COLUMNS);
/** The arguments of `json_build_object` for these columns. */
export const REPUTATION_AS_JSON = WITHOUT_TOTALS.map(({ key, name }) => `'${key}', ${name}`).join(
  ", ",
);

/** Assigns every column but the key from a row of `source`. */
const assignFrom = (source: string) =>
  COLUMNS.filter(({ key }) => key !== "wallet")
    .map(({ name }) => `${name} = ${source}.${name}`)
    .join(", ");
const ASSIGN_EXCLUDED = assignFrom("excluded");
/** Assigns every column but the key from the row `fresh`. */
export const ASSIGN_FRESH = assignFrom("fresh");

/** Returns the stored reputations of wallets, by wallet. */
export async function readStored(
  tx: Transaction,
  wallets: string[],
): Promise<Map<string, StoredRow>> {
  const rows = await tx.sql<(StoredRow & { lastUpdated: string | Date })[]>`
    select ${tx.sql.unsafe(ALL_COLUMNS)}
    from reputations where wallet = any(${wallets}::char(42)[])`;
  // Drizzle leaves times unparsed.
  return new Map(
    rows.map((row) => [row.wallet, { ...row, lastUpdated: new Date(row.lastUpdated) }]),
  );
}

/** Inserts or replaces reputations. */
export const writeStored = ({ sql }: Transaction, rows: StoredRow[]) => sql`
  insert into reputations
  select * from jsonb_populate_recordset(null::reputations, ${serializeRows(rows)}::text::jsonb)
  on conflict (wallet) do update set ${sql.unsafe(ASSIGN_EXCLUDED)}`;

/** Inserts entries of the history. */
export const insertHistory = (
  { sql }: Transaction,
  entries: (typeof reputationHistory.$inferInsert)[],
) =>
  entries.length > 0 &&
  sql`
    insert into reputation_history
    select * from jsonb_populate_recordset(null::reputation_history, ${serializeRows(entries)}::text::jsonb)`;

/** Parses rows that `serializeRows` returned. */
export const parseStored = (rows: string): StoredReputation[] =>
  JSON.parse(rows).map((row: Record<string, unknown>) =>
    Object.fromEntries(COLUMNS.map(({ key, name }) => [key, row[name]])),
  );
