import { getFinalResult, getRecordedResult, nameResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { formatUsdc } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Table } from "@/components/ui/table";
import type { NetworkDispute } from "@/server/explorer/network/schema";
import { Age, JOB_COLUMNS, nameParty } from "./list-cells";

const RESULTS = {
  open: ["Open", "M10 4.5v5.5l3.5 2M10 2.5a7.5 7.5 0 100 15 7.5 7.5 0 000-15z"],
  upheld: ["Upheld", "M5 8h10M5 12.5h10"],
  overturned: ["Overturned", "M4 7.5h11m-3-3l3 3-3 3M16 13H5m3-3l-3 3 3 3"],
} as const;

function getResult({ recordedVerdict, finalVerdict }: NetworkDispute): keyof typeof RESULTS {
  if (finalVerdict === null) return "open";
  return finalVerdict === recordedVerdict ? "upheld" : "overturned";
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
          "lg:w-36 max-lg:col-span-2 max-lg:col-start-2 max-lg:text-right",
          (dispute) => <Verdicts dispute={dispute} />,
        ],
        ...JOB_COLUMNS,
        ["Value", "end lg:w-32 max-lg:hidden", ({ valueUsdc }) => formatUsdc(valueUsdc)],
        [
          "Opened",
          "end second lg:w-28 text-muted",
          ({ openedAt, openedBy }) => (
            <>
              <Age at={openedAt} now={now} />
              <small className="max-lg:hidden">
                by the {openedBy === "contractor" ? "agent" : "client"}
              </small>
            </>
          ),
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
  const [label, path] = RESULTS[getResult(dispute)];
  return (
    <Link
      href={`/disputes/${disputeId}`}
      aria-label={`${label}: dispute between ${nameParty(contractor)} and ${nameParty(requester)}`}
    >
      <Icon path={path} className="mr-1.5 inline size-4 align-[-0.125rem] text-muted" />
      {label}
    </Link>
  );
}

/** Shows the verdict, and the original one below it if the dispute changed it. */
function Verdicts({ dispute }: { dispute: NetworkDispute }) {
  const recorded = getRecordedResult(dispute);
  const final = getFinalResult(dispute) ?? recorded;
  return (
    <>
      <VerdictMark verdict={final} />
      {final !== recorded && <small>was {nameResult(recorded)}</small>}
    </>
  );
}
