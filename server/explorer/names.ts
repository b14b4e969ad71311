import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { runPrepared } from "./run";
import type { Names } from "./schema";

/** Returns the registered names of wallets. */
export async function readNames(db: Database, wallets: string[]): Promise<Names> {
  if (wallets.length === 0) return {};
  const rows = await runPrepared<{ wallet: string; name: string }>(
    db,
    sql`select wallet, name from agents where wallet = any(${sql.param(wallets)}::char(42)[])`,
  );
  return Object.fromEntries(rows.map(({ wallet, name }) => [wallet, name]));
}
