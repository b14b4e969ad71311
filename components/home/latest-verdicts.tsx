import Link from "next/link";
import { PartyName } from "@/components/site/party-name";
import { formatAgo, formatDateTime, formatUsdc } from "@/components/ui/format";
import type { SiteStats } from "@/server/explorer/schema";

type RecordedVerdict = SiteStats["newest"][number];

interface Props {
  verdicts: RecordedVerdict[];
  /** Outcome IDs of verdicts that arrived while the page was open. */
  fresh: Set<string>;
  now: string;
}

/** Lists the latest recorded verdicts with parties, category and value. */
export function LatestVerdicts({ verdicts, fresh, now }: Props) {
  if (verdicts.length === 0) {
    return (
      <p className="mt-4 rounded-lg border border-dashed border-line px-6 py-8 text-center text-muted">
        No verdicts yet. The first appears here seconds after an outcome is submitted through the
        API.
      </p>
    );
  }
  return (
    <>
      <svg className="absolute size-0" aria-hidden="true">
        <symbol id="SUCCESS" viewBox="0 0 20 20" {...LINE}>
          <path d="M4.5 10.5l3.5 3.5 7.5-8" />
        </symbol>
        <symbol id="FAILURE" viewBox="0 0 20 20" {...LINE}>
          <path d="M5.5 5.5l9 9m0-9l-9 9" />
        </symbol>
      </svg>
      <ul className="verdict-list mt-3 border-t border-line">
        {verdicts.map((verdict) => (
          <Row
            key={verdict.outcomeId}
            verdict={verdict}
            isFresh={fresh.has(verdict.outcomeId)}
            now={now}
          />
        ))}
      </ul>
    </>
  );
}

const LINE = {
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2.2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
} as const;

interface RowProps {
  verdict: RecordedVerdict;
  isFresh: boolean;
  now: string;
}

function Row({ verdict, isFresh, now }: RowProps) {
  const { outcomeId, finalVerdict, taskCategory, contractor, requester, resolvedAt } = verdict;
  const isSuccess = finalVerdict === "SUCCESS";
  const value = `${formatUsdc(verdict.valueUsdc)}${verdict.paidUsdc > 0 ? ", paid" : ""}`;
  return (
    <li className={isFresh ? "new-arrival" : undefined}>
      <b className={isSuccess ? "text-good" : "text-bad"}>
        <svg aria-hidden="true">
          <use href={`#${finalVerdict}`} />
        </svg>
        {isSuccess ? "Success" : "Failure"}
      </b>
      <Link href={`/outcomes/${outcomeId}`} prefetch={false}>
        <PartyName {...contractor} />
      </Link>
      <time dateTime={resolvedAt} title={formatDateTime(resolvedAt)}>
        {formatAgo(resolvedAt, now)}
      </time>
      <p>
        {`${taskCategory} for `}
        <PartyName {...requester} />
        {`, ${value}`}
      </p>
      {verdict.byBuiltin && !verdict.simulated && <small>built-in judge</small>}
    </li>
  );
}
