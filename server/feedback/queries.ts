import { and, eq } from "drizzle-orm";
import { identityLinks } from "@/server/identities/tables";
import type { Core, Erc8004Registries } from "@/server/lib/context";
import { getPublicUrl } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import { createNotResolvedError, requireOutcome } from "@/server/outcomes/queries";
import { outcomes } from "@/server/outcomes/tables";
import { locateFile } from "./feedback-file";
import { findSubjects } from "./find-subjects";
import { storeFile } from "./owe-feedback";
import { buildGiveCall, encodeCall } from "./reputation-registry";
import type { FeedbackCall, RegistryFeedback } from "./schema";
import { feedbackFiles } from "./tables";

type Parts = Pick<Core, "db" | "chain" | "env">;

function requireRegistries({ chain }: Parts): Erc8004Registries {
  if (chain.erc8004) return chain.erc8004;
  throw new AppError("identities-unavailable", "This service has no ERC-8004 registries.");
}

/**
 * Returns the transaction by which the requester of an outcome gives feedback about its contractor, and
 * stores the file that it names. Throws `not-found`, `outcome-not-resolved`, `conflict` or
 * `identities-unavailable`.
 */
export async function prepareFeedback(core: Parts, outcomeId: string): Promise<FeedbackCall> {
  const { reputationAddress } = requireRegistries(core);
  const { status } = await requireOutcome(core.db, outcomeId);
  if (status !== "RESOLVED") throw createNotResolvedError();
  const [subject] = await findSubjects(core, eq(outcomes.id, outcomeId), 1);
  if (!subject) {
    const detail =
      "No feedback can be given about this outcome: its contractor has no ERC-8004 agent linked, a dispute is open, or it does not count (not assessed, simulated, refunded or superseded).";
    throw new AppError("conflict", detail);
  }
  const { agentId, value, requester, chainId } = subject;
  const facts = { ...subject, client: requester, publicUrl: getPublicUrl(core.env) };
  const { file, hash: feedbackHash } = await storeFile(core.db, facts);
  const location = locateFile(file, feedbackHash);
  const call = buildGiveCall(reputationAddress, { agentId, value, feedbackHash, ...location });
  const { feedbackUri } = location;
  return { to: call.address, data: encodeCall(call), chainId, agentId, feedbackUri, feedbackHash };
}

/** Returns a stored feedback file. Throws `not-found`. */
export async function requireFile(
  { db }: Pick<Core, "db">,
  { outcomeId, hash }: { outcomeId: string; hash: string },
): Promise<string> {
  const isIt = and(
    eq(feedbackFiles.hash, hash.toLowerCase()),
    eq(feedbackFiles.outcomeId, outcomeId),
  );
  const [row] = await db.select({ file: feedbackFiles.file }).from(feedbackFiles).where(isIt);
  if (!row) throw new AppError("not-found", "There is no such feedback file.");
  return row.file;
}

const NOTE =
  "Anyone can give feedback in the registry, without a job or a payment. The score counts outcomes that were judged.";

/**
 * Counts the feedback of others about a linked agent. Throws `not-found` if the wallet has no agent
 * linked, and `identities-unavailable`.
 */
export async function countRegistryFeedback(
  core: Parts,
  walletAddress: string,
): Promise<RegistryFeedback> {
  requireRegistries(core);
  const { db, chain } = core;
  const [link] = await db
    .select({ agentId: identityLinks.erc8004AgentId })
    .from(identityLinks)
    .where(eq(identityLinks.wallet, walletAddress));
  if (!link) throw new AppError("not-found", "This wallet has no ERC-8004 agent linked.");
  const { agentId } = link;
  const [counts] = await db.sql<Pick<RegistryFeedback, "feedback" | "clients" | "payingClients">[]>`
    select coalesce(sum(feedback), 0)::int as feedback, count(*)::int as clients,
      count(*) filter (where exists (
        select from outcomes where contractor = ${walletAddress} and requester = client
          and status = 'RESOLVED' and paid_micro > 0 and not simulated
      ))::int as "payingClients"
    from (
      select client, count(*) as feedback from registry_feedback
      where erc8004_agent_id = ${agentId} and not is_revoked
        and client <> ${chain.feedbackAddress ?? ""}
      group by client
    ) as given`;
  if (!counts) throw new Error("the feedback was not counted");
  return { agentId, ...counts, countsInScore: false, note: NOTE };
}
