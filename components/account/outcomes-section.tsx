"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatAmount } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { describeError } from "@/components/wallet/describe-error";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { Names, OutcomesPage } from "@/server/explorer/schema";
import { listParties } from "@/server/outcomes/list-parties";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { NoOutcomes } from "./newest-outcomes";
import { getOutcomeActions } from "./outcome-actions";
import { OutcomeRow } from "./outcome-row";
import { UnsubmittedRefund } from "./payments/refund-form";
import { StakeForm } from "./payments/stake-form";
import { useStoredPayments } from "./payments/use-stored-payments";

interface Props {
  wallet: string;
  initial: OutcomesPage;
  /** Names of the initial outcomes' parties. */
  initialNames: Names;
  terms: DisputeTerms;
  /** Render time, milliseconds. */
  now: number;
}

/** Lists the agent's outcomes, with forms to dispute a verdict and to refund a payment. */
export function OutcomesSection({ wallet, initial, initialNames, terms, now }: Props) {
  const [page, setPage] = useState(0);
  const isFirst = page === 0;
  const stored = useStoredPayments(wallet);
  const storedRefunds = stored.filter(({ action }) => action === "refund");
  const outcomes = trpc.explorer.outcomes.useQuery(
    { walletAddress: wallet, page, size: initial.size },
    {
      initialData: isFirst ? initial : undefined,
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) => (state.data?.content.some(isPending) ? 3_000 : 30_000),
    },
  );
  const { content, totalPages, totalElements } = outcomes.data ?? initial;
  const names = trpc.explorer.names.useQuery(listParties(content), {
    placeholderData: (previous) => previous ?? initialNames,
    staleTime: 60_000,
  });
  return (
    <div className="grid grid-cols-1 gap-4">
      {outcomes.error && (
        <Notice role="status" title="This list may be outdated">
          {describeError(outcomes.error)}
        </Notice>
      )}
      {stored.map((payment) =>
        payment.action === "open" ? (
          <div key={payment.id} className="rounded-lg border-2 border-accent p-4 sm:p-5">
            <h3 className="mb-4 font-medium">Submit your stake to open the dispute</h3>
            <StakeForm
              subject={{ action: "open", id: payment.id }}
              wallet={wallet}
              stored={payment}
            />
          </div>
        ) : payment.action === "refund" ? (
          <UnsubmittedRefund key={payment.id} payment={payment} />
        ) : null,
      )}
      {!terms.acceptsDisputes && (
        <p className="text-sm text-muted">Disputes are closed: no language model is configured.</p>
      )}
      {content.length === 0 ? (
        <NoOutcomes />
      ) : (
        <ul className="divide-y divide-line border-y border-line" aria-busy={outcomes.isFetching}>
          {content.map((outcome) => {
            const { canDispute, canRefund, until } = getOutcomeActions(outcome, {
              wallet,
              terms,
              now,
            });
            const isRefundStored = storedRefunds.some(({ id }) => id === outcome.outcomeId);
            return (
              <OutcomeRow
                key={outcome.outcomeId}
                outcome={outcome}
                until={until}
                wallet={wallet}
                names={names.data ?? initialNames}
                isDisputable={canDispute}
                isRefundable={canRefund && !isRefundStored}
              />
            );
          })}
        </ul>
      )}
      {totalPages > 1 && (
        <div className="flex items-center justify-between gap-4 text-sm">
          <Button small disabled={isFirst} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span className="text-muted">
            Page {page + 1} of {totalPages}, {formatAmount(totalElements)} outcomes
          </span>
          <Button small disabled={page + 1 >= totalPages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </div>
      )}
    </div>
  );
}

const isPending = ({ status, refund }: PublicOutcome) =>
  status === "EVALUATING" || refund?.status === "recording";
