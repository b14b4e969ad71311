import { Fact } from "@/components/ui/fact";
import { formatDateTime } from "@/components/ui/format";
import { getOtherParty } from "@/server/disputes/parties";
import type { Dispute } from "@/server/disputes/schema";
import { PARTY_NAMES } from "./describe-dispute";
import { formatDuration } from "./time-left";

interface Props {
  dispute: Dispute;
  /** Last time at which the dispute could be opened, ISO 8601; null if unknown. */
  openUntil: string | null;
  /** Render time, milliseconds. */
  now: number;
}

/** Shows both deadlines of a dispute with the time left, and what follows from missing one. */
export function Deadlines({ dispute, openUntil, now }: Props) {
  const { openedBy, openedAt, expiresAt, statements, phase } = dispute;
  const other = PARTY_NAMES[getOtherParty(openedBy)];
  const answer = statements.find(({ party }) => party !== openedBy);
  return (
    <dl className="grid gap-4">
      {openUntil && (
        <Fact label="To open a dispute">
          {formatDateTime(openUntil)}
          <span className="block text-sm text-muted">
            Opened with {formatDuration(Date.parse(openUntil) - Date.parse(openedAt))} left
          </span>
        </Fact>
      )}
      <Fact label={`For the ${other} to answer`}>
        {formatDateTime(expiresAt)}
        <span className="block text-sm text-muted">
          {answer
            ? `Answered with ${formatDuration(Date.parse(expiresAt) - Date.parse(answer.at))} left`
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
