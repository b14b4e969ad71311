import { getRecordedResult, nameResult } from "@/components/outcomes/result";
import { Deadline } from "@/components/ui/deadline";
import { capitalizeFirst, formatDateTime } from "@/components/ui/format";
import { FullLink } from "@/components/ui/text-link";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute, DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { PARTY_NAMES } from "./describe-dispute";
import { areWordsWeighed } from "./dispute-option";
import { FollowDispute } from "./follow-dispute";

interface Props {
  dispute: Dispute;
  outcome: PublicOutcome;
  network: Pick<DisputeTerms, "disputeReview">;
}

/** Explains what an open dispute is waiting for, with the deadline, and follows it. */
export function DisputeStatus({ dispute, ...facts }: Props) {
  const other = PARTY_NAMES[getOtherParty(dispute.openedBy)];
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-3 rounded-lg bg-notice px-5 py-4 text-notice-ink sm:px-6">
      {dispute.phase === "awaiting-answer" && (
        <p>
          <span className="font-serif text-3xl font-semibold">
            <Deadline at={dispute.expiresAt} />
          </span>
          <span className="block text-sm">
            for the {other} to{" "}
            <FullLink href={`/dashboard/disputes?dispute=${dispute.disputeId}#form`}>
              answer
            </FullLink>
            , until {formatDateTime(dispute.expiresAt)}
          </span>
        </p>
      )}
      <div className="min-w-0 flex-1 basis-80">
        <p>{describePhase(dispute, facts, other)}</p>
        <p className="mt-1 text-sm">
          Until then the original verdict applies: {nameResult(getRecordedResult(dispute))}.{" "}
          <FollowDispute disputeId={dispute.disputeId} phase={dispute.phase} />
        </p>
      </div>
    </div>
  );
}

function describePhase(
  { phase, statements }: Dispute,
  { outcome, network }: Omit<Props, "dispute">,
  other: string,
) {
  if (phase === "recording") return "Decided. The verdict appears once it is recorded on chain.";
  const isOnTerms = outcome.agreed && outcome.judge?.kind === "llm";
  const isWeighed = areWordsWeighed(outcome, network);
  const review = isOnTerms
    ? "the judge reviews the agreed criteria"
    : isWeighed
      ? "the judge reviews the work with what both say"
      : statements.some(({ deliverableHash }) => deliverableHash)
        ? "code checks the deliverable that the contractor supplied"
        : "code repeats its decision on what is stored";
  const all = `${review}${isWeighed ? "" : "; of the statements, only a concession counts"}.`;
  if (phase === "awaiting-answer") return `Not answering doesn't mean losing: ${all}`;
  return statements.length > 1
    ? capitalizeFirst(all)
    : `The ${other} did not respond in time: ${all}`;
}
