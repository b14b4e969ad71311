import { sql } from "drizzle-orm";
import type { Category, Tier } from "@/server/lib/schema";
import type { ExplorerEntry } from "./schema";

/** A row of `explorer_entries` as lists select it. */
export interface EntryRow {
  agent_id: string;
  wallet: string;
  name: string;
  categories: Category[];
  score_e_2: number;
  tier: Tier;
  total_outcomes: number;
  requesters: number;
  last_active: string | Date | null;
  wallet_verified: boolean;
  simulated: boolean | null;
}

/** Column for rows with an `agent_id`. It is only looked up for the returned rows. */
export const SIMULATED = sql`(select agents.simulated from agents where agents.id = agent_id) as simulated`;

/** Converts a row to the agent's public entry. */
export function toEntry(row: EntryRow): ExplorerEntry {
  return {
    agentId: row.agent_id,
    name: row.name,
    walletAddress: row.wallet,
    score: row.score_e_2 / 100,
    tier: row.tier,
    totalOutcomes: row.total_outcomes,
    categories: row.categories,
    walletVerified: row.wallet_verified,
    ...(row.simulated ? { simulated: true } : {}),
  };
}
