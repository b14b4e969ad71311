import { eq } from "drizzle-orm";
import type { Transaction } from "@/server/lib/context";
import { unauthenticated } from "./authenticate";
import { agents } from "./tables";

/**
 * Keeps an agent from being taken over until `tx` ends: what it writes is then its own. Throws
 * `unauthenticated` where that has happened since its key was checked. Before any other lock: a
 * takeover deletes the agent's row first.
 */
export async function holdAgent(tx: Transaction, agentId: string): Promise<void> {
  const here = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.id, agentId))
    .for("key share");
  if (here.length === 0) throw unauthenticated();
}
