import { createHash } from "node:crypto";
import { and, arrayContains, asc, eq, inArray } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Core, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { createDueEvent } from "./events";
import type { WebhookEvent } from "./schema";
import { watches, webhookDeliveries, webhooks } from "./tables";

export interface WalletAnnouncement extends Announcement {
  event: WebhookEvent;
  /** Wallets of the agents that receive the event. */
  wallets: string[];
}

/**
 * Stores a delivery for every active webhook and watch of these wallets that subscribed to the event,
 * and publishes each as due, in one transaction. Skips deliveries that exist, so it is idempotent.
 * Returns the number added.
 */
export async function dispatchAnnouncement(
  core: Pick<Core, "db" | "publish">,
  announcement: WalletAnnouncement,
): Promise<number> {
  const { id, body } = buildPayload(announcement);
  return core.db.transaction(async (tx) => {
    const targets = [
      ...(await lockOwnedTargets(tx, announcement)),
      ...(await lockWatchTargets(tx, announcement)),
    ];
    if (targets.length === 0) return 0;
    const added = await tx
      .insert(webhookDeliveries)
      .values(
        targets.map(({ webhookId }) => ({
          webhookId,
          eventId: id,
          event: announcement.event,
          payload: body,
          nextAttemptAt: databaseNow,
        })),
      )
      .onConflictDoNothing()
      .returning();
    await core.publish(
      tx,
      added.map((delivery) => createDueEvent(delivery)),
    );
    return added.length;
  });
}

const whereSubscribed = ({ event }: WalletAnnouncement) =>
  and(eq(webhooks.status, "active"), arrayContains(webhooks.events, [event]));

/** Returns the webhooks of the wallets' agents, and locks the agents until `tx` ends. */
function lockOwnedTargets(tx: Transaction, announcement: WalletAnnouncement) {
  return (
    tx
      .select({ webhookId: webhooks.id })
      .from(webhooks)
      .innerJoin(agents, eq(agents.id, webhooks.agentId))
      .where(and(inArray(agents.wallet, announcement.wallets), whereSubscribed(announcement)))
      .orderBy(asc(agents.id), asc(webhooks.id))
      // Locked before the webhooks, because a takeover deletes the agent's row first.
      .for("key share", { of: agents })
  );
}

/** Returns the watches of the wallets, and locks them until `tx` ends. */
function lockWatchTargets(tx: Transaction, announcement: WalletAnnouncement) {
  return (
    tx
      .select({ webhookId: webhooks.id })
      .from(watches)
      .innerJoin(webhooks, eq(webhooks.id, watches.webhookId))
      .where(and(inArray(watches.wallet, announcement.wallets), whereSubscribed(announcement)))
      .orderBy(asc(webhooks.id))
      // A watch cancelled since then gets no delivery.
      .for("key share", { of: webhooks })
  );
}

export interface Announcement {
  /** Permanent, unique name of the event; the id that receivers see is derived from it. */
  key: string;
  event: string;
  /** When it happened; the same for every dispatch. */
  at: Date;
  data: Record<string, unknown>;
}

/** Returns the id and exact body of an event, the same for every webhook and every attempt. */
export function buildPayload({ key, event, at, data }: Announcement): { id: string; body: string } {
  const id = deriveEventId(key);
  return { id, body: JSON.stringify({ id, event, timestamp: at.toISOString(), data }) };
}

/** Returns a UUID version 8 (RFC 9562) with the first 122 bits of the key's SHA-256. */
export function deriveEventId(key: string): string {
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
