import { eq, sql } from "drizzle-orm";
import { refuseReservedAddress } from "@/server/chain/reserved-addresses";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { removeLink } from "@/server/identities/link";
import type { Context, Transaction } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { type AuthenticatedAgent, lockAgent } from "./authenticate";
import { agentTakenOver } from "./events";
import { issueKey, revokeAllKeys } from "./keys";
import type { ProfileInput, RegisterInput, Registration, WalletVerification } from "./schema";
import { endSessions, type Session } from "./session";
import { agents, takeovers } from "./tables";
import { consumeProof, verifyProof } from "./wallet-proof";

type RegistrationContext = Pick<Context, "db" | "env" | "chain" | "request" | "publish">;

/**
 * Registers a wallet as an agent. If the wallet is registered already, the proof decides:
 * - no proof: throws `wallet-already-registered`
 * - proof and the agent's current key (`caller`): the agent becomes verified, nothing else changes
 * - proof, agent verified: the owner lost the key and gets a new one; the old keys and all sessions
 *   end
 * - proof, agent unverified: the owner takes over the registration, or the placeholder that a
 *   rebuild from the chain created
 *
 * Runs in one transaction; registrations of one wallet are serialized. Further errors:
 * `invalid-party` (no agent can have the address), `wallet-proof-invalid`, `unavailable` (see
 * `verifyProof`), `unauthenticated` (the caller's key ended since it was checked).
 */
export async function registerAgent(
  ctx: RegistrationContext,
  caller: AuthenticatedAgent | null,
  input: RegisterInput,
): Promise<Registration | WalletVerification> {
  const wallet = input.agentAddress;
  refuseReservedAddress(ctx.chain, wallet, "agentAddress");
  const proof = input.walletProof
    ? await verifyProof(ctx, { wallet, proof: input.walletProof, purpose: "register" })
    : null;

  return ctx.db.transaction(async (tx) => {
    const known = await lockRegistration(tx, wallet);
    if (proof) await consumeProof(tx, proof);

    if (!known) {
      const created = await createAgent(tx, input, proof !== null);
      return { ...created, walletVerified: proof !== null, takeover: false };
    }
    if (!proof) {
      throw new AppError(
        "wallet-already-registered",
        "If the wallet is yours, register with a walletProof to get a new key; the old keys are revoked.",
      );
    }
    if (caller?.id === known.id) {
      await lockAgent(tx, caller);
      await tx
        .update(agents)
        .set({
          walletVerifiedAt: sql`coalesce(${agents.walletVerifiedAt}, now())`,
          updatedAt: sql`now()`,
        })
        .where(eq(agents.id, known.id));
      return { ...pickIds(known), apiKey: null, walletVerified: true, takeover: false };
    }
    if (known.walletVerifiedAt) {
      // The profile stays: a client that only wants its key back must not overwrite it.
      await revokeAllKeys(tx, known.id);
      // A stolen session cookie could be used to create another key.
      await endSessions(tx, wallet);
      const { apiKey } = await issueKey(tx, known.id);
      return { ...pickIds(known), apiKey, walletVerified: true, takeover: false };
    }
    const takeover = await deleteUnverifiedRegistration(ctx, tx, known);
    await endSessions(tx, wallet);
    return { ...(await createAgent(tx, input, true)), walletVerified: true, takeover };
  });
}

/**
 * Registers the wallet that a browser is signed in with; the session is its proof. Takes over an
 * unverified registration. Throws `wallet-already-registered` for a verified one.
 */
export async function registerOwnWallet(
  ctx: Pick<Context, "db" | "publish" | "chain">,
  session: Session,
  profile: ProfileInput,
): Promise<Registration> {
  const { wallet } = session;
  refuseReservedAddress(ctx.chain, wallet, "agentAddress");
  return ctx.db.transaction(async (tx) => {
    const known = await lockRegistration(tx, wallet);
    if (known?.walletVerifiedAt) {
      throw new AppError("wallet-already-registered", "Create new keys on your dashboard.");
    }
    const takeover = known ? await deleteUnverifiedRegistration(ctx, tx, known) : false;
    if (known) await endSessions(tx, wallet, session.id);
    const { ownerEmail, ...rest } = profile;
    const input = { ...rest, agentAddress: wallet, ownerEmail: ownerEmail ?? undefined };
    const created = await createAgent(tx, input, true);
    return { ...created, walletVerified: true, takeover };
  });
}

/** Serializes registrations of one wallet. */
async function lockRegistration(tx: Transaction, wallet: string) {
  await acquireAdvisoryLock(tx, `agent:${wallet}`);
  const [known] = await tx.select().from(agents).where(eq(agents.wallet, wallet));
  return known;
}

async function createAgent(
  tx: Transaction,
  input: Omit<RegisterInput, "agentAddress"> & { agentAddress: string },
  isVerified: boolean,
) {
  const { agentAddress, name, description, categories, links, ownerEmail } = input;
  const walletVerifiedAt = isVerified ? sql`now()` : null;
  const [agent] = await tx
    .insert(agents)
    .values({
      wallet: agentAddress,
      name,
      description,
      categories,
      links,
      ownerEmail,
      walletVerifiedAt,
    })
    .returning({ id: agents.id, wallet: agents.wallet });
  if (!agent) throw new Error("the agent was not inserted");
  const { apiKey } = await issueKey(tx, agent.id);
  return { ...pickIds(agent), apiKey };
}

function pickIds(agent: { id: string; wallet: string }) {
  return { agentId: agent.id, walletAddress: agent.wallet };
}

/**
 * Deletes an unverified registration after the wallet's owner has verified the wallet. Keys, webhooks
 * and idempotency keys cascade with the row; the link to an identity ends. Publishes the takeover, so that it is recorded on the
 * ledger and the squatter's submissions get no weight. A placeholder for a lost registration had no
 * keys, so replacing it is no takeover. Returns whether it was a takeover.
 */
export async function deleteUnverifiedRegistration(
  ctx: Pick<Context, "publish">,
  tx: Transaction,
  registration: { id: string; wallet: string; rebuilt?: boolean },
): Promise<boolean> {
  await tx.delete(agents).where(eq(agents.id, registration.id));
  await removeLink(tx, registration.wallet);
  if (registration.rebuilt) return false;
  const [takeover] = await tx
    .insert(takeovers)
    .values({ wallet: registration.wallet, at: sql`now()` })
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
