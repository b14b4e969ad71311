import type { NetworkOutcome } from "@/server/explorer/network/schema";
import type { Backing, Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What a list shows of an outcome; what is missing is not shown. */
export type OutcomeRow = Partial<NetworkOutcome> &
  Pick<NetworkOutcome, "outcomeId" | "taskCategory" | "contractor" | "requester" | "valueUsdc"> & {
    /** Said below the verdict. */
    note?: string | false;
  };

/** Returns the row of an outcome, whose public facts are many times as long. */
export function toOutcomeRow(
  { refund, superseded, ...outcome }: PublicOutcome & { backing?: Backing },
  names: Names,
): OutcomeRow {
  const name = (walletAddress: NetworkOutcome["contractor"]["walletAddress"]) => ({
    walletAddress,
    name: names[walletAddress] ?? null,
  });
  return {
    outcomeId: outcome.outcomeId,
    taskCategory: outcome.taskCategory,
    title: outcome.title,
    contractor: name(outcome.contractorAgentAddress),
    requester: name(outcome.requesterAgentAddress),
    valueUsdc: outcome.valueUsdc,
    submittedAt: outcome.submittedAt,
    verdict: outcome.verdict ?? null,
    finalVerdict: outcome.finalVerdict ?? null,
    assessed: outcome.assessed ?? null,
    disputeId: outcome.disputeId ?? null,
    clientConfirmed: outcome.clientConfirmed ?? null,
    isRefunded: refund !== undefined,
    isSuperseded: superseded !== undefined,
    ...(outcome.backing && { backing: outcome.backing }),
  };
}
