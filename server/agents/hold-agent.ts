import { eq } from "drizzle-orm";
import type { Transaction } from "@/server/lib/context";
import { type AskingAgent, isStillLive, unauthenticated } from "./authenticate";
import { agents } from "./tables";

/**
 * Keeps an agent from being taken over, and its keys from all being ended, until `tx` ends: what it
 * writes is then its own. Throws `unauthenticated` where that has happened since its key was
 * checked, or where the key or the session of the request has ended. Before any other lock: a
 * takeover deletes the agent's row first.
 */
export async function holdAgent(tx: Transaction, agent: AskingAgent): Promise<void> {
  const here = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.id, agent.id))
    .for("key share");
  if (here.length === 0 || !(await isStillLive(tx, agent))) throw unauthenticated();
}
