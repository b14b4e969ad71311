import Link from "next/link";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import type { NetworkDispute } from "@/server/explorer/schema";
import { HeadRow } from "./head-row";
import { Age } from "./outcome-table";
import { PartyLink, PartyName } from "./party-link";
import { CELL, COVER, ROW } from "./row";

interface Props {
  disputes: NetworkDispute[];
  /** Keys of rows that arrived while the page was open, see `getDisputeKey`. */
  fresh?: ReadonlySet<string>;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

const COLUMNS = [
  ["Result", "md:w-32"],
  ["Verdict", "w-52 max-md:hidden"],
  ["Agent", "max-md:hidden"],
  ["Client", "max-md:hidden"],
  ["Opened by", "w-24 max-md:hidden"],
  ["Category", "w-28 max-md:hidden"],
  ["Value", "w-32 text-right max-md:hidden"],
  ["Opened", "w-24 text-right max-md:hidden"],
] as const;

const RESULTS = {
  open: { label: "Open", path: "M10 4.5v5.5l3.5 2M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15z" },
  upheld: { label: "Upheld", path: "M5 8h10M5 12.5h10" },
  overturned: { label: "Overturned", path: "M4 7.5h11m-3-3l3 3-3 3M16 13H5m3-3l-3 3 3 3" },
} as const;

/** Identifies a row and its result, so that a new result counts as an arrival. */
export const getDisputeKey = ({ disputeId, finalVerdict }: NetworkDispute) =>
  `${disputeId} ${finalVerdict}`;

/** Lists disputes with their parties by name; on phones in two lines each. */
export function DisputeTable({ disputes, fresh, now }: Props) {
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">Disputes, most recently opened first</caption>
      <thead className="max-md:sr-only">
        <HeadRow columns={COLUMNS} />
      </thead>
      <tbody className="max-md:border-t max-md:border-line">
        {disputes.map((dispute) => (
          <tr
            key={getDisputeKey(dispute)}
            className={`${ROW} ${fresh?.has(getDisputeKey(dispute)) ? "new-arrival" : ""}`}
          >
            <th scope="row" className="py-2.5 font-normal md:h-11 md:py-1 md:pr-4">
              <span className="flex items-center justify-between gap-3">
                <Link
                  href={`/disputes/${dispute.disputeId}`}
                  prefetch={false}
                  aria-label={describeDispute(dispute)}
                  className={`${COVER} flex`}
                >
                  <ResultMark dispute={dispute} />
                </Link>
                <span className="md:hidden">
                  <VerdictMark verdict={dispute.finalVerdict ?? dispute.recordedVerdict} />
                </span>
              </span>
              <span className="mt-0.5 flex items-baseline justify-between gap-3 text-sm md:hidden">
                <span className="min-w-0 truncate">
                  <PartyName {...dispute.contractor} />
                  <span className="text-muted">
                    {" "}
                    for <PartyName {...dispute.requester} />, {formatUsdc(dispute.valueUsdc)}
                  </span>
                </span>
                <Age at={dispute.openedAt} now={now} />
              </span>
            </th>
            <td className={CELL}>
              <Verdicts dispute={dispute} />
            </td>
            <td className={`${CELL} truncate font-medium`}>
              <PartyLink party={dispute.contractor} />
            </td>
            <td className={`${CELL} truncate`}>
              <PartyLink party={dispute.requester} />
            </td>
            <td className={`${CELL} text-sm text-muted`}>
              {dispute.openedBy === "contractor" ? "Agent" : "Client"}
            </td>
            <td className={`${CELL} text-sm text-muted`}>{dispute.taskCategory}</td>
            <td className={`${CELL} text-right`}>{formatUsdc(dispute.valueUsdc)}</td>
            <td className={`${CELL} text-right text-sm`}>
              <Age at={dispute.openedAt} now={now} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function getResult({ recordedVerdict, finalVerdict }: NetworkDispute): keyof typeof RESULTS {
  if (finalVerdict === null) return "open";
  return finalVerdict === recordedVerdict ? "upheld" : "overturned";
}

function describeDispute(dispute: NetworkDispute): string {
  const [agent, client] = [dispute.contractor, dispute.requester].map(
    ({ name, walletAddress }) => name ?? shortenHex(walletAddress),
  );
  return `${RESULTS[getResult(dispute)].label}: dispute between ${agent} and ${client}`;
}

function ResultMark({ dispute }: { dispute: NetworkDispute }) {
  const result = getResult(dispute);
  const { label, path } = RESULTS[result];
  return (
    <span
      className={`inline-flex items-center gap-1.5 text-sm ${result === "upheld" ? "" : "font-medium"}`}
    >
      <Icon path={path} className="size-4 text-muted" strokeWidth={1.8} />
      {label}
    </span>
  );
}

/** Shows the verdict, and the original one before it if the dispute changed it. */
function Verdicts({ dispute: { recordedVerdict, finalVerdict } }: { dispute: NetworkDispute }) {
  if (finalVerdict === null || finalVerdict === recordedVerdict) {
    return <VerdictMark verdict={recordedVerdict} />;
  }
  return (
    <span className="inline-flex items-center gap-2">
      <VerdictMark verdict={recordedVerdict} />
      <Icon path="M4 10h11m-4-4l4 4-4 4" className="size-4 text-muted" />
      <span className="sr-only">changed to</span>
      <VerdictMark verdict={finalVerdict} />
    </span>
  );
}
