"use client";

import { BackingMark } from "@/components/outcomes/backing-mark";
import { JobTitle } from "@/components/outcomes/job-title";
import { DISPUTE_LABELS, type OutcomeRow } from "@/components/outcomes/outcome-row";
import {
  describeConfirmation,
  getResult,
  getVerdict,
  nameResult,
} from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { nameParty, PartyName } from "@/components/site/party-name";
import { capitalize, formatUsdc } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { nameCategory } from "@/server/lib/category-name";
import { Age, JOB_COLUMNS } from "./list-cells";

interface Props {
  outcomes: readonly OutcomeRow[];
  /** ISO 8601; ages are relative to it. Without it, rows have days. */
  now?: string | undefined;
  /** Keys of rows that arrived while the page was open, see `getOutcomeKey`. */
  fresh?: ReadonlySet<string>;
  /** For half of the page's width: names the parties below the job, and no evidence. */
  isNarrow?: boolean;
  /** Wallet whose outcomes they are: of the parties, only the other one is named, below the job. */
  wallet?: string;
}

/** Lists outcomes, newest first; on narrow screens in two lines each. */
export function OutcomeTable({ outcomes, now, fresh, isNarrow = false, wallet }: Props) {
  const [verdict, value, time] = isNarrow
    ? ["lg:w-31", "lg:w-28", "lg:w-26"]
    : ["lg:w-34", "lg:w-32", "lg:w-28"];
  const parties: Column<OutcomeRow>[] =
    isNarrow || wallet
      ? [["Job", "second both lg:py-1", (outcome) => <NarrowJob {...{ outcome, wallet }} />]]
      : JOB_COLUMNS;
  const evidence: Column<OutcomeRow>[] = isNarrow
    ? []
    : [["Evidence", "lg:w-44 max-lg:hidden", (outcome) => <Evidence {...outcome} />]];
  return (
    <Table
      caption="Jobs, newest first"
      className="list"
      rows={outcomes}
      columns={[
        ["Verdict", `both ${verdict}`, (outcome) => <VerdictCell outcome={outcome} />],
        ...parties,
        ...evidence,
        ["Value", `end ${value}`, ({ valueUsdc }) => formatUsdc(valueUsdc)],
        [
          outcomes[0]?.submittedAt ? "Submitted" : "Recorded",
          `end second text-muted ${time}`,
          (outcome) => <TimeCell {...outcome} now={now} />,
        ],
      ]}
      getRowProps={(outcome) => ({
        className: fresh?.has(getOutcomeKey(outcome)) ? "new-arrival" : "",
      })}
    />
  );
}

const getListedResult = ({ isSuperseded, isRefunded, ...outcome }: OutcomeRow) =>
  getResult({ ...outcome, superseded: isSuperseded, refund: isRefunded });

/** Identifies a row and its verdict, so that a new verdict counts as an arrival. */
export const getOutcomeKey = (outcome: OutcomeRow) =>
  `${outcome.outcomeId} ${getListedResult(outcome)}`;

function VerdictCell({ outcome }: { outcome: OutcomeRow }) {
  const { outcomeId, contractor, requester } = outcome;
  const result = getListedResult(outcome);
  const note = describeState(outcome);
  return (
    <>
      <Link
        href={`/outcomes/${outcomeId}`}
        aria-label={`${capitalize(nameResult(result))}: ${nameParty(contractor)} for ${nameParty(requester)}`}
      >
        <VerdictMark verdict={result} />
      </Link>
      {note && <small>{note}</small>}
    </>
  );
}

/** Says what happened after the verdict, if anything did. */
function describeState({ isRefunded, ...outcome }: OutcomeRow) {
  const { verdict, finalVerdict, dispute } = outcome;
  if (isRefunded) return `was ${nameResult(getVerdict(outcome))}`;
  if (verdict && finalVerdict !== verdict) return `Overturned ${nameResult(verdict)}`;
  return dispute && DISPUTE_LABELS[dispute];
}

/** Names a job by its title or category, with both parties or, to one of them, the other one. */
function NarrowJob({ outcome, wallet }: { outcome: OutcomeRow } & Pick<Props, "wallet">) {
  const { title, taskCategory, contractor, requester } = outcome;
  const isClient = requester.walletAddress === wallet;
  return (
    <>
      <b className="line-clamp-2 leading-4.5 whitespace-normal">
        <JobTitle {...outcome} />
      </b>
      {wallet ? (
        <small>
          {title && `${nameCategory(taskCategory)} `}
          {isClient ? "by " : "for "}
          <PartyName {...(isClient ? contractor : requester)} />
          {isClient && ", as client"}
        </small>
      ) : (
        <small>
          <PartyName {...contractor} /> for <PartyName {...requester} />
        </small>
      )}
    </>
  );
}

function Evidence({ backing, clientConfirmed }: Partial<OutcomeRow>) {
  const confirmation = describeConfirmation(clientConfirmed);
  return (
    backing && (
      <>
        <BackingMark backing={backing} />
        {confirmation && <small>{confirmation}</small>}
      </>
    )
  );
}

function TimeCell({ submittedAt, resolvedAt, now }: Partial<OutcomeRow> & Pick<Props, "now">) {
  const at = submittedAt ?? resolvedAt;
  return at && <Age at={at} now={now} />;
}
