"use client";

import Link from "next/link";
import { type ReactNode, useState } from "react";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatDateTime, formatDay } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { Pagination } from "@/components/ui/pagination";
import { Time } from "@/components/ui/time";
import { describeError } from "@/components/wallet/error-notice";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { OutcomesPage } from "@/server/explorer/schema";
import type { Category } from "@/server/lib/schema";
import type { PublicOutcome, Refund } from "@/server/outcomes/schema";
import { Deliverable } from "./deliverable";
import { describeOutcome, JobRow } from "./job-row";
import { getOutcomeActions } from "./open-tasks";
import { RefundForm } from "./payments/refund-form";
import { StakeForm } from "./payments/stake-form";
import { useStoredPayments } from "./payments/stored-payments";
import { UnsubmittedPayments } from "./payments/unsubmitted-payments";
import { SubmitOutcome } from "./submit-outcome";
import { type KnownNames, useNames } from "./use-names";

interface Props {
  wallet: string;
  /** Shown first, with its form open; null if the URL names none. */
  chosen: PublicOutcome | null;
  initial: OutcomesPage;
  /** Names of these outcomes. */
  names: KnownNames;
  terms: DisputeTerms;
  categories: readonly Category[];
  /** Base URL of the service, without a trailing slash. */
  url: string;
  /** Render time, milliseconds. */
  now: number;
}

/** Lists the agent's outcomes, with forms to dispute a verdict and to refund a payment. */
export function OutcomesSection({ wallet, chosen, initial, terms, now, ...props }: Props) {
  const { categories, url } = props;
  const stored = useStoredPayments(wallet);
  const outcomes = trpc.explorer.outcomes.useQuery(
    { walletAddress: wallet, page: initial.page, size: initial.size },
    {
      initialData: initial,
      refetchInterval: ({ state }) => (state.data?.content.some(isPending) ? 3_000 : 30_000),
    },
  );
  const { content, page, totalPages } = outcomes.data;
  const known = useNames(content, props.names);
  return (
    <div className="grid grid-cols-1 gap-4">
      {outcomes.error && (
        <Notice role="status" title="This list may be outdated">
          {describeError(outcomes.error)}
        </Notice>
      )}
      <UnsubmittedPayments payments={stored} wallet={wallet} />
      {!terms.acceptsDisputes && (
        <p className="text-sm text-muted">Disputes are closed: no language model is configured.</p>
      )}
      <SubmitOutcome
        wallet={wallet}
        categories={categories}
        url={url}
        isOpen={initial.totalElements === 0}
        onSubmitted={() => void outcomes.refetch()}
      />
      {content.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {listChosenFirst(chosen, content).map((outcome) => {
            const { canDispute, canRefund, until } = getOutcomeActions(outcome, {
              wallet,
              terms,
              now,
            });
            const isStored = stored.some(({ id }) => id === outcome.outcomeId);
            return (
              <OutcomeRow
                key={outcome.outcomeId}
                outcome={outcome}
                until={until}
                wallet={wallet}
                {...known}
                isDisputable={canDispute && !isStored}
                isRefundable={canRefund && !isStored}
                isStored={isStored}
                isChosen={outcome.outcomeId === chosen?.outcomeId}
              />
            );
          })}
        </ul>
      )}
      <Pagination page={page} totalPages={totalPages} href={(at) => `?page=${at + 1}`} />
    </div>
  );
}

/** Puts the chosen outcome first; the list may have a newer state of it. */
function listChosenFirst<T extends PublicOutcome>(chosen: T | null, content: T[]): T[] {
  if (!chosen) return content;
  const isChosen = ({ outcomeId }: T) => outcomeId === chosen.outcomeId;
  return [content.find(isChosen) ?? chosen, ...content.filter((one) => !isChosen(one))];
}

const isPending = ({ status, refund }: PublicOutcome) =>
  status === "EVALUATING" || refund?.status === "recording";

interface OutcomeRowProps extends KnownNames {
  outcome: PublicOutcome;
  wallet: string;
  isDisputable: boolean;
  isRefundable: boolean;
  /** Whether a payment of an earlier visit has its own form. */
  isStored: boolean;
  /** When the actions end. */
  until: string | null;
  /** Whether its form is open from the start. */
  isChosen: boolean;
}

/** Shows one outcome of the agent; its forms open below. */
function OutcomeRow(props: OutcomeRowProps) {
  const {
    outcome,
    wallet,
    names,
    jobNames,
    isDisputable,
    isRefundable,
    until,
    isChosen,
    isStored,
  } = props;
  const first = isDisputable ? "dispute" : isRefundable ? "refund" : null;
  const [open, setOpen] = useState<"dispute" | "refund" | null>(isChosen ? first : null);
  const choose = (form: typeof open) => {
    setOpen(form);
    // A reload opens the form again.
    const address = new URL(location.href);
    if (form) address.searchParams.set("outcome", outcome.outcomeId);
    else address.searchParams.delete("outcome");
    history.replaceState(null, "", address);
  };
  const close = () => choose(null);
  const job = describeOutcome(outcome, { wallet, names, jobNames });
  const actions = [
    ...(isRefundable ? [["refund", "Refund", "Refund"] as const] : []),
    ...(isDisputable ? [["dispute", "Dispute", "Dispute the verdict on"] as const] : []),
  ];
  const label = `${outcome.taskCategory} of ${formatDateTime(outcome.submittedAt)}`;
  return (
    <li>
      <JobRow
        {...job}
        state={<VerdictMark verdict={getResult(outcome)} />}
        time={<Time at={outcome.submittedAt} />}
        actions={
          <>
            {outcome.refund && (
              <RefundState refund={outcome.refund} isContractor={job.isContractor} />
            )}
            {outcome.disputeId && (
              <Link
                href="/dashboard/disputes"
                prefetch={false}
                className="py-0.5 underline underline-offset-2"
              >
                Disputed
              </Link>
            )}
            {actions.length > 0 && until && (
              <span className="text-muted" title={formatDateTime(until)}>
                decide by {formatDay(until)}
              </span>
            )}
            {actions.map(([form, name, description]) => (
              <Button
                key={form}
                small
                aria-expanded={open === form}
                aria-label={`${description} ${label}`}
                onClick={() => choose(open === form ? null : form)}
              >
                {name}
              </Button>
            ))}
          </>
        }
      />
      {isChosen && <Deliverable outcomeId={outcome.outcomeId} />}
      {/* The forms stay open to confirm what was submitted. */}
      {open === "dispute" && !isStored && (
        <FormPanel>
          <StakeForm
            subject={{ action: "open", id: outcome.outcomeId }}
            wallet={wallet}
            onClose={close}
          />
        </FormPanel>
      )}
      {open === "refund" && !isStored && (
        <FormPanel>
          <RefundForm outcome={outcome} clientName={job.other.name} onClose={close} />
        </FormPanel>
      )}
    </li>
  );
}

const FormPanel = ({ children }: { children: ReactNode }) => (
  <div className="my-3 rounded-lg border border-line p-4 text-base sm:p-5">{children}</div>
);

function RefundState({ refund, isContractor }: { refund: Refund; isContractor: boolean }) {
  return (
    <span className="text-muted">
      {isContractor ? "Payment refunded" : "Refunded to you"}
      {refund.status === "recording" && ", being recorded"}
    </span>
  );
}
