import { eq } from "drizzle-orm";
import type { Transaction } from "@/server/lib/context";
import { isStillLive, unauthenticated } from "./authenticate";
import { agents } from "./tables";

/**
 * Keeps an agent from being taken over, and its keys from all being ended, until `tx` ends: what it
 * writes is then its own. Throws `unauthenticated` where that has happened since its key was
 * checked, or where the key of the request, `keyId`, was revoked. Before any other lock: a takeover
 * deletes the agent's row first.
 */
export async function holdAgent(
  tx: Transaction,
  agentId: string,
  keyId: string | null = null,
): Promise<void> {
  const here = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(eq(agents.id, agentId))
    .for("key share");
  if (here.length === 0 || !(await isStillLive(tx, keyId))) throw unauthenticated();
}
