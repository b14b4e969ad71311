"use client";

import Link from "next/link";
import { SpriteIcon } from "@/components/agents/leaderboard-sprite";
import { getFinalResult, getRecordedResult } from "@/components/outcomes/result";
import { queryProcedure } from "@/components/query-procedure";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import type {
  NetworkDispute,
  NetworkDisputes,
  NetworkDisputesInput,
} from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import styles from "./list.module.css";
import { Age, ListedJob, ListedVerdict, PartyLink } from "./list-cells";
import { ListHead } from "./list-head";
import { ListSprite } from "./list-sprite";
import { LiveList, type LiveProps } from "./live-list";

interface Props {
  disputes: NetworkDispute[];
  /** Keys of rows that arrived while the page was open, see `getDisputeKey`. */
  fresh?: ReadonlySet<string>;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** The style sheet refers to their positions. */
const TITLES = ["Result", "Verdict", "Agent", "Client", "Category", "Value", "Opened"];

const RESULTS = { open: "Open", upheld: "Upheld", overturned: "Overturned" } as const;

/** Identifies a row and its result, so that a new result counts as an arrival. */
const getDisputeKey = ({ disputeId, finalVerdict }: NetworkDispute) =>
  `${disputeId} ${finalVerdict}`;

/** Lists disputes with their parties by name; on phones in two lines each. */
export function DisputeTable({ disputes, fresh, now }: Props) {
  return (
    <>
      <ListSprite
        icons={["SUCCESS", "FAILURE", "NOT_ASSESSED", "open", "upheld", "overturned", "to"]}
      />
      <table className={`${styles.list} ${styles.disputes}`}>
        <caption className="sr-only">Disputes, most recently opened first</caption>
        <ListHead titles={TITLES} />
        <tbody>
          {disputes.map((dispute, n) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: arrivals change rows instead of moving them.
              key={n}
              className={fresh?.has(getDisputeKey(dispute)) ? "new-arrival" : undefined}
            >
              <th scope="row">
                <Link
                  href={`/disputes/${dispute.disputeId}`}
                  prefetch={false}
                  aria-label={describeDispute(dispute)}
                >
                  <SpriteIcon id={getResult(dispute)} />
                  {RESULTS[getResult(dispute)]}
                </Link>
              </th>
              <td>
                <Verdicts dispute={dispute} />
              </td>
              <td>
                <PartyLink party={dispute.contractor} />
              </td>
              <td>
                <PartyLink party={dispute.requester} />
              </td>
              <td>
                <ListedJob job={dispute} />
              </td>
              <td>{formatUsdc(dispute.valueUsdc)}</td>
              <td>
                <Age at={dispute.openedAt} now={now} />
                <small>{`by the ${dispute.openedBy === "contractor" ? "agent" : "client"}`}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function getResult({ recordedVerdict, finalVerdict }: NetworkDispute): keyof typeof RESULTS {
  if (finalVerdict === null) return "open";
  return finalVerdict === recordedVerdict ? "upheld" : "overturned";
}

function describeDispute(dispute: NetworkDispute): string {
  const [agent, client] = [dispute.contractor, dispute.requester].map(({ name, walletAddress }) =>
    isolateText(name ?? shortenHex(walletAddress)),
  );
  return `${RESULTS[getResult(dispute)]}: dispute between ${agent} and ${client}`;
}

/** Shows the verdict, and the original one before it if the dispute changed it. */
function Verdicts({ dispute }: { dispute: NetworkDispute }) {
  const recorded = getRecordedResult(dispute);
  const final = getFinalResult(dispute);
  if (final === undefined || final === recorded) {
    return <ListedVerdict verdict={recorded} />;
  }
  return (
    <>
      <ListedVerdict verdict={recorded} /> <SpriteIcon id="to" label="changed to" />
      <ListedVerdict verdict={final} />
    </>
  );
}

const fetchPage = (input: NetworkDisputesInput, signal: AbortSignal) =>
  queryProcedure("explorer.networkDisputes", input, signal);

/** Lists the newest disputes, polled while the page is visible; new rows are highlighted. */
export function LiveDisputes(props: LiveProps<NetworkDisputes, NetworkDisputesInput>) {
  return (
    <LiveList
      {...props}
      title="Disputes"
      noun="dispute"
      arrival={["new dispute or result", "new disputes or results"]}
      fetchPage={fetchPage}
      getKey={getDisputeKey}
      renderRows={(disputes, fresh, now) => (
        <DisputeTable disputes={disputes} fresh={fresh} now={now} />
      )}
    />
  );
}
