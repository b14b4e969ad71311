import { eq, sql } from "drizzle-orm";
import type { Context, Sql } from "@/server/lib/context";
import type { Category } from "@/server/lib/schema";
import { type AuthenticatedAgent, lockAgent } from "./authenticate";
import type { Account, ProfileInput } from "./schema";
import { findAgentByWallet, type Session } from "./session";
import { agents } from "./tables";

/** Returns the signed-in wallet and its registration. */
export async function getAccount(db: Sql, session: Session): Promise<Account> {
  const agent = await findAgentByWallet(db, session.wallet);
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
    },
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
