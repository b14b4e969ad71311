import { and, count, eq, gt, or, sql } from "drizzle-orm";
import type { z } from "zod";
import { type AuthenticatedAgent, lockAgent } from "@/server/agents/authenticate";
import { keepNothing } from "@/server/agents/idempotency";
import { acquireAdvisoryLock } from "@/server/db/advisory-lock";
import { pipeline } from "@/server/db/pipeline";
import type { CitedPage } from "@/server/judging/checks/check";
import { storePages } from "@/server/judging/documents/page-store";
import type { RequirementDecider } from "@/server/judging/requirements/requirement-decider";
import type { Context, Transaction } from "@/server/lib/context";
import { databaseNow, readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import type { Party } from "@/server/lib/schema";
import { agreementProposed, createAgreementEvent } from "./events";
import { hashAgreement, hashTerms, toTermsTypedData } from "./hash-terms";
import { findParty, toAgreement } from "./public-agreement";
import type { Agreement, proposeInput, Terms } from "./schema";
import { agreements } from "./tables";
import { getQueueKey, validateTerms } from "./validate-terms";
import { requireSignature } from "./verify-signature";

/** Proposals that may be open at once between two wallets, in both directions together. */
const MAX_OPEN_PROPOSALS = 20;

/**
 * Stores terms that the agent has signed, as the proposal of one party to the other. The other party
 * need not be registered yet.
 *
 * Throws the errors of `validateTerms`, `requireSignature` and `fetchNamedPages`, `forbidden` for a third party or an unverified wallet,
 * `agreement-exists` with the `agreementId`, and `too-many-proposals`.
 */
export async function proposeAgreement(
  ctx: Context,
  { fetchNamedPages }: RequirementDecider,
  agent: AuthenticatedAgent,
  { terms, signature }: z.infer<typeof proposeInput>,
  keep = keepNothing,
): Promise<Agreement> {
  const { db, chain, publish } = ctx;
  const now = await readDatabaseTime(db);
  const queueKey = getQueueKey(ctx, agent);
  await validateTerms(ctx, terms, { now, path: ["terms"], queueKey });
  const proposedBy = requireProposer(terms, agent);
  const termsHash = hashTerms(terms);
  const typedData = toTermsTypedData(chain.registryAddress, terms, termsHash);
  const block = await requireSignature(chain, { wallet: agent.wallet, typedData, signature });
  const pages = await fetchNamedPages(terms, { queueKey, isTrial: true });

  return db.transaction(async (tx) => {
    const [, , [known], [open]] = await pipeline(tx, [
      () => lockAgent(tx, agent),
      () => acquireAdvisoryLock(tx, nameProposals(terms)),
      () => selectKnownTerms(tx, termsHash),
      () => countOpenProposals(tx, terms),
    ]);
    // The terms name both wallets, so who knows them is one of the two.
    if (known) throw createKnownError(known);
    if (open && open.count >= MAX_OPEN_PROPOSALS) throw createTooManyError(terms);
    const [row] = await tx
      .insert(agreements)
      .values({
        terms,
        termsHash,
        digest: hashAgreement(chain.registryAddress, terms, termsHash),
        requester: terms.requester,
        contractor: terms.contractor,
        valueMicro: BigInt(terms.valueMicro),
        startBy: new Date(terms.startBy),
        deliverBy: new Date(terms.deliverBy),
        proposedAt: sql`date_trunc('second', now())`,
        proposedBy,
        [`${proposedBy}Signature`]: signature,
        [`${proposedBy}Block`]: block,
        unresponsiveUrls: listUnresponsive(pages),
      })
      .returning();
    if (!row) throw new Error("the agreement was not inserted");
    await storePages(tx, pages, { subjectId: row.id, submitter: agent.wallet });
    const agreement = toAgreement(chain, { ...row, paymentTxHash: null, refundTxHash: null }, now);
    await keep(tx, agreement);
    await publish(tx, [createAgreementEvent(agreementProposed, row.id)]);
    return agreement;
  });
}

/** Returns which party of the terms the agent is. Throws `forbidden` for others and unverified wallets. */
function requireProposer(
  terms: Terms,
  { wallet, walletVerified }: Pick<AuthenticatedAgent, "wallet" | "walletVerified">,
): Party {
  if (!walletVerified) {
    const detail = "Only the owner of a wallet can propose: register again with a walletProof.";
    throw new AppError("forbidden", detail);
  }
  const party = findParty(terms, wallet);
  if (party) return party;
  const detail = `This key belongs to ${wallet}, and only the requester or the contractor of the terms can propose them.`;
  throw new AppError("forbidden", detail);
}

export const listUnresponsive = (pages: Record<string, CitedPage>): string[] =>
  Object.keys(pages).filter((url) => pages[url]?.kind !== "page");

const createKnownError = (known: { agreementId: string }) =>
  new AppError("agreement-exists", "Exactly these terms were proposed before.", { extra: known });

function createTooManyError({ requester, contractor }: Terms): AppError {
  const detail = `${MAX_OPEN_PROPOSALS} proposals between ${requester} and ${contractor} are open.`;
  return new AppError("too-many-proposals", detail);
}

/** Names the lock under which proposals of two wallets are counted and inserted. */
const nameProposals = ({ requester, contractor }: Terms): string =>
  `agreement-proposals:${[requester, contractor].sort().join(":")}`;

const selectKnownTerms = (tx: Transaction, termsHash: string) =>
  tx
    .select({ agreementId: agreements.id })
    .from(agreements)
    .where(eq(agreements.termsHash, termsHash));

const countOpenProposals = (tx: Transaction, { requester, contractor }: Terms) =>
  tx
    .select({ count: count() })
    .from(agreements)
    .where(
      and(
        eq(agreements.status, "PROPOSED"),
        gt(agreements.startBy, databaseNow),
        or(
          and(eq(agreements.requester, requester), eq(agreements.contractor, contractor)),
          and(eq(agreements.requester, contractor), eq(agreements.contractor, requester)),
        ),
      ),
    );
