import { eq, sql } from "drizzle-orm";
import type { Address } from "viem";
import { confirmLink, removeLink, storeLink } from "@/server/identities/link";
import { findLinkedIdentity, readOwnIdentity } from "@/server/identities/queries";
import type { LinkedIdentity } from "@/server/identities/schema";
import type { Context } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Category } from "@/server/lib/schema";
import { type AuthenticatedAgent, createUnauthenticatedError, lockAgent } from "./authenticate";
import type { Account, OwnAgent, ProfileInput } from "./schema";
import { findAgentByWallet, type Session } from "./session";
import { agents } from "./tables";

/** Returns the signed-in wallet and its registration. */
export async function getAccount(
  ctx: Pick<Context, "db" | "chain">,
  session: Session,
): Promise<Account> {
  const agent = await findAgentByWallet(ctx.db, session.wallet);
  return {
    walletAddress: session.wallet,
    expiresAt: session.expiresAt.toISOString(),
    agent: agent && {
      agentId: agent.id,
      walletVerified: agent.walletVerifiedAt !== null,
      name: agent.name,
      description: agent.description,
      categories: agent.categories as Category[],
      links: agent.links,
      ownerEmail: agent.walletVerifiedAt ? agent.ownerEmail : null,
      registeredAt: agent.createdAt.toISOString(),
      identity: await readOwnIdentity(ctx, session.wallet),
    },
  };
}

/** Returns the agent that makes the request. Throws `unauthenticated` if it has been taken over. */
export async function readOwnAgent(
  ctx: Pick<Context, "db" | "chain">,
  { id, wallet, walletVerified }: AuthenticatedAgent,
): Promise<OwnAgent> {
  const agent = await findAgentByWallet(ctx.db, wallet);
  if (agent?.id !== id) throw createUnauthenticatedError();
  const { name, description, links, ownerEmail } = agent;
  return {
    agentId: id,
    walletAddress: wallet,
    walletVerified,
    name,
    description,
    categories: agent.categories as Category[],
    links,
    ownerEmail,
    registeredAt: agent.createdAt.toISOString(),
    erc8004: await findLinkedIdentity(ctx, wallet),
  };
}

/** Replaces an agent's profile. */
export async function updateProfile(
  { db }: Pick<Context, "db">,
  agent: AuthenticatedAgent,
  profile: ProfileInput,
): Promise<void> {
  const { name, description, categories, links, ownerEmail } = profile;
  await db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    await tx
      .update(agents)
      .set({ name, description, categories, links, ownerEmail, updatedAt: sql`now()` })
      .where(eq(agents.id, agent.id));
  });
}

/**
 * Links the agent to an ERC-8004 identity that its verified wallet holds, or removes the link. Returns
 * the link. Throws `forbidden` for an unverified wallet, which may not be the caller's, and the errors of
 * `confirmLink`.
 */
export async function linkIdentity(
  ctx: Pick<Context, "db" | "chain">,
  agent: AuthenticatedAgent,
  agentId: string | null,
): Promise<LinkedIdentity | null> {
  if (!agent.walletVerified) {
    throw new AppError(
      "forbidden",
      "Only an agent with a verified wallet can link an identity: register again with a walletProof.",
    );
  }
  const link = agentId === null ? null : await confirmLink(ctx, agent.wallet as Address, agentId);
  await ctx.db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    if (link) await storeLink(tx, link);
    else await removeLink(tx, agent.wallet);
  });
  return findLinkedIdentity(ctx, agent.wallet);
}
