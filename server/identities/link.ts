import { and, eq } from "drizzle-orm";
import type { Address } from "viem";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import type { Core, Sql, Transaction } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { explainLoss, type Holding, readHolding } from "./registry";
import { identityLinks, lostIdentityLinks } from "./tables";

type Link = typeof identityLinks.$inferSelect;

/** A link that the registry confirms, to store with `storeLink`. */
export interface ConfirmedLink {
  wallet: Address;
  agentId: string;
  block: bigint;
  proof: NonNullable<Holding["proof"]>;
  /** Another wallet's link to the same identity that no longer holds, and what the registry says. */
  lapsed: { link: Link; holding: Holding } | null;
}

/**
 * Asks the registry whether a wallet may link an identity. Throws `identity-not-held`, `conflict` if
 * another agent's link to it still holds, `identities-unavailable`, or `unavailable`.
 */
export async function confirmLink(
  { db, chain }: Pick<Core, "db" | "chain">,
  wallet: Address,
  agentId: string,
): Promise<ConfirmedLink> {
  const { proof, block, owner } = await readHolding(chain, wallet, agentId);
  if (!proof) {
    throw new AppError(
      "identity-not-held",
      owner === null
        ? `The registry has no identity ${agentId} at block ${block}.`
        : `${wallet} is neither owner, agent wallet nor operator of identity ${agentId}: it belongs to ${owner} at block ${block}.`,
    );
  }
  const link = await findOtherLink(db, wallet, agentId);
  if (!link) return { wallet, agentId, block, proof, lapsed: null };
  const holding = await readHolding(chain, link.wallet as Address, agentId);
  if (holding.proof) throw createTakenError(link);
  return { wallet, agentId, block, proof, lapsed: { link, holding } };
}

/** Stores a confirmed link in place of the wallet's earlier one. Throws `conflict`, as above. */
export async function storeLink(
  tx: Transaction,
  { wallet, agentId, block, proof, lapsed }: ConfirmedLink,
): Promise<void> {
  await acquireAdvisoryLock(tx, `identity:${agentId}`);
  if (lapsed) await loseLink(tx, lapsed.link, lapsed.holding);
  const other = await findOtherLink(tx, wallet, agentId);
  if (other) throw createTakenError(other);
  const checked = { proof, checkedBlock: block, checkedAt: databaseNow };
  const values = { erc8004AgentId: agentId, ...checked, file: null, fileReadAt: null };
  await tx
    .insert(identityLinks)
    .values({ wallet, ...values })
    .onConflictDoUpdate({ target: identityLinks.wallet, set: values });
  await tx.delete(lostIdentityLinks).where(eq(lostIdentityLinks.wallet, wallet));
}

/** Removes a wallet's link, and the note about one that it lost. */
export async function removeLink(tx: Transaction, wallet: string): Promise<void> {
  await tx.delete(identityLinks).where(eq(identityLinks.wallet, wallet));
  await tx.delete(lostIdentityLinks).where(eq(lostIdentityLinks.wallet, wallet));
}

/**
 * Ends a link that no longer holds, and keeps the reason for its owner. Does nothing if the link has
 * changed or was checked again since it was read. Returns whether it ended.
 */
export async function loseLink(tx: Transaction, link: Link, holding: Holding): Promise<boolean> {
  const { wallet, erc8004AgentId, checkedBlock } = link;
  const [ended] = await tx
    .delete(identityLinks)
    .where(
      and(
        eq(identityLinks.wallet, wallet),
        eq(identityLinks.erc8004AgentId, erc8004AgentId),
        eq(identityLinks.checkedBlock, checkedBlock),
      ),
    )
    .returning({ wallet: identityLinks.wallet });
  if (!ended) return false;
  const lost = {
    erc8004AgentId,
    reason: explainLoss(erc8004AgentId, holding),
    lostAt: databaseNow,
  };
  await tx
    .insert(lostIdentityLinks)
    .values({ wallet, ...lost })
    .onConflictDoUpdate({ target: lostIdentityLinks.wallet, set: lost });
  return true;
}

async function findOtherLink(db: Sql, wallet: string, agentId: string): Promise<Link | null> {
  const [link] = await db
    .select()
    .from(identityLinks)
    .where(eq(identityLinks.erc8004AgentId, agentId));
  return link && link.wallet !== wallet ? link : null;
}

const createTakenError = ({ wallet, erc8004AgentId }: Link) =>
  new AppError(
    "conflict",
    `The agent of ${wallet} has linked identity ${erc8004AgentId}, and still holds it. Unlink it there first, or take the identity from that wallet in the registry.`,
  );
