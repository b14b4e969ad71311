import { randomUUID } from "node:crypto";
import { type Caller, lockAgent } from "@/server/agents/authenticate";
import { requireUnusedTransfer } from "@/server/chain/payments/require-payment";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import {
  type DocumentCopy,
  fetchDocumentCopy,
  storeDocumentCopy,
} from "@/server/judging/documents/document-copy";
import { commitToHash } from "@/server/judging/evidence";
import type { AppEvent, Core, Sql, Transaction } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import { createFieldErrors } from "@/server/lib/to-app-error";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import type { Party, StakeInput } from "./schema";
import {
  getStakeTerms,
  type Refusal,
  refuseStake,
  requireStake,
  returnStake,
} from "./stake-payment";
import { disputeSides } from "./tables";

interface Dispute {
  id: string;
  salt: Uint8Array;
}

/** A party's stake, statement and evidence, and how they attach to a dispute. */
interface SideRequest<D extends Dispute, T> {
  agent: Caller & { wallet: string };
  party: Party;
  outcome: OutcomeRow;
  input: Pick<StakeInput, "stakePaymentTxHash" | "deliverableContent" | "evidenceUrl">;
  statement: string | null;
  /** Returns why the side cannot attach. Called before the payment is verified and under the lock. */
  findRefusal(db: Sql): Promise<Refusal | null>;
  /** Locks what the side attaches to until `tx` ends. */
  lock(tx: Transaction): Promise<unknown>;
  /** Returns the dispute, which it may create, and the event to publish. */
  prepare(tx: Transaction, now: Date): Promise<{ dispute: D; event: AppEvent }>;
  /** Returns the response, once everything but the event is stored. */
  respond(tx: Transaction, dispute: D): Promise<T>;
}

/**
 * Verifies a party's stake and fetches its evidence, then attaches both to a dispute and publishes
 * the event in one transaction. Returns the response. A valid payment that cannot attach is sent back to its sender, and
 * the error says so.
 *
 * Throws the error of the refusal, `deliverable-not-accepted`, `unauthenticated` and the errors of
 * `requireStake`.
 */
export async function attachSide<D extends Dispute, T>(
  core: Core,
  { agent, party, outcome, input, statement, findRefusal, lock, ...side }: SideRequest<D, T>,
): Promise<T> {
  requireDeliverableAllowed(outcome, party, input.deliverableContent);
  const terms = await getStakeTerms(core, input.stakePaymentTxHash, agent.wallet, outcome);
  const refusal = await findRefusal(core.db);
  if (refusal) throw await refuseStake(core, agent.id, terms, refusal);
  const transfers = await requireStake(core, terms);
  const evidence = input.evidenceUrl ? await fetchDocumentCopy(core, input.evidenceUrl) : null;

  const attached = await core.db.transaction(async (tx) => {
    await lockAgent(tx, agent);
    await lock(tx);
    const late = await findRefusal(tx);
    if (late) return late.returnsStake ? returnStake(core, tx, transfers, late.error) : late.error;
    const stakedAt = await readDatabaseTime(tx);
    const { dispute, event } = await side.prepare(tx, stakedAt);
    await storeSide(core, tx, {
      dispute,
      party,
      agentId: agent.id,
      statement,
      evidence,
      deliverableContent: input.deliverableContent ?? null,
      suppliesDeliverable: canSupplyDeliverable(outcome, party),
      transfers,
      stakedAt,
    });
    const response = await side.respond(tx, dispute);
    await core.publish(tx, [event]);
    return response;
  });
  if (attached instanceof AppError) throw attached;
  return attached;
}

/** Returns which party a wallet is. Throws `forbidden` if it is neither. */
export function requireParty(
  wallet: string,
  { contractor, requester }: { contractor: string; requester: string },
): Party {
  if (wallet === contractor) return "contractor";
  if (wallet === requester) return "requester";
  throw new AppError(
    "forbidden",
    "Only the contractor or the requester of the outcome may do that, and this key belongs to neither.",
  );
}

interface Side {
  dispute: Dispute;
  party: Party;
  agentId: string;
  statement: string | null;
  /** The fetched document; null if no URL was given. */
  evidence: DocumentCopy | null;
  deliverableContent: string | null;
  /** Then the document is the deliverable if there is no content. */
  suppliesDeliverable: boolean;
  /** Stake payments; the first unused one is taken. */
  transfers: UsdcTransfer[];
  stakedAt: Date;
}

/**
 * Stores a party's statement, evidence and stake in `tx`, with the document under the side's id.
 * Throws `payment-used` if every transfer is used by now.
 */
async function storeSide(
  { chain }: Pick<Core, "chain">,
  tx: Transaction,
  { dispute, evidence, transfers, suppliesDeliverable, ...side }: Side,
): Promise<void> {
  const transfer = await requireUnusedTransfer(tx, chain, transfers, "stake");
  const id = randomUUID();
  const { url = null, failure = null, sha256: documentHash } = evidence?.row ?? {};
  const evidenceHash =
    failure === null ? commitToHash(dispute.salt, documentHash ?? undefined) : null;
  const { deliverableContent } = side;
  const documentAsDeliverable = suppliesDeliverable ? evidenceHash : null;
  await tx.insert(disputeSides).values({
    ...side,
    id,
    disputeId: dispute.id,
    transferId: transfer.id,
    evidenceUrl: url,
    evidenceFailure: failure,
    evidenceHash,
    deliverableHash:
      deliverableContent !== null
        ? commitToHash(dispute.salt, sha256(deliverableContent))
        : documentAsDeliverable,
  });
  if (evidence) await storeDocumentCopy(tx, id, evidence.row);
}

/**
 * Checks if `party` may supply the deliverable: only a contractor whose requester submitted the
 * outcome, since the first judgement saw only the requester's claim. Under an agreement, the
 * contractor could deliver before the deadline.
 */
function canSupplyDeliverable(
  { submittedBy, agreed }: Pick<OutcomeRow, "submittedBy" | "agreed">,
  party: Party,
): boolean {
  return party === "contractor" && submittedBy === "requester" && !agreed;
}

/** Throws `deliverable-not-accepted`, naming the field, if `content` is given but not accepted. */
function requireDeliverableAllowed(
  outcome: Pick<OutcomeRow, "submittedBy" | "agreed">,
  party: Party,
  content: string | undefined,
): void {
  if (content === undefined || canSupplyDeliverable(outcome, party)) return;
  const detail = outcome.agreed
    ? "must be left out: under an agreement, only what was delivered before the deadline is reviewed"
    : party === "requester"
      ? "must be left out: only the contractor can supply the deliverable"
      : "must be left out: the contractor submitted this outcome with its deliverable, and that is what is judged";
  const error = { pointer: "#/deliverableContent", detail, code: "not-accepted" };
  throw createFieldErrors([error], "deliverable-not-accepted");
}
