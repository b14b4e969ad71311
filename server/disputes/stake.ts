import { eq } from "drizzle-orm";
import type { Caller } from "@/server/agents/authenticate";
import { keepNothing } from "@/server/agents/idempotency";
import type { Core } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import { requireOutcome } from "@/server/outcomes/queries";
import { attachSide, requireParty } from "./attach-side";
import { disputeAnswered } from "./events";
import { canAnswer, type DisputeRow, type SideRow } from "./public-dispute";
import { findSides, getPublicDispute, requireDispute } from "./queries";
import type { Dispute, Party, StakeInput } from "./schema";
import type { Refusal } from "./stake-payment";
import { disputes } from "./tables";

/**
 * Answers a dispute: stores the other party's stake, statement and evidence, and publishes that
 * the review can start, in one transaction. Possible once, until the review starts; a late
 * or second valid payment is sent back to its sender, and the error says so. `now`
 * is the time of the request.
 *
 * Throws `not-found`, `forbidden`, `conflict` (this party has staked), `dispute-closed` and the
 * errors of `attachSide`.
 */
export async function stakeDispute(
  core: Core,
  agent: Caller & { wallet: string },
  input: StakeInput,
  now: Date,
  keep = keepNothing,
): Promise<Dispute> {
  const { disputeId } = input;
  const dispute = await requireDispute(core.db, disputeId);
  const party = requireParty(agent.wallet, dispute);
  const outcome = await requireOutcome(core.db, dispute.outcomeId);
  const request = { party, txHash: input.stakePaymentTxHash, now };
  const event = {
    id: `dispute-answered:${disputeId}`,
    name: disputeAnswered.name,
    data: { disputeId },
  };
  return attachSide(core, {
    agent,
    party,
    outcome,
    input,
    statement: input.statement ?? null,
    async findRefusal(db) {
      const current = await requireDispute(db, disputeId);
      return checkAttachable(current, await findSides(db, current), request);
    },
    // Either the answer is stored before the review starts, or the next check finds it started.
    lock: (tx) =>
      tx
        .select({ id: disputes.id })
        .from(disputes)
        .where(eq(disputes.id, disputeId))
        .for("no key update"),
    prepare: async () => ({ dispute, event }),
    async respond(tx) {
      return keep(tx, await getPublicDispute(tx, disputeId, new Date()));
    },
  });
}

function checkAttachable(
  dispute: DisputeRow,
  sides: SideRow[],
  { party, txHash, now }: { party: Party; txHash: string; now: Date },
): Refusal | null {
  const own = sides.find((side) => side.party === party);
  if (own) {
    const error = new AppError("conflict", "You have already staked in this dispute.");
    // Repeating the same request takes no second payment of the transaction.
    return { error, returnsStake: own.transfer.txHash !== txHash.toLowerCase() };
  }
  if (canAnswer(dispute, now)) return null;
  const detail = "The dispute can no longer be answered: its review has started or is due.";
  return { error: new AppError("dispute-closed", detail), returnsStake: true };
}
