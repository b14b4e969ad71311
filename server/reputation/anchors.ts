import { and, asc, eq, gt, isNull, max, or, sql } from "drizzle-orm";
import { agents } from "@/server/agents/tables";
import type { Database, Transaction } from "@/server/lib/context";
import type { Publish } from "@/server/lib/publish";
import { anchorChanged } from "./events";
import { anchors } from "./tables";

/** What an operator asked for cannot be. The message is one plain sentence for a person. */
export class AnchorRefused extends Error {
  override name = "AnchorRefused";
}

export type Anchor = typeof anchors.$inferSelect;

interface Ground {
  db: Database;
  publish: Publish;
}

/**
 * Vouches for a requester from `now` on; the running service records it on chain. `wallet` in
 * EIP-55 form. Throws `AnchorRefused` where nobody has proven the wallet, where it is vouched for
 * already, or where `until` is over.
 */
export function addAnchor(
  { db, publish }: Ground,
  {
    wallet,
    until,
    reason,
    now,
  }: { wallet: string; until: Date | null; reason: string | null; now: Date },
): Promise<Anchor> {
  return db.transaction(async (tx) => {
    await lockAnchors(tx, wallet);
    await needProven(tx, wallet);
    const from = await beginning(tx, wallet, now);
    const end = until && inSeconds(until);
    if (end && end <= from) {
      throw new AnchorRefused(
        `${end.toISOString()} is over: an anchor ends at a time that is still to come.`,
      );
    }
    const [standing] = await tx
      .select()
      .from(anchors)
      .where(
        and(
          eq(anchors.wallet, wallet),
          isNull(anchors.revokeAskedAt),
          or(isNull(anchors.until), gt(anchors.until, from)),
        ),
      );
    if (standing) {
      const ends = standing.until ? ` until ${standing.until.toISOString()}` : "";
      throw new AnchorRefused(
        `${wallet} is an anchor already, since ${standing.from.toISOString()}${ends}: revoke that one first.`,
      );
    }
    const [anchor] = await tx
      .insert(anchors)
      .values({ wallet, from, until: end, reason })
      .returning();
    if (!anchor) throw new Error("the anchor was not inserted");
    await publish(tx, [changed(anchor.id, "added")]);
    return anchor;
  });
}

/**
 * Takes back every anchor of a wallet that was not taken back before, those that have expired too:
 * for the score, a revoked anchor never was. One that nobody has signed yet is never recorded.
 * Throws `AnchorRefused` where there is none.
 */
export function revokeAnchors(
  { db, publish }: Ground,
  { wallet, now }: { wallet: string; now: Date },
): Promise<Anchor[]> {
  return db.transaction(async (tx) => {
    await lockAnchors(tx, wallet);
    const revoked = await tx
      .update(anchors)
      .set({ revokeAskedAt: now })
      .where(and(eq(anchors.wallet, wallet), isNull(anchors.revokeAskedAt)))
      .returning();
    if (revoked.length === 0) throw new AnchorRefused(`${wallet} is no anchor.`);
    await publish(
      tx,
      revoked.map(({ id }) => changed(id, "revoked")),
    );
    return revoked;
  });
}

/** Every anchor there ever was, oldest first. */
export const readAnchors = (db: Database): Promise<Anchor[]> =>
  db.select().from(anchors).orderBy(asc(anchors.createdAt), asc(anchors.id));

/** One at a time for each wallet, so that no two of its anchors overlap. */
async function lockAnchors(tx: Transaction, wallet: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`anchors:${wallet}`}, 0))`);
}

async function needProven(tx: Transaction, wallet: string): Promise<void> {
  const [agent] = await tx
    .select({ provenAt: agents.walletVerifiedAt })
    .from(agents)
    .where(eq(agents.wallet, wallet));
  if (!agent) throw new AnchorRefused(`No agent is registered for ${wallet}.`);
  if (!agent.provenAt) {
    throw new AnchorRefused(
      `The agent of ${wallet} has not proven its wallet: only proven wallets can be anchors.`,
    );
  }
}

/** In whole seconds, as records are; later than the wallet's last, as the registry takes none twice. */
async function beginning(tx: Transaction, wallet: string, now: Date): Promise<Date> {
  const [known] = await tx
    .select({ last: max(anchors.from) })
    .from(anchors)
    .where(eq(anchors.wallet, wallet));
  const last = known?.last?.getTime() ?? 0;
  return new Date(Math.max(inSeconds(now).getTime(), last + 1_000));
}

const inSeconds = (time: Date) => new Date(Math.floor(time.getTime() / 1000) * 1000);

const changed = (anchorId: string, what: "added" | "revoked") => ({
  id: `anchor-${what}:${anchorId}`,
  name: anchorChanged.name,
  data: { anchorId },
});
