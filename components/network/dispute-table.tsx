import { nameParty } from "@/components/site/party-name";
import { formatUsdc } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import type { NetworkDispute } from "@/server/explorer/network/schema";
import { Age, JOB_COLUMNS } from "./list-cells";

/** Says who won: an upheld verdict is for the party that did not open the dispute. */
function describeResult({ recordedVerdict, finalVerdict, openedBy }: NetworkDispute) {
  if (finalVerdict === null) return { winner: "Open", result: "" };
  const isUpheld = finalVerdict === recordedVerdict;
  return {
    winner: (openedBy === "contractor") === isUpheld ? "Client won" : "Agent won",
    result: isUpheld ? "Upheld" : "Overturned",
  };
}

/** Identifies a row and its result, so that a new result counts as an arrival. */
export const getDisputeKey = ({ disputeId, finalVerdict }: NetworkDispute) =>
  `${disputeId} ${finalVerdict}`;

interface Props {
  disputes: NetworkDispute[];
  fresh: ReadonlySet<string>;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** Lists disputes with their parties by name; on narrow screens in two lines each. */
export function DisputeTable({ disputes, fresh, now }: Props) {
  return (
    <Table
      caption="Disputes, most recently opened first"
      className="list"
      rows={disputes}
      columns={[
        ["Result", "lg:w-32 max-lg:col-span-full", (dispute) => <ResultLink dispute={dispute} />],
        [
          "Verdict",
          "lg:w-32 max-lg:col-span-2 max-lg:col-start-2 max-lg:text-right",
          (dispute) => describeResult(dispute).result,
        ],
        ...JOB_COLUMNS,
        ["Value", "end lg:w-32 max-lg:hidden", ({ valueUsdc }) => formatUsdc(valueUsdc)],
        [
          "Opened",
          "end second lg:w-28 text-muted",
          ({ openedAt }) => <Age at={openedAt} now={now} />,
        ],
      ]}
      getRowProps={(dispute) => ({
        className: fresh.has(getDisputeKey(dispute)) ? "new-arrival" : "",
      })}
    />
  );
}

function ResultLink({ dispute }: { dispute: NetworkDispute }) {
  const { disputeId, contractor, requester } = dispute;
  const { winner, result } = describeResult(dispute);
  return (
    <Link
      href={`/disputes/${disputeId}`}
      aria-label={`${winner}${result && `, ${result.toLowerCase()}`}: dispute between ${nameParty(contractor)} and ${nameParty(requester)}`}
    >
      {winner}
    </Link>
  );
}
