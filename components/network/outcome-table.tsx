"use client";

import Link from "next/link";
import { getResult, RESULT_LABELS, type Result } from "@/components/outcomes/result";
import { queryProcedure } from "@/components/query-procedure";
import { formatUsdc, shortenHex } from "@/components/ui/format";
import type {
  NetworkOutcome,
  NetworkOutcomes,
  NetworkOutcomesInput,
} from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import styles from "./list.module.css";
import { Age, ListedBacking, ListedJob, ListedVerdict, PartyLink } from "./list-cells";
import { ListHead } from "./list-head";
import { ListSprite, OUTCOME_ICONS } from "./list-sprite";
import { LiveList, type LiveProps } from "./live-list";

interface Props {
  outcomes: NetworkOutcome[];
  /** Keys of rows that arrived while the page was open, see `getOutcomeKey`. */
  fresh?: ReadonlySet<string>;
  /** ISO 8601; ages are relative to it. */
  now: string;
}

/** The style sheet refers to their positions. */
const TITLES = ["Verdict", "Agent", "Client", "Category", "Evidence", "Value", "Submitted"];

/** Identifies a row and its verdict, so that a new verdict counts as an arrival. */
const getOutcomeKey = (outcome: NetworkOutcome) =>
  `${outcome.outcomeId} ${getListedResult(outcome)}`;

const getListedResult = ({ isSuperseded, ...outcome }: NetworkOutcome): Result | undefined =>
  getResult({ ...outcome, superseded: isSuperseded });

/** Lists outcomes with their parties by name; on phones in two lines each. */
export function OutcomeTable({ outcomes, fresh, now }: Props) {
  return (
    <>
      <ListSprite icons={OUTCOME_ICONS} />
      <table className={`${styles.list} ${styles.outcomes}`}>
        <caption className="sr-only">Outcomes, newest first</caption>
        <ListHead titles={TITLES} />
        <tbody>
          {outcomes.map((outcome, n) => (
            <tr
              // biome-ignore lint/suspicious/noArrayIndexKey: arrivals change rows instead of moving them.
              key={n}
              className={fresh?.has(getOutcomeKey(outcome)) ? "new-arrival" : undefined}
            >
              <th scope="row">
                <Link
                  href={`/outcomes/${outcome.outcomeId}`}
                  prefetch={false}
                  aria-label={describeOutcome(outcome)}
                >
                  <ListedVerdict verdict={getListedResult(outcome) ?? null} />
                </Link>
                <State outcome={outcome} />
              </th>
              <td>
                <PartyLink party={outcome.contractor} />
              </td>
              <td>
                <PartyLink party={outcome.requester} />
              </td>
              <td>
                <ListedJob job={outcome} />
              </td>
              <td>
                <ListedBacking backing={outcome.backing} isConfirmed={outcome.clientConfirmed} />
              </td>
              <td>{formatUsdc(outcome.valueUsdc)}</td>
              <td>
                <Age at={outcome.submittedAt} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function describeOutcome(outcome: NetworkOutcome): string {
  const { contractor, requester } = outcome;
  const result = getListedResult(outcome);
  const [agent, client] = [contractor, requester].map(({ name, walletAddress }) =>
    isolateText(name ?? shortenHex(walletAddress)),
  );
  return `${result ? RESULT_LABELS[result] : "Being judged"}: ${agent} for ${client}`;
}

/** Says what happened after the verdict, if anything did. */
function State({ outcome }: { outcome: NetworkOutcome }) {
  const { verdict, finalVerdict, disputeId, isRefunded } = outcome;
  if (isRefunded) return <small>Refunded</small>;
  if (finalVerdict !== verdict) return <small>Overturned</small>;
  return disputeId && <small>Disputed</small>;
}

const fetchPage = (input: NetworkOutcomesInput, signal: AbortSignal) =>
  queryProcedure("explorer.networkOutcomes", input, signal);

/** Lists the newest outcomes, polled while the page is visible; new rows are highlighted. */
export function LiveOutcomes(props: LiveProps<NetworkOutcomes, NetworkOutcomesInput>) {
  return (
    <LiveList
      {...props}
      title="Outcomes"
      noun="outcome"
      arrival={["new verdict or outcome", "new verdicts or outcomes"]}
      fetchPage={fetchPage}
      getKey={getOutcomeKey}
      renderRows={(outcomes, fresh, now) => (
        <OutcomeTable outcomes={outcomes} fresh={fresh} now={now} />
      )}
    />
  );
}
