import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { readOutcomeChanges } from "@/server/reputation/history";
import { runPrepared } from "./run-sql";
import type { Backing, OutcomeEffects } from "./schema";
import { BACKING } from "./wallet-outcomes";

/** Returns what backs an outcome and how it changed the score; null if it doesn't exist. */
export async function readOutcomeEffects(
  db: Database,
  outcomeId: string,
): Promise<OutcomeEffects | null> {
  const [outcome] = await runPrepared<{ contractor: string; backing: Backing }>(
    db,
    sql`select contractor, ${BACKING} as backing from outcomes where id = ${outcomeId}`,
  );
  if (!outcome) return null;
  const changes = await readOutcomeChanges(db, outcome.contractor, outcomeId);
  return { backing: outcome.backing, changes };
}
