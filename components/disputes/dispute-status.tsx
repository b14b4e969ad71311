import { Fact } from "@/components/ui/fact";
import { formatDateTime } from "@/components/ui/format";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import { AutoRefresh, TimeLeft } from "./countdown";
import { formatDuration, PARTY_NAMES } from "./describe-dispute";

const REFRESH_MS = 5_000;

/** Explains what an open dispute is waiting for, with the deadline; refreshes the page. */
export function DisputeStatus({ dispute, leftMs }: { dispute: Dispute; leftMs: number }) {
  const other = PARTY_NAMES[getOtherParty(dispute.openedBy)];
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-3 rounded-lg bg-notice px-5 py-4 text-notice-ink sm:px-6">
      <AutoRefresh everyMs={REFRESH_MS} />
      {dispute.phase === "awaiting-answer" && (
        <p>
          <TimeLeft leftMs={leftMs} until={dispute.expiresAt} />
          <span className="block text-sm">
            left for the {other} to answer, until {formatDateTime(dispute.expiresAt)}
          </span>
        </p>
      )}
      <div className="min-w-0 flex-1 basis-80">
        <p>{describePhase(dispute, other)}</p>
        <p className="mt-1 text-sm">
          Until then the original verdict applies. This page updates automatically.
        </p>
      </div>
    </div>
  );
}

function describePhase({ phase, statements }: Dispute, other: string): string {
  if (phase === "awaiting-answer") {
    return "Not answering doesn't mean losing: the judge reviews the work and decides on the evidence.";
  }
  if (phase === "recording") {
    return "The judge has decided. The verdict appears once it is recorded on chain.";
  }
  return statements.length > 1
    ? "The judge reviews the work with both statements."
    : `The ${other} did not respond in time. The judge reviews the work and decides on the evidence.`;
}

interface Props {
  dispute: Dispute;
  /** Render time, milliseconds. */
  now: number;
}

/** Shows the deadline to answer an open dispute, and what follows from missing it. */
export function Deadlines({ dispute, now }: Props) {
  const { openedBy, expiresAt, statements, phase } = dispute;
  const other = PARTY_NAMES[getOtherParty(openedBy)];
  const answer = statements.find(({ party }) => party !== openedBy);
  return (
    <dl className="grid gap-4">
      <Fact label={`For the ${other} to answer`}>
        {formatDateTime(expiresAt)}
        <span className="block text-sm text-muted">
          {answer
            ? `Answered on ${formatDateTime(answer.at)}`
            : phase === "awaiting-answer"
              ? `${formatDuration(Date.parse(expiresAt) - now)} left`
              : "Not answered in time"}
        </span>
      </Fact>
      {!answer && (
        <Fact label={`If the ${other} doesn't answer`}>
          The judge decides on the evidence. Not answering doesn't mean losing.
        </Fact>
      )}
    </dl>
  );
}
