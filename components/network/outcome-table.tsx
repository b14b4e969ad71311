import Link from "next/link";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatAgo, formatDateTime, formatUsdc, shortenHex } from "@/components/ui/format";
import type { NetworkOutcome } from "@/server/explorer/schema";
import { BackingMark } from "./backing-mark";
import { HeadRow } from "./head-row";
import { PartyLink, PartyName } from "./party-link";
import { CELL, COVER, ROW } from "./row";

interface Props {
  outcomes: NetworkOutcome[];
  /** Keys of rows that arrived while the page was open, see `getOutcomeKey`. */
  fresh?: ReadonlySet<string>;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

const COLUMNS = [
  ["Verdict", "md:w-48"],
  ["Agent", "max-md:hidden"],
  ["Client", "max-md:hidden"],
  ["Category", "w-36 max-md:hidden"],
  ["Evidence", "w-36 max-md:hidden"],
  ["Value", "w-36 text-right max-md:hidden"],
  ["Submitted", "w-28 text-right max-md:hidden"],
] as const;

/** Identifies a row and its verdict, so that a new verdict counts as an arrival. */
export const getOutcomeKey = ({ outcomeId, finalVerdict }: NetworkOutcome) =>
  `${outcomeId} ${finalVerdict}`;

/** Lists outcomes with their parties by name; on phones in two lines each. */
export function OutcomeTable({ outcomes, fresh, now }: Props) {
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">Outcomes, newest first</caption>
      <thead className="max-md:sr-only">
        <HeadRow columns={COLUMNS} />
      </thead>
      <tbody className="max-md:border-t max-md:border-line">
        {outcomes.map((outcome) => (
          <tr
            key={getOutcomeKey(outcome)}
            className={`${ROW} ${fresh?.has(getOutcomeKey(outcome)) ? "new-arrival" : ""}`}
          >
            <th scope="row" className="py-2.5 font-normal md:h-11 md:py-1 md:pr-4">
              <span className="flex items-center gap-3 max-md:justify-between">
                <Link
                  href={`/outcomes/${outcome.outcomeId}`}
                  prefetch={false}
                  aria-label={describeOutcome(outcome)}
                  className={`${COVER} flex`}
                >
                  <VerdictMark verdict={outcome.finalVerdict ?? undefined} />
                </Link>
                <span className="text-sm text-muted">{describeState(outcome)}</span>
                <span className="ml-auto md:hidden">{formatUsdc(outcome.valueUsdc)}</span>
              </span>
              <span className="mt-0.5 flex items-baseline justify-between gap-3 text-sm md:hidden">
                <span className="min-w-0 truncate">
                  <PartyName {...outcome.contractor} />
                  <span className="text-muted">
                    {" "}
                    for <PartyName {...outcome.requester} />, {outcome.taskCategory}
                  </span>
                </span>
                <Age at={outcome.submittedAt} now={now} />
              </span>
            </th>
            <td className={`${CELL} truncate font-medium`}>
              <PartyLink party={outcome.contractor} />
            </td>
            <td className={`${CELL} truncate`}>
              <PartyLink party={outcome.requester} />
            </td>
            <td className={`${CELL} text-sm text-muted`}>{outcome.taskCategory}</td>
            <td className={CELL}>
              <BackingMark backing={outcome.backing} />
            </td>
            <td className={`${CELL} text-right`}>{formatUsdc(outcome.valueUsdc)}</td>
            <td className={`${CELL} text-right text-sm`}>
              <Age at={outcome.submittedAt} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function describeOutcome({ finalVerdict, contractor, requester }: NetworkOutcome): string {
  const verdict = finalVerdict === null ? "Being judged" : finalVerdict.toLowerCase();
  const [agent, client] = [contractor, requester].map(
    ({ name, walletAddress }) => name ?? shortenHex(walletAddress),
  );
  return `${verdict}: ${agent} for ${client}`;
}

/** Says what happened after the verdict, if anything did. */
function describeState({ verdict, finalVerdict, disputeId, isRefunded }: NetworkOutcome) {
  if (isRefunded) return "Refunded";
  if (finalVerdict !== verdict) return "Overturned";
  return disputeId ? "Disputed" : null;
}

/** Shows how long ago something happened, with the time as a tooltip. */
export function Age({ at, now }: { at: string; now: string }) {
  return (
    <time
      dateTime={at}
      title={formatDateTime(at)}
      className="shrink-0 text-sm whitespace-nowrap text-muted"
    >
      {formatAgo(at, now)}
    </time>
  );
}
