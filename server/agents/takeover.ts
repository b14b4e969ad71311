import { eq, sql } from "drizzle-orm";
import type { Context, Transaction } from "@/server/lib/context";
import { agentTakenOver } from "./events";
import { agents, takeovers } from "./tables";

/**
 * Ends an unproven registration because the wallet's owner proved to be somebody else than holds
 * its keys. Whatever hangs on the row goes with it: keys, webhooks, idempotency keys. The takeover
 * is announced, so that it gets on the ledger and what the other one submitted weighs nothing. Where
 * the row only stood in for a registration that was lost, nobody held keys and nothing is taken over.
 * Answers whether it was a takeover.
 */
export async function endUnprovenRegistration(
  ctx: Pick<Context, "publish">,
  tx: Transaction,
  squatted: { id: string; wallet: string; rebuilt?: boolean },
): Promise<boolean> {
  await tx.delete(agents).where(eq(agents.id, squatted.id));
  if (squatted.rebuilt) return false;
  const [takeover] = await tx
    .insert(takeovers)
    .values({ wallet: squatted.wallet, at: sql`now()` })
    .returning({ id: takeovers.id });
  if (!takeover) throw new Error("the takeover was not inserted");
  await ctx.publish(tx, [
    {
      id: `agent-taken-over:${takeover.id}`,
      name: agentTakenOver.name,
      data: { takeoverId: takeover.id },
    },
  ]);
  return true;
}
