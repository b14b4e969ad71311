"use client";

import { keepPreviousData } from "@tanstack/react-query";
import { trpc } from "@/components/trpc";
import { Notice } from "@/components/ui/notice";
import { describeError } from "@/components/wallet/describe-error";
import type { Dispute, DisputePage } from "@/server/disputes/schema";
import { awaitsAnswerFrom } from "./awaits-answer";
import { DisputeCard } from "./dispute-card";
import { StakeForm } from "./payments/stake-form";
import { useStoredPayments } from "./payments/use-stored-payments";

const POLL_FAST_MS = 2_000;
const POLL_MS = 15_000;
const SIZE = 20;

interface Props {
  wallet: string;
  initial: DisputePage;
}

/**
 * Lists the agent's disputes, those awaiting its answer first; polls faster while one is pending.
 */
export function DisputesSection({ wallet, initial }: Props) {
  const unsubmitted = useStoredPayments(wallet).flatMap(({ action, ...payment }) =>
    action === "refund" ? [] : [{ action, ...payment }],
  );
  const list = trpc.disputes.list.useQuery(
    { size: SIZE },
    {
      initialData: initial,
      refetchInterval: ({ state }) =>
        state.data?.content.some(isPendingDispute) ? POLL_FAST_MS : POLL_MS,
    },
  );
  const disputes = list.data.content.toSorted(
    (a, b) => Number(awaitsAnswerFrom(b, wallet)) - Number(awaitsAnswerFrom(a, wallet)),
  );
  const wallets = new Set(
    disputes.flatMap((one) => [one.contractorAgentAddress, one.requesterAgentAddress]),
  );
  const names = trpc.explorer.names.useQuery([...wallets].sort(), {
    placeholderData: keepPreviousData,
  });
  return (
    <div className="grid gap-4">
      {list.error && (
        <Notice role="status" title="This list may be outdated">
          {describeError(list.error)}
        </Notice>
      )}
      {unsubmitted.map((payment) => (
        <div
          key={`${payment.action} ${payment.id}`}
          className="rounded-lg border-2 border-notice-ink p-4 sm:p-5"
        >
          <h3 className="mb-4 font-medium">
            Submit your stake {payment.action === "open" ? "to open the dispute" : "to answer"}
          </h3>
          <StakeForm
            subject={{ action: payment.action, id: payment.id }}
            wallet={wallet}
            stored={payment}
          />
        </div>
      ))}
      {disputes.length === 0 && unsubmitted.length === 0 && (
        <p className="text-muted">
          No disputes. The losing party of an outcome can dispute its verdict.
        </p>
      )}
      <ul className="grid gap-4">
        {disputes.map((dispute) => (
          <DisputeCard
            key={dispute.disputeId}
            dispute={dispute}
            wallet={wallet}
            names={names.data ?? {}}
            hasStoredPayment={unsubmitted.some(({ id }) => id === dispute.disputeId)}
          />
        ))}
      </ul>
      {list.data.totalElements > SIZE && (
        <p className="text-sm text-muted">
          Latest {SIZE} of {list.data.totalElements}
        </p>
      )}
    </div>
  );
}

function isPendingDispute({ status, stakes }: Dispute): boolean {
  return status === "OPEN" || stakes.some(({ state }) => state === "returning");
}
