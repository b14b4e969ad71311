"use client";

import { trpc } from "@/components/trpc";
import { Notice } from "@/components/ui/notice";
import { sayError } from "@/components/wallet/say-error";
import type { Dispute, DisputePage } from "@/server/disputes/schema";
import { awaitsAnswerOf, DisputeCard } from "./dispute-card";
import { StakeForm } from "./stake-form";
import { useKeptPayments } from "./use-kept-payments";

const SOON_MS = 2_000;
const LATER_MS = 15_000;
const SIZE = 20;

interface Props {
  wallet: string;
  initial: DisputePage;
}

/** The agent's disputes, what waits for its answer first; asked for again while anything moves. */
export function DisputesSection({ wallet, initial }: Props) {
  const kept = useKeptPayments(wallet).flatMap(({ action, ...payment }) =>
    action === "refund" ? [] : [{ action, ...payment }],
  );
  const list = trpc.disputes.list.useQuery(
    { size: SIZE },
    {
      initialData: initial,
      refetchInterval: ({ state }) => (state.data?.content.some(isMoving) ? SOON_MS : LATER_MS),
    },
  );
  const disputes = list.data.content.toSorted(
    (a, b) => Number(awaitsAnswerOf(b, wallet)) - Number(awaitsAnswerOf(a, wallet)),
  );
  return (
    <div className="grid gap-4">
      {list.error && (
        <Notice role="status" title="What stands here may be old by now">
          {sayError(list.error)}
        </Notice>
      )}
      {kept.map((payment) => (
        <div
          key={`${payment.action} ${payment.id}`}
          className="rounded-lg border-2 border-accent p-4 sm:p-5"
        >
          <h3 className="mb-4 font-medium">
            A stake that you paid {payment.action === "open" ? "to open a dispute" : "to answer"}{" "}
            was not handed in yet
          </h3>
          <StakeForm
            subject={{ action: payment.action, id: payment.id }}
            wallet={wallet}
            kept={payment}
          />
        </div>
      ))}
      {disputes.length === 0 && kept.length === 0 && (
        <p className="text-muted">
          None. A dispute challenges the verdict of one of your outcomes. Only the party that the
          verdict goes against can open it.
        </p>
      )}
      <ul className="grid gap-4">
        {disputes.map((dispute) => (
          <DisputeCard
            key={dispute.disputeId}
            dispute={dispute}
            wallet={wallet}
            hasStoredPayment={kept.some(({ id }) => id === dispute.disputeId)}
          />
        ))}
      </ul>
      {list.data.totalElements > SIZE && (
        <p className="text-sm text-muted">
          The latest {SIZE} of {list.data.totalElements}.
        </p>
      )}
    </div>
  );
}

function isMoving({ status, stakes }: Dispute): boolean {
  return status === "OPEN" || stakes.some(({ state }) => state === "returning");
}
