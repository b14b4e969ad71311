import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Caller } from "@/server/agents/authenticate";
import { keepNothing } from "@/server/agents/idempotency";
import type { Core, Sql } from "@/server/lib/context";
import { getDisputeReview } from "@/server/lib/env";
import { AppError } from "@/server/lib/errors";
import type { Verdict } from "@/server/lib/schema";
import { STAKE_USDC } from "@/server/lib/usdc";
import type { OutcomeRow } from "@/server/outcomes/public-outcome";
import {
  createNotResolvedError,
  createSupersededError,
  findOutcome,
  lockOutcome,
  requireOutcome,
} from "@/server/outcomes/queries";
import { outcomes } from "@/server/outcomes/tables";
import { attachSide, requireParty } from "./attach-side";
import { disputeOpened } from "./events";
import { getOtherParty } from "./parties";
import { canAnswer } from "./public-dispute";
import { findDisputeByOutcome, findSides } from "./queries";
import type { OpenedDispute, OpenInput, Party } from "./schema";
import type { Refusal } from "./stake-payment";
import { disputes } from "./tables";

/**
 * Opens a dispute for the party that the recorded verdict goes against. Stores the dispute, its
 * stake, its evidence, the outcome's `disputeId` and the event that starts its review in one
 * transaction. Of concurrent requests, one opens it. A valid payment of the others that cannot
 * serve as the second stake is sent back to its sender, and the error says so. `now` is the time
 * of the request by the database's clock.
 *
 * Throws `judge-unavailable`, `not-found`, `forbidden`, `outcome-not-resolved`, `already-disputed` (with the
 * `disputeId`), `verdict-favors-you`, `superseded`, `already-refunded`, `dispute-closed` and the errors of `attachSide`.
 */
export async function openDispute(
  core: Core,
  agent: Caller & { wallet: string },
  input: OpenInput,
  now: Date,
  keep = keepNothing,
): Promise<OpenedDispute> {
  if (!acceptsDisputes(core)) {
    const detail = "No language model is configured, so the service opens no disputes.";
    throw new AppError("judge-unavailable", detail);
  }
  const outcome = await requireOutcome(core.db, input.outcomeId);
  const party = requireParty(agent.wallet, outcome);
  if (outcome.status !== "RESOLVED" || outcome.verdict === null) {
    throw createNotResolvedError();
  }
  const { id: outcomeId, contractor, requester, verdict: recordedVerdict } = outcome;
  const request = { party, txHash: input.stakePaymentTxHash, now };
  return attachSide(core, {
    agent,
    party,
    outcome,
    input,
    statement: input.reason,
    findRefusal: async (db) =>
      (await checkAlreadyDisputed(db, outcomeId, request)) ??
      checkFavored(recordedVerdict, party) ??
      (await checkVoid(db, outcomeId)) ??
      checkDeadline(core, outcome, now),
    // A concurrent request waits here for the first one and then finds its dispute.
    lock: (tx) => lockOutcome(tx, outcomeId),
    async prepare(tx, openedAt) {
      const id = randomUUID();
      const salt = randomBytes(16);
      const expiresAt = new Date(openedAt.getTime() + core.env.DISPUTE_RESPONSE_WINDOW);
      const dispute = { id, salt, openedAt, expiresAt };
      const parties = { openedBy: party, contractor, requester };
      await tx.insert(disputes).values({ ...dispute, ...parties, outcomeId, recordedVerdict });
      await tx.update(outcomes).set({ disputeId: id }).where(eq(outcomes.id, outcomeId));
      const data = { disputeId: id, expiresAt: expiresAt.toISOString() };
      return { dispute, event: { id: `dispute-opened:${id}`, name: disputeOpened.name, data } };
    },
    respond: (tx, { id, expiresAt }) =>
      keep<OpenedDispute>(tx, {
        disputeId: id,
        status: "OPEN",
        stakeUsdc: STAKE_USDC,
        expiresAt: expiresAt.toISOString(),
        disputeReview: getDisputeReview(core.env),
      }),
  });
}

/**
 * Returns whether new disputes are accepted. Checks alone cannot weigh arguments, so without a
 * language model only stakes without value are taken.
 */
export function acceptsDisputes({ env, chain }: Pick<Core, "env" | "chain">): boolean {
  return chain.isLocal || getDisputeReview(env) === "model";
}

/** Returns the refusal if the outcome is disputed already, else null. */
async function checkAlreadyDisputed(
  db: Sql,
  outcomeId: string,
  { party, txHash, now }: { party: Party; txHash: string; now: Date },
): Promise<Refusal | null> {
  const dispute = await findDisputeByOutcome(db, outcomeId);
  if (!dispute) return null;
  const error = new AppError("already-disputed", "This outcome is already disputed.", {
    extra: { disputeId: dispute.id },
  });
  const sides = await findSides(db, dispute);
  const own = sides.find((side) => side.party === party);
  // The same request again, or a payment with which this party can still answer.
  const isUsable = own
    ? own.transfer.txHash === txHash.toLowerCase()
    : party === getOtherParty(dispute.openedBy) && canAnswer(dispute, now);
  return { error, returnsStake: !isUsable };
}

/**
 * Refuses the party that the verdict favors. Its payment is sent back, since the other party may
 * never open a dispute in which it could serve as the answer.
 */
function checkFavored(verdict: Verdict, party: Party): Refusal | null {
  const loser = verdict === "SUCCESS" ? "requester" : "contractor";
  if (party === loser) return null;
  const detail = `The verdict, ${verdict}, favors the ${party}: only the ${loser} can dispute it.`;
  return { error: new AppError("verdict-favors-you", detail), returnsStake: true };
}

/** Refuses a dispute over a superseded or refunded outcome, which no longer counts. */
async function checkVoid(db: Sql, outcomeId: string): Promise<Refusal | null> {
  const { supersededBy, refund } = (await findOutcome(db, outcomeId)) ?? {};
  if (supersededBy) return { error: createSupersededError(supersededBy), returnsStake: true };
  if (!refund) return null;
  const detail = `The outcome no longer counts, because its payment was returned in transaction ${refund.txHash}, so it cannot be disputed.`;
  return { error: new AppError("already-refunded", detail), returnsStake: true };
}

function checkDeadline(
  { env }: Core,
  { resolvedAt, rebuilt }: OutcomeRow,
  now: Date,
): Refusal | null {
  if (rebuilt) {
    const detail = "The outcome cannot be reviewed: its texts were lost with an earlier database.";
    return { error: new AppError("dispute-closed", detail), returnsStake: true };
  }
  const closedAt = (resolvedAt?.getTime() ?? 0) + env.DISPUTE_WINDOW;
  if (now.getTime() <= closedAt) return null;
  const detail = `The outcome could be disputed until ${new Date(closedAt).toISOString()}.`;
  return { error: new AppError("dispute-closed", detail), returnsStake: true };
}
