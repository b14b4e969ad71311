import { describePayment } from "@/components/agreements/next-step";
import { getMove } from "@/components/outcomes/score-move";
import type { Agreement } from "@/server/agreements/schema";
import type { Dispute } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { ScoreChange } from "@/server/reputation/schema";

/** The newest records of an owner, of each kind. */
type OwnRecords = readonly [
  outcomes: { content: PublicOutcome[] },
  disputes: { content: Dispute[] },
  agreements: { content: Agreement[] },
];

/**
 * Summarizes what an owner's pages depend on: once it differs, they are outdated. Includes the minute of
 * `now` (milliseconds), since deadlines pass without a record.
 */
export const summarizeRecords = (
  [outcomes, disputes, agreements]: OwnRecords,
  now: number,
): string =>
  JSON.stringify([
    Math.floor(now / 60_000),
    outcomes.content.map(({ outcomeId, refund, superseded, ...rest }) => [
      outcomeId,
      [rest.finalVerdict, rest.disputeId, refund?.status, superseded?.by],
    ]),
    disputes.content.map(({ disputeId, phase, stakes }) => [
      [disputeId, phase],
      stakes.map(({ state }) => state),
    ]),
    agreements.content.map(({ agreementId, status, ...rest }) => [
      [agreementId, status, rest.paidAt, rest.checkPassedAt, rest.cancellationRequestedBy],
      [rest.deliveryPaymentTxHash, rest.settledAt, rest.refundTxHash],
    ]),
  ]);

/** Says what is known of the payments of delivered work, by the ids of the outcomes. */
export const listPayments = (
  agreements: readonly Agreement[],
): Record<string, string | undefined> =>
  Object.fromEntries(agreements.map((one) => [one.outcomeId, describePayment(one)]));

/** Changes of the score to read for a page of outcomes or disputes. */
export const CHANGES_READ = 100;

/** Points by which outcomes or disputes moved the owner's score, by their ids. */
export type Moves = Record<string, number>;

/** Sums what each outcome did to the score, by its verdict and all that came after, or each dispute. */
export function sumMoves(
  changes: readonly ScoreChange[],
  of: "outcomeId" | "disputeId" = "outcomeId",
): Moves {
  const byId = Map.groupBy(changes, (change) => change[of] ?? "");
  return Object.fromEntries([...byId].map(([id, ofId]) => [id, getMove(ofId)]));
}
