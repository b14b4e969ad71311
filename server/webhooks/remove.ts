import { and, eq } from "drizzle-orm";
import type { Sql } from "@/server/lib/context";
import { noSuchWebhook } from "./queries";
import { webhooks } from "./tables";

/** Deletes an agent's webhook with its deliveries. Throws `not-found`, also for another agent's. */
export async function removeWebhook(db: Sql, agentId: string, webhookId: string): Promise<void> {
  const removed = await db
    .delete(webhooks)
    .where(and(eq(webhooks.id, webhookId), eq(webhooks.agentId, agentId)))
    .returning({ id: webhooks.id });
  if (removed.length === 0) throw noSuchWebhook();
}
