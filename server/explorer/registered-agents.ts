import { inArray } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Database } from "@/server/lib/context";
import { createPage } from "@/server/lib/schema";
import { toEntry } from "./agent-list/list-agents";
import { findAgents } from "./queries";
import { BRIEF_SCAN, readRisks } from "./risk/read-risk";
import type { AgentsInput, ListedAgents } from "./schema";

/** Returns the registered agents that match, with what a list of them shows. */
export async function readRegisteredAgents(
  db: Database,
  input: AgentsInput,
  now: Date,
): Promise<ListedAgents> {
  const { rows, total, isMore } = await findAgents(db, input);
  const [getRisk, registered] = await Promise.all([
    readRisks(
      db,
      rows.map(({ wallet }) => wallet),
      BRIEF_SCAN,
      now,
    ),
    db
      .select({ id: agents.id, createdAt: agents.createdAt })
      .from(agents)
      .where(
        inArray(
          agents.id,
          rows.map((row) => row.agent_id),
        ),
      ),
  ]);
  const registeredAt = new Map(registered.map(({ id, createdAt }) => [id, createdAt]));
  const content = rows.map((row) => ({
    ...toEntry(row),
    risk: getRisk(row.wallet),
    lastActive: row.last_active && new Date(row.last_active).toISOString(),
    registeredAt: (registeredAt.get(row.agent_id) ?? now).toISOString(),
  }));
  return { ...createPage(content, total, input), isMore };
}
