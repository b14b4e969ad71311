"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { DISPUTE_LABELS, type Disputed } from "@/components/outcomes/outcome-row";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/components/ui/format";
import { Pagination } from "@/components/ui/pagination";
import { hasPoints, Points } from "@/components/ui/points";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { OutcomesPage } from "@/server/explorer/schema";
import type { Category } from "@/server/lib/schema";
import { nameJob } from "@/server/outcomes/job-name";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { Deliverable } from "./deliverable";
import { describeJob, JobRow, type KnownNames } from "./job-row";
import { getOutcomeActions } from "./open-tasks";
import type { listPayments, Moves } from "./own-records";
import { type StoredPayment, useStoredPayments } from "./payments/stored-payments";
import { SubmitOutcome } from "./submit-outcome";
import { getArrivalKey, useArrivals } from "./use-arrivals";

// Loaded once a form is open: few visits pay.
const RefundForm = dynamic(() => import("./payments/refund-form").then((all) => all.RefundForm));
const StakeForm = dynamic(() => import("./payments/stake-form").then((all) => all.StakeForm));

type Outcome = PublicOutcome & Disputed;

interface Props extends KnownNames {
  wallet: string;
  /** Shown first, with its form or deliverable open; null if the URL names none. */
  chosen: Outcome | null;
  /** Whether the deliverable of `chosen` is open, instead of its form. */
  isReading: boolean;
  outcomes: Omit<OutcomesPage, "content"> & { content: Outcome[] };
  moves: Moves;
  payments: ReturnType<typeof listPayments>;
  terms: DisputeTerms;
  categories: readonly Category[];
  /** Base URL of the service, without a trailing slash. */
  url: string;
  /** Render time, milliseconds. */
  now: number;
}

/** Lists the agent's outcomes, with forms to dispute a verdict and to refund a payment. */
export function OutcomesSection({ chosen, outcomes, categories, url, ...facts }: Props) {
  const { wallet, terms } = facts;
  const stored = useStoredPayments(wallet);
  const { content, page, totalPages } = outcomes;
  // Later renders keep the order: opening a form changes the URL.
  const [firstId] = useState(chosen?.outcomeId);
  const [isFirstVisit] = useState(outcomes.totalElements === 0);
  const { fresh, announcement } = useArrivals(content);
  const form = (
    <SubmitOutcome wallet={wallet} categories={categories} url={url} isFirst={isFirstVisit} />
  );
  return (
    <div className="grid grid-cols-1 gap-4">
      {!terms.acceptsDisputes && (
        <p className="text-sm text-muted">Disputes are closed: no language model is configured.</p>
      )}
      {!isFirstVisit && form}
      {/* On a first visit it has its place above the open form, so that the first job moves nothing. */}
      <ul
        className={`divide-y divide-line border-line not-empty:border-y ${isFirstVisit ? "min-h-16" : ""}`}
      >
        {listFirst(firstId, chosen, content).map((outcome) => (
          <OutcomeRow
            key={outcome.outcomeId}
            outcome={outcome}
            {...facts}
            unsubmitted={stored.find(({ id }) => id === outcome.outcomeId)?.action}
            isChosen={outcome.outcomeId === firstId}
            isFresh={fresh.has(getArrivalKey(outcome))}
          />
        ))}
        {content.length === 0 && (
          <li className="py-5 text-muted">No jobs yet. The first one appears here.</li>
        )}
      </ul>
      {isFirstVisit && form}
      {announcement}
      <Pagination page={page} totalPages={totalPages} href={(at) => `?page=${at + 1}`} />
    </div>
  );
}

/** Puts an outcome first, which is `chosen` if it isn't in the list. */
function listFirst(id: string | undefined, chosen: Outcome | null, list: Outcome[]) {
  const first = list.find(({ outcomeId }) => outcomeId === id) ?? chosen;
  if (!first || first.outcomeId !== id) return list;
  return [first, ...list.filter(({ outcomeId }) => outcomeId !== id)];
}

interface OutcomeRowProps
  extends KnownNames,
    Pick<Props, "wallet" | "terms" | "now" | "moves" | "payments" | "isReading"> {
  outcome: Outcome;
  /** Whether it or its verdict arrived while the page was open. */
  isFresh: boolean;
  /** The payment of an earlier visit that was not submitted. */
  unsubmitted: StoredPayment["action"] | undefined;
  /** Whether its form or deliverable is open from the start. */
  isChosen: boolean;
}

type FormName = "open" | "refund";

/** The label of the button that opens a form, and that for screen readers. */
const FORM_LABELS: Record<FormName, readonly [label: string, description: string]> = {
  refund: ["Refund", "Refund"],
  open: ["Dispute", "Dispute the verdict on"],
};

/** Shows one outcome of the agent; its forms open below. */
function OutcomeRow({ outcome, unsubmitted, isChosen, isFresh, ...facts }: OutcomeRowProps) {
  const { outcomeId, submittedAt } = outcome;
  const { canDispute, canRefund, until } = getOutcomeActions(outcome, facts);
  const forms = (["refund", "open"] as const).filter((form) =>
    unsubmitted ? form === unsubmitted : { refund: canRefund, open: canDispute }[form],
  );
  const [chosen, setChosen] = useState<FormName | null | undefined>(
    isChosen && !facts.isReading ? forms.at(-1) : undefined,
  );
  // Null once it was closed.
  const open = unsubmitted && chosen !== null ? forms[0] : chosen;
  const choose = (form: FormName | null) => {
    setChosen(form);
    // A reload opens the form again.
    const address = new URL(location.href);
    if (form) address.searchParams.set("outcome", outcomeId);
    else address.searchParams.delete("outcome");
    address.searchParams.delete("show");
    history.replaceState(null, "", address);
  };
  const job = describeJob(outcome, facts);
  return (
    <li className={isFresh ? "new-arrival scroll-my-6" : undefined}>
      <JobRow
        {...job}
        valueUsdc={outcome.valueUsdc}
        state={
          <>
            <VerdictMark verdict={getResult(outcome)} />
            <Move href={job.href} points={facts.moves[outcomeId]} />
            <span className="block text-muted empty:hidden">{facts.payments[outcomeId]}</span>
          </>
        }
        time={<Time at={submittedAt} />}
        actions={
          <Actions {...{ outcome, isContractor: job.isContractor, forms, until, open, choose }} />
        }
      />
      {isChosen && <Deliverable outcomeId={outcomeId} isFirstOpen={facts.isReading} />}
      {/* It stays open to confirm what was submitted. */}
      {open && (
        <div
          id={isChosen ? "form" : undefined}
          className="my-3 rounded-lg border border-line p-4 text-base sm:p-5"
        >
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
              clientName={job.other.name}
              onClose={() => choose(null)}
            />
          )}
        </div>
      )}
    </li>
  );
}

interface ActionsProps extends Pick<OutcomeRowProps, "outcome">, RoleProps {
  /** Those that can be opened, and until when. */
  forms: readonly FormName[];
  until: string | null;
  open: FormName | null | undefined;
  choose: (form: FormName | null) => void;
}

/** Offers the forms of an outcome, and says what was done already. */
function Actions({ outcome, isContractor, forms, until, open, choose }: ActionsProps) {
  return (
    <>
      <PastActions outcome={outcome} isContractor={isContractor} />
      {forms.length > 0 && until && (
        <span className="text-muted">
          by <Time at={until} isExact />
        </span>
      )}
      {forms.map((form) => (
        <Button
          key={form}
          small
          aria-expanded={open === form}
          aria-label={`${FORM_LABELS[form][1]} ${nameJob(outcome.taskCategory)} of ${formatDateTime(outcome.submittedAt)}`}
          onClick={() => choose(open === form ? null : form)}
        >
          {FORM_LABELS[form][0]}
        </Button>
      ))}
    </>
  );
}

/** Shows what a verdict did to the owner's score, and leads to its reasoning. */
function Move({ href, points = 0 }: { href: string; points: number | undefined }) {
  if (!hasPoints(points)) return null;
  return (
    <span className="block">
      <Points points={points} /> <TextLink href={href}>see why</TextLink>
    </span>
  );
}

/** Says whether an outcome was refunded or disputed. */
function PastActions({ outcome, isContractor }: Pick<OutcomeRowProps, "outcome"> & RoleProps) {
  const { refund, disputeId, dispute } = outcome;
  return (
    <>
      {refund && (
        <span className="text-muted">
          {isContractor ? "Payment refunded" : "Refunded to you"}
          {refund.status === "recording" && ", being recorded"}
        </span>
      )}
      {disputeId && (
        <TextLink href="/dashboard/disputes" className="py-0.5">
          {dispute ? DISPUTE_LABELS[dispute] : "Disputed"}
        </TextLink>
      )}
    </>
  );
}

interface RoleProps {
  /** Whether the owner did the job. */
  isContractor: boolean;
}
