import { sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { runPrepared } from "./run";

/** Whether any agent is made up. Looks into an index that holds those alone. */
export async function hasSimulated(db: Database): Promise<boolean> {
  const [row] = await runPrepared<{ found: boolean }>(
    db,
    sql`select exists (select from agents where simulated) as found`,
  );
  return row?.found ?? false;
}
