"use client";

import dynamic from "next/dynamic";
import { AgentLink } from "@/components/agents/agent-link";
import { Claims, WonOrLost } from "@/components/disputes/claims";
import { describeEnd, explainUnassessed } from "@/components/disputes/describe-dispute";
import { JobTitle } from "@/components/outcomes/job-title";
import { getRecordedResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { Deadline } from "@/components/ui/deadline";
import { formatDateTime, shortenHex } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { getWinner } from "@/server/disputes/parties";
import type { Dispute, DisputePage, Party } from "@/server/disputes/schema";
import { isolateText } from "@/server/lib/bidi";
import { nameListedJob } from "@/server/outcomes/job-name";
import { SuppliedDeliverable } from "./deliverable";
import { describeJob, type KnownNames } from "./job-row";
import { awaitsAnswerFrom } from "./open-tasks";
import { useStoredPayments } from "./payments/stored-payments";

// Loaded once a form is open: few visits pay.
const StakeForm = dynamic(() => import("./payments/stake-form").then((all) => all.StakeForm));

interface Props extends KnownNames {
  wallet: string;
  /** Shown first. */
  chosenId: string | undefined;
  disputes: DisputePage;
}

/** Lists the agent's disputes, those awaiting its answer first. */
export function DisputesSection({ wallet, chosenId, disputes: page, ...names }: Props) {
  const stored = useStoredPayments(wallet);
  const getRank = (dispute: Dispute) =>
    dispute.disputeId === chosenId ? 0 : awaitsAnswerFrom(dispute, wallet) ? 1 : 2;
  const disputes = page.content.toSorted((a, b) => getRank(a) - getRank(b));
  return (
    <div className="grid gap-4">
      {disputes.length === 0 && (
        <EmptyState title="No disputes">
          The losing party can dispute a verdict that a review could change, in its list of{" "}
          <TextLink href="/dashboard/outcomes">jobs</TextLink>.
        </EmptyState>
      )}
      <ul className="grid gap-4">
        {disputes.map((dispute) => (
          <DisputeCard
            key={dispute.disputeId}
            dispute={dispute}
            wallet={wallet}
            {...names}
            isChosen={dispute.disputeId === chosenId}
            isUnsubmitted={stored.some(({ id }) => id === dispute.disputeId)}
          />
        ))}
      </ul>
      {page.totalElements > page.size && (
        <p className="text-sm text-muted">
          Latest {page.size} of {page.totalElements}
        </p>
      )}
    </div>
  );
}

interface DisputeCardProps extends KnownNames {
  dispute: Dispute;
  wallet: string;
  /** Whether a link led to its form. */
  isChosen: boolean;
  /** Whether the stake of an earlier visit was not submitted. */
  isUnsubmitted: boolean;
}

/** Shows a dispute to one of its parties: state, result, statements and stakes. */
function DisputeCard({ dispute, isChosen, isUnsubmitted, ...facts }: DisputeCardProps) {
  const { wallet } = facts;
  const isAnswerDue = awaitsAnswerFrom(dispute, wallet);
  const job = describeJob(dispute, facts);
  const me: Party = job.isContractor ? "contractor" : "requester";
  return (
    <li
      className={`rounded-lg border bg-raised p-4 sm:p-5 ${isAnswerDue ? "border-2 border-notice-ink" : "border-line"}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 className="text-lg font-medium">
          {isAnswerDue ? "Your answer is due" : <State dispute={dispute} me={me} />}
          {dispute.phase === "awaiting-answer" && (
            <span className="font-normal text-muted">
              {": "}
              <Deadline at={dispute.expiresAt} />, until {formatDateTime(dispute.expiresAt)}
            </span>
          )}
        </h3>
        <p className="flex gap-4 text-sm">
          <TextLink href={`/disputes/${dispute.disputeId}`}>Public page</TextLink>
          <TextLink href={job.href}>Job</TextLink>
        </p>
      </div>
      <p className="mt-1 font-medium break-words">
        <JobTitle {...job} />
      </p>
      <p className="mt-1 text-sm text-muted">
        {nameListedJob(job.taskCategory)} {job.isContractor ? "for" : "by"}{" "}
        <AgentLink {...job.other} />, disputed by{" "}
        {dispute.openedBy === me ? "you" : "the other party"} on{" "}
        <Time at={dispute.openedAt} isExact />
      </p>
      <Ruling dispute={dispute} wallet={wallet} names={facts.names} />
      {dispute.reason && <p className="mt-3 text-sm break-words">{dispute.reason}</p>}
      <div className="mt-4">
        <Claims dispute={dispute} names={facts.names} />
      </div>
      {dispute.statements.some(({ deliverableHash }) => deliverableHash) && (
        <div className="mt-3">
          <SuppliedDeliverable disputeId={dispute.disputeId} />
        </div>
      )}
      {(isAnswerDue || isUnsubmitted) && (
        <div id={isChosen ? "form" : undefined} className="mt-4 border-t border-line pt-4">
          <StakeForm
            subject={{ action: "answer", id: dispute.disputeId }}
            outcomeId={dispute.outcomeId}
            wallet={wallet}
          />
        </div>
      )}
    </li>
  );
}

/** Says how a dispute ended, or what is disputed. */
function Ruling({
  dispute,
  wallet,
  names,
}: Pick<DisputeCardProps, "dispute" | "wallet" | "names">) {
  if (dispute.finalVerdict) {
    return (
      <p className="mt-3 break-words">
        {describeEnd(dispute, (winner) =>
          winner === wallet ? "You" : isolateText(names[winner] ?? shortenHex(winner)),
        )}
        <span className="block text-sm text-muted">{explainUnassessed(dispute)}</span>
      </p>
    );
  }
  return (
    <p className="mt-3 flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <span className="text-sm text-muted">Disputed verdict</span>
      <VerdictMark verdict={getRecordedResult(dispute)} />
    </p>
  );
}

/** Names the state of the dispute; the result by shape and word. */
function State({ dispute: { phase, verdict }, me }: { dispute: Dispute; me: Party }) {
  if (phase === "awaiting-answer") return "Waiting for the other party";
  if (phase === "in-review") return "Under review";
  if (phase === "recording") return "Being recorded on chain";
  return <WonOrLost hasWon={verdict !== undefined && getWinner(verdict) === me} />;
}
