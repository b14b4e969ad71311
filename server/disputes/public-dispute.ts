import type { usedTransfers } from "@/server/chain/tables";
import { UNDECIDED_PPM } from "@/server/judging/checks/confidence";
import { fromMicro, STAKE_USDC } from "@/server/lib/usdc";
import { toPublicChecks } from "@/server/outcomes/public-judgement";
import type { outcomes } from "@/server/outcomes/tables";
import { getOtherParty, getWinner } from "./parties";
import type { Dispute, Party, ReviewDetail } from "./schema";
import type { disputeSides, disputes, payouts } from "./tables";

/** A dispute with what is shown of its outcome. */
export type DisputeRow = typeof disputes.$inferSelect &
  Pick<typeof outcomes.$inferSelect, "taskCategory" | "title" | "confidencePpm">;
export type SideRow = typeof disputeSides.$inferSelect & {
  transfer: typeof usedTransfers.$inferSelect;
  /** Payout of its stake; null while nothing is owed. */
  payout: typeof payouts.$inferSelect | null;
};

/** Returns the public view of a dispute: no verdict before it is resolved, and never a document. */
export function toPublicDispute(row: DisputeRow, sides: SideRow[], now: Date): Dispute {
  const parties = [row.openedBy, getOtherParty(row.openedBy)];
  return {
    disputeId: row.id,
    outcomeId: row.outcomeId,
    status: row.status,
    phase: getPhase(row, sides.length, now),
    openedBy: row.openedBy,
    contractorAgentAddress: row.contractor,
    requesterAgentAddress: row.requester,
    taskCategory: row.taskCategory,
    title: row.title,
    stakeUsdc: STAKE_USDC,
    openedAt: row.openedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    recordedVerdict: row.recordedVerdict,
    recordedAssessed: (row.confidencePpm ?? 0) > UNDECIDED_PPM,
    stakes: parties.map((party) =>
      toStake(
        row,
        party,
        sides.find((side) => side.party === party),
      ),
    ),
    statements: sides.map((side) => ({
      party: side.party,
      text: side.statement,
      evidenceUrl: side.evidenceUrl,
      evidenceHash: side.evidenceHash,
      evidenceFailure: side.evidenceFailure,
      deliverableHash: side.deliverableHash,
      at: side.stakedAt.toISOString(),
    })),
    ...(row.status === "RESOLVED" ? getResolvedFields(row) : {}),
    ...(row.simulated ? { simulated: true } : {}),
  };
}

/** Returns the fields that one transaction sets together when it resolves a dispute. */
function getResolvedFields(row: DisputeRow): Partial<Dispute> {
  return {
    verdict: row.verdict ?? undefined,
    assessed: row.assessed ?? undefined,
    reason: row.explanation ?? undefined,
    checks: row.detail ? listChecks(row.detail) : undefined,
    finalVerdict: row.finalVerdict ?? undefined,
    resolvedAt: row.resolvedAt?.toISOString(),
    onChainTx: row.onChainTx ?? undefined,
    recordIndex: row.recordIndex ?? undefined,
    // The reviewer of a dispute that was imported from the chain is unknown.
    judge: row.judgeKind ? { kind: row.judgeKind, id: row.judgeId ?? "" } : undefined,
    evidence: row.evidence ?? undefined,
    evidenceHash: row.evidenceHash ?? undefined,
  };
}

/** Returns what code checked in a review: the requirements of an agreement, else what the task states. */
function listChecks({ requirements = [], checks }: ReviewDetail) {
  return [
    ...requirements.map(({ check, description: text, passed, observed }, index) => {
      const outcome = passed ? ("pass" as const) : ("fail" as const);
      return { id: `r${index + 1}`, check, text, stated: true, outcome, observed };
    }),
    ...toPublicChecks(checks),
  ];
}

type Stake = Dispute["stakes"][number];

function toStake(row: DisputeRow, party: Party, side: SideRow | undefined): Stake {
  return {
    party,
    walletAddress: party === "contractor" ? row.contractor : row.requester,
    state: getStakeState(row, party, side),
    amountUsdc: side ? fromMicro(side.transfer.amountMicro) : null,
    paymentTxHash: side?.transfer.txHash ?? null,
    stakeReturnStatus: RETURN_STATUS[side?.payout?.status ?? "void"],
    stakeReturnTx: side?.payout?.txHash ?? null,
  };
}

function getStakeState(row: DisputeRow, party: Party, side: SideRow | undefined): Stake["state"] {
  if (!side) return "none";
  if (side.transfer.goneAt !== null || side.payout?.status === "void") return "gone";
  if (row.status === "OPEN" || row.verdict === null) return "held";
  if (getWinner(row.verdict) !== party) return "forfeited";
  return side.payout?.status === "paid" ? "returned" : "returning";
}

const RETURN_STATUS = {
  void: "none",
  waiting: "waiting",
  signed: "sent",
  paid: "returned",
} as const satisfies Record<string, Stake["stakeReturnStatus"]>;

interface State {
  status: "OPEN" | "RESOLVED";
  expiresAt: Date;
  reviewStartedAt: Date | null;
  judgedAt: Date | null;
}

/** Checks if the other party may still add its stake. */
export function canAnswer(dispute: State, now: Date): boolean {
  return dispute.status === "OPEN" && dispute.reviewStartedAt === null && now < dispute.expiresAt;
}

/** Returns what a dispute waits for, given the number of paid stakes. */
export function getPhase(dispute: State, stakes: number, now: Date): Dispute["phase"] {
  if (dispute.status === "RESOLVED") return "resolved";
  if (dispute.judgedAt !== null) return "recording";
  return stakes < 2 && canAnswer(dispute, now) ? "awaiting-answer" : "in-review";
}
