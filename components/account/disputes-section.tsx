"use client";

import dynamic from "next/dynamic";
import { StatementText, WonOrLost } from "@/components/disputes/claims";
import { describeResult } from "@/components/disputes/describe-dispute";
import { Deadline } from "@/components/ui/deadline";
import { formatUsdc } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { hasPoints, Points } from "@/components/ui/points";
import { Time } from "@/components/ui/time";
import { getWinner } from "@/server/disputes/parties";
import type { Dispute, DisputePage, Party } from "@/server/disputes/schema";
import { SuppliedDeliverable } from "./deliverable";
import { JobList, type JobNames, JobRow, type OwnerFacts, RowForm, toJob } from "./job-row";
import { awaitsAnswerFrom } from "./open-tasks";
import type { Moves } from "./own-records";
import { useStoredPayments } from "./payments/stored-payments";

// Loaded once a form is open: few visits pay.
const StakeForm = dynamic(() => import("./payments/stake-form").then((all) => all.StakeForm));

interface Props extends OwnerFacts {
  jobNames: JobNames;
  /** Points by which disputes moved the owner's score, by their ids. */
  moves: Moves;
  /** Shown first. */
  chosenId: string | undefined;
  disputes: DisputePage;
}

/** Lists the agent's disputes, those awaiting its answer first. */
export function DisputesSection({ chosenId, disputes: page, jobNames, moves, ...owner }: Props) {
  const { wallet } = owner;
  const stored = useStoredPayments(wallet);
  const getRank = (dispute: Dispute) =>
    dispute.disputeId === chosenId ? 0 : awaitsAnswerFrom(dispute, wallet) ? 1 : 2;
  const disputes = page.content.toSorted((a, b) => getRank(a) - getRank(b));
  if (disputes.length === 0) {
    return (
      <EmptyState title="No disputes">You can dispute a failure in your list of jobs.</EmptyState>
    );
  }
  return (
    <>
      <JobList>
        {disputes.map((dispute) => {
          const { disputeId, outcomeId, openedAt, expiresAt } = dispute;
          const isDue = awaitsAnswerFrom(dispute, wallet);
          const own = dispute.stakes.find(({ walletAddress }) => walletAddress === wallet);
          const isUnsubmitted = stored.some(({ id }) => id === disputeId);
          return (
            <JobRow
              key={disputeId}
              {...owner}
              job={toJob(dispute, jobNames)}
              href={`/disputes/${disputeId}`}
              state={
                <State dispute={dispute} me={own?.party} isDue={isDue} points={moves[disputeId]} />
              }
              value={own?.amountUsdc != null && <Stake {...own} />}
              time={isDue ? <Deadline at={expiresAt} /> : <Time at={openedAt} />}
            >
              {dispute.statements.some(({ deliverableHash }) => deliverableHash) && (
                <SuppliedDeliverable disputeId={disputeId} />
              )}
              {(isDue || isUnsubmitted) && (
                <RowForm isChosen={disputeId === chosenId}>
                  {dispute.statements.map((statement) => (
                    <div key={statement.party} className="mb-5">
                      <p className="font-medium">They say</p>
                      <StatementText statement={statement} party={statement.party} />
                    </div>
                  ))}
                  <StakeForm
                    subject={{ action: "answer", id: disputeId }}
                    outcomeId={outcomeId}
                    wallet={wallet}
                  />
                </RowForm>
              )}
            </JobRow>
          );
        })}
      </JobList>
      {page.totalElements > page.size && (
        <p className="mt-3 text-sm text-muted">
          Latest {page.size} of {page.totalElements}
        </p>
      )}
    </>
  );
}

interface StateProps {
  dispute: Dispute;
  me: Party | undefined;
  isDue: boolean;
  /** By which it moved the owner's score. */
  points: number | undefined;
}

/** Names the state of the dispute; the result by shape and word. */
function State({ dispute, me, isDue, points = 0 }: StateProps) {
  const { phase, verdict } = dispute;
  if (isDue) return <span className="font-medium text-notice-ink">You can answer</span>;
  if (phase === "awaiting-answer") return "Waiting for the other party";
  if (phase === "in-review") return "Under review";
  if (phase === "recording") return "Being recorded on chain";
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3">
        <WonOrLost hasWon={verdict !== undefined && getWinner(verdict) === me} />
        {hasPoints(points) && <Points points={points} />}
      </p>
      <p className="text-muted">{describeResult(dispute)}</p>
    </>
  );
}

/** Shows the owner's stake and what became of it. */
const Stake = ({ amountUsdc, state }: Dispute["stakes"][number]) => (
  <>
    {formatUsdc(amountUsdc ?? 0)}
    <p className="text-muted">{state === "gone" ? "not on chain" : `stake ${state}`}</p>
  </>
);
