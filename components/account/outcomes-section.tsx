"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { DISPUTE_LABELS, type Disputed } from "@/components/outcomes/outcome-row";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { Button } from "@/components/ui/button";
import { Deadline } from "@/components/ui/deadline";
import { formatUsdc } from "@/components/ui/format";
import { hasPoints, Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { Deliverable } from "./deliverable";
import {
  describeJob,
  JobList,
  type JobNames,
  JobRow,
  type OwnerFacts,
  RowForm,
  toJob,
} from "./job-row";
import { getOutcomeActions } from "./open-tasks";
import type { listPayments, Moves } from "./own-records";
import { type StoredPayment, useStoredPayments } from "./payments/stored-payments";
import { getArrivalKey, useArrivals } from "./use-arrivals";

// Loaded once a form is open: few visits pay.
const RefundForm = dynamic(() => import("./payments/refund-form").then((all) => all.RefundForm));
const StakeForm = dynamic(() => import("./payments/stake-form").then((all) => all.StakeForm));

type Outcome = PublicOutcome & Disputed;

interface Facts extends OwnerFacts {
  jobNames: JobNames;
  moves: Moves;
  payments: ReturnType<typeof listPayments>;
  /** Omitted where nothing can be done about them. */
  terms?: DisputeTerms;
  /** Whether the deliverable of the chosen outcome is open, instead of its form. */
  isReading?: boolean;
  /** Render time, milliseconds. */
  now: number;
}

interface Props extends Facts {
  /** Shown first, with its form or deliverable open. */
  chosen?: Outcome | null;
  outcomes: Outcome[];
}

/** Lists outcomes of the agent, with forms to dispute a verdict and to refund a payment. */
export function OutcomesSection({ chosen = null, outcomes, ...facts }: Props) {
  const stored = useStoredPayments(facts.wallet);
  // Later renders keep the order: opening a form changes the URL.
  const [firstId] = useState(chosen?.outcomeId);
  const { fresh, announcement } = useArrivals(outcomes, facts);
  return (
    <>
      <JobList>
        {listFirst(firstId, chosen, outcomes).map((outcome) => (
          <OutcomeRow
            key={outcome.outcomeId}
            outcome={outcome}
            {...facts}
            unsubmitted={stored.find(({ id }) => id === outcome.outcomeId)?.action}
            isChosen={outcome.outcomeId === firstId}
            isFresh={fresh.has(getArrivalKey(outcome))}
          />
        ))}
      </JobList>
      {announcement}
    </>
  );
}

/** Puts an outcome first, which is `chosen` if it isn't in the list. */
function listFirst(id: string | undefined, chosen: Outcome | null, list: Outcome[]) {
  const first = list.find(({ outcomeId }) => outcomeId === id) ?? chosen;
  if (!first || first.outcomeId !== id) return list;
  return [first, ...list.filter(({ outcomeId }) => outcomeId !== id)];
}

interface OutcomeRowProps extends Facts {
  outcome: Outcome;
  /** Whether it or its verdict arrived while the page was open. */
  isFresh: boolean;
  /** The payment of an earlier visit that was not submitted. */
  unsubmitted: StoredPayment["action"] | undefined;
  /** Whether its form or deliverable is open from the start. */
  isChosen: boolean;
}

type FormName = "open" | "refund";

const FORM_LABELS: Record<FormName, string> = { refund: "Refund", open: "Dispute" };

/** Shows one outcome of the agent; its forms open below. */
function OutcomeRow({ outcome, unsubmitted, isChosen, isFresh, ...facts }: OutcomeRowProps) {
  const { outcomeId, dispute, refund } = outcome;
  const { terms } = facts;
  const can = terms && getOutcomeActions(outcome, { ...facts, terms });
  const forms = (["refund", "open"] as const).filter((form) =>
    unsubmitted ? form === unsubmitted : { refund: can?.canRefund, open: can?.canDispute }[form],
  );
  const [chosen, setChosen] = useState<FormName | null | undefined>(
    isChosen && !facts.isReading ? forms.at(-1) : undefined,
  );
  // Null once it was closed. It stays open to confirm what was submitted, until that has an end.
  const isOver = dispute === "upheld" || dispute === "overturned" || refund?.status === "recorded";
  const open = isOver || !can ? null : unsubmitted && chosen !== null ? forms[0] : chosen;
  const choose = (form: FormName | null) => {
    setChosen(form);
    // A reload opens the form again.
    const address = new URL(location.href);
    if (form) address.searchParams.set("outcome", outcomeId);
    else address.searchParams.delete("outcome");
    address.searchParams.delete("show");
    history.replaceState(null, "", address);
  };
  const job = toJob(outcome, facts.jobNames);
  return (
    <JobRow
      {...facts}
      job={job}
      href={`/outcomes/${outcomeId}`}
      isFresh={isFresh}
      value={formatUsdc(outcome.valueUsdc)}
      state={
        <>
          <Result outcome={outcome} points={facts.moves[outcomeId]} />
          <Notes outcome={outcome}>{facts.payments[outcomeId]}</Notes>
        </>
      }
      time={<Time at={outcome.submittedAt} />}
      actions={
        can?.until &&
        forms.length > 0 && (
          <>
            {forms.map((form) => (
              <Button
                key={form}
                small
                aria-expanded={open === form}
                aria-label={`${FORM_LABELS[form]}: ${describeJob(job)}`}
                onClick={() => choose(open === form ? null : form)}
              >
                {FORM_LABELS[form]}
              </Button>
            ))}
            <span className="text-muted">
              <Deadline at={can.until} />
            </span>
          </>
        )
      }
    >
      {isChosen && <Deliverable outcomeId={outcomeId} isFirstOpen={facts.isReading ?? false} />}
      {open && (
        <RowForm isChosen={isChosen}>
          {open === "open" ? (
            <StakeForm
              subject={{ action: "open", id: outcomeId }}
              {...{ outcomeId, outcome }}
              wallet={facts.wallet}
              onClose={() => choose(null)}
            />
          ) : (
            <RefundForm
              outcome={outcome}
              clientName={facts.names[job.requester]}
              onClose={() => choose(null)}
            />
          )}
        </RowForm>
      )}
    </JobRow>
  );
}

/** Shows the verdict and what it did to the owner's score, which leads to its reasoning. */
const Result = ({ outcome, points = 0 }: { outcome: Outcome; points: number | undefined }) => (
  <span className="flex flex-wrap items-baseline gap-x-3">
    <VerdictMark verdict={getResult(outcome)} />
    {hasPoints(points) && (
      <TextLink href={`/outcomes/${outcome.outcomeId}`}>
        <Points points={points} />
      </TextLink>
    )}
  </span>
);

interface NotesProps {
  outcome: Outcome;
  /** What is known of its payment. */
  children: ReactNode;
}

/** Says what happened after a verdict. */
const Notes = ({ outcome: { refund, disputeId, dispute }, children }: NotesProps) => (
  <span className="flex flex-wrap gap-x-3 text-muted">
    {children}
    {refund && (refund.status === "recording" ? "Refund being recorded" : "Payment refunded")}
    {disputeId && (
      <TextLink href={`/disputes/${disputeId}`}>
        {dispute ? DISPUTE_LABELS[dispute] : "Disputed"}
      </TextLink>
    )}
  </span>
);
