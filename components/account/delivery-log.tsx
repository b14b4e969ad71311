"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { MetMark } from "@/components/outcomes/met-mark";
import { trpc } from "@/components/trpc";
import { formatCount, formatDateTime } from "@/components/ui/format";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Delivery, Webhook } from "@/server/webhooks/schema";
import { ActionButton } from "./action-button";

const STATUSES = {
  delivered: { met: "yes", label: "Delivered" },
  failed: { met: "no", label: "Failed" },
  pending: { met: "unclear", label: "Pending" },
} as const;
const RETRYING = { met: "no", label: "Retrying" } as const;

/** Lists the latest deliveries; polls while one is pending. */
export function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { webhookId, createdAt } = webhook;
  const isActive = webhook.status === "active";
  const router = useRouter();
  const cache = trpc.useUtils();
  const log = trpc.webhooks.deliveries.useQuery(
    { webhookId, size: 10 },
    {
      refetchInterval: ({ state }) => (state.data?.content.some(isPending) ? 1_500 : false),
    },
  );
  const hasPending = log.data?.content.some(isPending) ?? false;
  useEffect(() => {
    // A failed delivery can disable its webhook.
    if (!hasPending) router.refresh();
  }, [hasPending, router]);
  const onSuccess = () => cache.webhooks.deliveries.invalidate({ webhookId });
  const ping = trpc.webhooks.ping.useMutation({ onSuccess });
  const redeliver = trpc.webhooks.redeliver.useMutation({ onSuccess });
  const replay = trpc.webhooks.replay.useMutation({ onSuccess });
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        {isActive && (
          <ActionButton small run={() => ping.mutateAsync({ webhookId })}>
            Send a ping
          </ActionButton>
        )}
        {isActive && log.data?.content.some(({ status }) => status === "failed") && (
          <ActionButton small run={() => replay.mutateAsync({ webhookId, since: createdAt })}>
            Redeliver all failed
          </ActionButton>
        )}
      </div>
      {log.isPending && (
        <p role="status" className="text-muted">
          Loading log…
        </p>
      )}
      <ErrorNotice error={log.error} />
      {log.data?.content.length === 0 && <p className="mt-2 text-muted">No deliveries yet.</p>}
      <ul className="divide-y divide-line">
        {log.data?.content.map((delivery) => (
          <DeliveryRow
            key={delivery.deliveryId}
            delivery={delivery}
            isActive={isActive}
            redeliver={() => redeliver.mutateAsync({ webhookId, deliveryId: delivery.deliveryId })}
          />
        ))}
      </ul>
    </>
  );
}

interface RowProps {
  delivery: Delivery;
  /** Whether the webhook is active. */
  isActive: boolean;
  redeliver: () => Promise<unknown>;
}

function DeliveryRow({ delivery, isActive, redeliver }: RowProps) {
  const { status, event, createdAt, attempts } = delivery;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-1 py-2">
      <div className="w-28">
        <MetMark {...(status === "pending" && attempts.length > 0 ? RETRYING : STATUSES[status])} />
      </div>
      <code>{event}</code>
      <span className="text-muted">{formatDateTime(createdAt)}</span>
      <span className="basis-full text-muted sm:basis-auto">{describeLastAttempt(delivery)}</span>
      {isActive && status !== "pending" && (
        <span className="ml-auto">
          <ActionButton
            small
            aria-label={`Redeliver ${event} of ${formatDateTime(createdAt)}`}
            run={redeliver}
          >
            Redeliver
          </ActionButton>
        </span>
      )}
    </li>
  );
}

const isPending = ({ status }: Delivery) => status === "pending";

function describeLastAttempt({ attempts, nextAttemptAt, status }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return "not attempted yet";
  const result = last.status === null ? `no response (${last.error})` : `HTTP ${last.status}`;
  const count = formatCount(attempts.length, "attempt");
  const next =
    status === "pending" && nextAttemptAt ? `, next ${formatDateTime(nextAttemptAt)}` : "";
  return `${result} after ${last.latencyMs} ms, ${count}${next}`;
}
