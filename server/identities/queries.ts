import { desc, eq, or, sql } from "drizzle-orm";
import type { ChainInfo, Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { formatRegistry, getIdentityUrl, requireRegistries } from "./registry";
import type { LinkedIdentity, OwnIdentity } from "./schema";
import { identities, identityLinks, lostIdentityLinks } from "./tables";

type Reader = { db: Sql; chain: Pick<ChainInfo, "id" | "erc8004" | "explorerUrl"> };

/** Returns the identity that the agent of a wallet has linked; null if none, or without a registry. */
export async function findLinkedIdentity(
  { db, chain }: Reader,
  wallet: string,
): Promise<LinkedIdentity | null> {
  if (!chain.erc8004) return null;
  const [link] = await db.select().from(identityLinks).where(eq(identityLinks.wallet, wallet));
  return (
    (link && {
      agentId: link.erc8004AgentId,
      registry: formatRegistry(chain, chain.erc8004),
      proof: link.proof,
      checkedBlock: Number(link.checkedBlock),
      checkedAt: link.checkedAt.toISOString(),
      explorerUrl: getIdentityUrl(chain, chain.erc8004, link.erc8004AgentId),
      file:
        link.file && link.fileReadAt
          ? { ...link.file, readAt: link.fileReadAt.toISOString() }
          : null,
    }) ??
    null
  );
}

/** Returns the wallet whose agent has linked an identity, or null. */
export async function findLinkedWallet(db: Sql, agentId: string): Promise<string | null> {
  const [link] = await db
    .select({ wallet: identityLinks.wallet })
    .from(identityLinks)
    .where(eq(identityLinks.erc8004AgentId, agentId));
  return link?.wallet ?? null;
}

/**
 * Returns the wallet whose agent has linked an identity. Throws `not-found`, with what the index knows
 * of it, or `identities-unavailable`.
 */
export async function findWalletByIdentity(
  { db, chain }: Pick<Reader, "db"> & { chain: Pick<ChainInfo, "erc8004"> },
  agentId: string,
): Promise<string> {
  requireRegistries(chain);
  const wallet = await findLinkedWallet(db, agentId);
  if (wallet) return wallet;
  const [found] = await db
    .select({ owner: identities.owner })
    .from(identities)
    .where(eq(identities.erc8004AgentId, agentId));
  throw new AppError(
    "not-found",
    found
      ? `No agent has linked identity ${agentId}, which ${found.owner} owns: GET /agents/${found.owner}/check has the record of that wallet. Its agent can link the identity with PATCH /agents/me.`
      : `No agent has linked identity ${agentId}, and the index of the registry does not have it. A new registration appears there once its block is final.`,
  );
}

/** Most identities of a wallet to choose from. */
const MAX_HELD = 20;

/** Returns what the owner of a wallet sees about its identity; null without a registry. */
export async function readOwnIdentity(reader: Reader, wallet: string): Promise<OwnIdentity | null> {
  const { db, chain } = reader;
  if (!chain.erc8004) return null;
  const [linked, [lost], held] = await Promise.all([
    findLinkedIdentity(reader, wallet),
    db.select().from(lostIdentityLinks).where(eq(lostIdentityLinks.wallet, wallet)),
    db
      .select({ agentId: identities.erc8004AgentId })
      .from(identities)
      .where(or(eq(identities.owner, wallet), eq(identities.agentWallet, wallet)))
      .orderBy(desc(identities.registeredBlock), desc(sql`length(erc8004_agent_id)`))
      .limit(MAX_HELD),
  ]);
  return {
    linked,
    lost: lost
      ? { agentId: lost.erc8004AgentId, reason: lost.reason, lostAt: lost.lostAt.toISOString() }
      : null,
    held: held.map(({ agentId }) => agentId),
  };
}
