import { getTableColumns } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type postgres from "postgres";
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

/** The list of a `select` from `reputations` of all columns, with names as in code. */
const ALL_COLUMNS = COLUMNS.map(({ key, name }) => `${name} as "${key}"`).join(", ");
/** The arguments of `json_build_object` for these columns. */
export const REPUTATION_AS_JSON = WITHOUT_TOTALS.map(({ key, name }) => `'${key}', ${name}`).join(
  ", ",
);

const VALUES = WITHOUT_TOTALS.map(({ name }) => name).join(", ");

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

/**
 * Returns the reputations of wallets as stored, maybe of an earlier day; omits wallets without outcomes.
 */
export async function readStoredScores(
  sql: postgres.Sql,
  wallets: string[],
): Promise<StoredReputation[]> {
  // Arrays in one JSON value take half as long to read as rows of the driver, which bulk reads notice.
  const [found] = await sql<{ rows: unknown[][] | null }[]>`
    select json_agg(json_build_array(${sql.unsafe(VALUES)})) as rows
    from reputations where wallet = any(${wallets}::char(42)[])`;
  return (found?.rows ?? []).map(toStoredReputation);
}

function toStoredReputation(values: unknown[]): StoredReputation {
  const row: Record<string, unknown> = {};
  // Counts places, since bulk reads notice an iterator.
  for (let place = 0; place < values.length; place += 1) {
    row[WITHOUT_TOTALS[place]?.key as string] = values[place];
  }
  return row as unknown as StoredReputation;
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
