"use client";

import { useEffect, useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatCount, formatDateTime } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { Notice } from "@/components/ui/notice";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type {
  CreatedWebhook,
  Delivery,
  DeliveryStatus,
  Webhook,
  WebhookDisabledReason,
  WebhookEvent,
} from "@/server/webhooks/schema";
import { ActionButton, ConfirmAction } from "./action-button";
import { Secret } from "./secret";
import { WebhookForm } from "./webhook-form";

interface Props {
  initial: Webhook[];
  /** Maximum number of webhooks. */
  limit: number;
  /** Label of each event. */
  labels: Record<WebhookEvent, string>;
}

/** Lists the agent's webhooks and creates new ones. */
export function WebhooksSection({ initial, limit, labels }: Props) {
  const webhooks = trpc.webhooks.list.useQuery(undefined, { initialData: initial });
  return (
    <div className="grid max-w-4xl gap-6">
      {webhooks.data.length > 0 && (
        <ul className="grid gap-4">
          {webhooks.data.map((webhook) => (
            <WebhookCard key={webhook.webhookId} webhook={webhook} labels={labels} />
          ))}
        </ul>
      )}
      {webhooks.data.length < limit ? (
        <CreateWebhook isFirst={webhooks.data.length === 0} labels={labels} />
      ) : (
        <p className="text-muted">Limit of {limit} webhooks reached. Delete one first.</p>
      )}
    </div>
  );
}

function CreateWebhook({ isFirst, labels }: { isFirst: boolean } & Pick<Props, "labels">) {
  const cache = trpc.useUtils();
  const [isOpen, setOpen] = useState(false);
  const create = trpc.webhooks.create.useMutation({
    onSuccess: () => {
      setOpen(false);
      return cache.webhooks.list.invalidate();
    },
  });
  return (
    <>
      {create.data && <WebhookSecret key={create.data.webhookId} {...create.data} />}
      {isFirst && (
        <p className="text-muted">
          No webhooks yet. A webhook notifies your agent of events as they happen.
        </p>
      )}
      {isFirst || isOpen ? (
        <WebhookForm
          name="New webhook"
          eventLabels={labels}
          labels={["Create webhook", "Creating…"]}
          send={(fields) => create.mutateAsync(fields)}
        />
      ) : (
        <div>
          <Button small onClick={() => setOpen(true)}>
            Add webhook
          </Button>
        </div>
      )}
    </>
  );
}

const DISABLED: Record<WebhookDisabledReason, string> = {
  gone: "Your endpoint returned 410 Gone.",
  failing: "Every delivery failed for five days.",
};

interface WebhookCardProps {
  webhook: Webhook;
  /** Label of each event. */
  labels: Record<WebhookEvent, string>;
}

/** Shows a webhook with its status, actions, fields and delivery log. */
function WebhookCard({ webhook, labels }: WebhookCardProps) {
  const { webhookId, url, events, status, disabledReason } = webhook;
  const cache = trpc.useUtils();
  const [open, setOpen] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const refetch = () => cache.webhooks.list.invalidate();
  const update = trpc.webhooks.update.useMutation({
    onSuccess: () => {
      setEditing(false);
      return refetch();
    },
  });
  const rotate = trpc.webhooks.rotate.useMutation();
  const ping = trpc.webhooks.ping.useMutation({
    onSuccess: () => {
      setOpen(true);
      return cache.webhooks.deliveries.invalidate({ webhookId });
    },
  });
  const remove = trpc.webhooks.remove.useMutation({ onSuccess: refetch });
  const action = (name: string, description = name) => ({
    small: true,
    "aria-label": `${description} ${url}`,
    children: name,
  });
  return (
    <li className="rounded-lg border border-line p-4">
      <p className="font-medium break-all">{url}</p>
      <p className="mt-1 flex flex-wrap gap-x-3 text-sm text-muted">
        <span>{status === "active" ? "Active" : "Disabled"}</span>
        {events.map((event) => (
          <code key={event}>{event}</code>
        ))}
      </p>
      {disabledReason && (
        <div className="mt-3">
          <Notice title="Webhook disabled">
            {DISABLED[disabledReason]} Fix the endpoint, then enable the webhook.
          </Notice>
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {status === "active" ? (
          <ActionButton {...action("Ping")} run={() => ping.mutateAsync({ webhookId })} />
        ) : (
          <ActionButton
            {...action("Enable")}
            run={() => update.mutateAsync({ webhookId, status: "active" })}
          />
        )}
        <Button
          {...action("Edit")}
          aria-expanded={isEditing}
          onClick={() => setEditing(!isEditing)}
        />
        <Button
          {...action("Delivery log", "Delivery log of")}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        />
        <ConfirmAction
          label="Rotate secret"
          target={url}
          question="The old secret also signs for 24 hours."
          confirm="Rotate it"
          variant="secondary"
          run={() => rotate.mutateAsync({ webhookId })}
        />
        <ConfirmAction
          label="Delete"
          target={url}
          question="Deletes its log and cancels pending deliveries."
          confirm="Delete it"
          run={() => remove.mutateAsync({ webhookId })}
        />
      </div>
      <div className="mt-4 grid gap-4 empty:hidden">
        {rotate.data && <WebhookSecret key={rotate.data.secret} {...rotate.data} />}
        {isEditing && (
          <WebhookForm
            name={`Edit ${url}`}
            eventLabels={labels}
            webhook={webhook}
            labels={["Save", "Saving…"]}
            send={(fields) => update.mutateAsync({ webhookId, ...fields })}
          />
        )}
      </div>
      {open && <DeliveryLog webhook={webhook} />}
    </li>
  );
}

/** Shows a new signing secret once. */
function WebhookSecret({ secret, previousSecretExpiresAt }: CreatedWebhook) {
  return (
    <Secret
      title="Webhook signing secret"
      secret={secret}
      name="signing secret"
      storage="We store it encrypted."
    >
      <p className="mt-3 text-sm text-muted">
        Every delivery carries <code>X-Service-Signature: sha256=…</code>, the HMAC-SHA256 of the
        raw body with this secret as key. Verify it before trusting a delivery.
        {previousSecretExpiresAt &&
          ` Until ${formatDateTime(previousSecretExpiresAt)} it uses the old secret, and webhook-signature holds a signature of each.`}
      </p>
    </Secret>
  );
}

const DELIVERY_STATUSES = {
  delivered: { label: "Delivered", tone: "text-good", path: "M3.5 8.5l3 3 6-7" },
  failed: { label: "Failed", tone: "text-bad", path: "M4 4l8 8m0-8l-8 8" },
  pending: { label: "Pending", tone: "text-muted", path: "M3 8h.5m4 0h.5m4 0h.5" },
} as const;

/** Lists the latest deliveries; polls while one is pending. */
function DeliveryLog({ webhook }: { webhook: Webhook }) {
  const { webhookId, createdAt } = webhook;
  const active = webhook.status === "active";
  const cache = trpc.useUtils();
  const [status, setStatus] = useState<DeliveryStatus>();
  const log = trpc.webhooks.deliveries.useQuery(
    { webhookId, size: 10, status },
    {
      placeholderData: (shown) => shown,
      refetchInterval: ({ state }) => (state.data?.content.some(isPending) ? 1_500 : false),
    },
  );
  const hasPending = log.data?.content.some(isPending) ?? false;
  useEffect(() => {
    // A failed delivery can disable its webhook.
    if (!hasPending) void cache.webhooks.list.invalidate();
  }, [hasPending, cache]);
  const onSuccess = () => cache.webhooks.deliveries.invalidate({ webhookId });
  const redeliver = trpc.webhooks.redeliver.useMutation({ onSuccess });
  const replay = trpc.webhooks.replay.useMutation({ onSuccess });
  return (
    <div className="mt-4 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <select
          aria-label="Deliveries to show"
          className="rounded-md border border-field bg-paper px-2 py-1"
          value={status ?? ""}
          onChange={({ target }) => setStatus((target.value || undefined) as typeof status)}
        >
          <option value="">All deliveries</option>
          {Object.entries(DELIVERY_STATUSES).map(([option, { label }]) => (
            <option key={option} value={option}>
              Only {label.toLowerCase()}
            </option>
          ))}
        </select>
        {active && status === "failed" && (log.data?.totalElements ?? 0) > 0 && (
          <ActionButton small run={() => replay.mutateAsync({ webhookId, since: createdAt })}>
            Redeliver all failed
          </ActionButton>
        )}
      </div>
      {log.isPending && (
        <p role="status" className="text-sm text-muted">
          Loading log…
        </p>
      )}
      <ErrorNotice error={log.error} />
      {log.data?.content.length === 0 && (
        <p className="mt-2 text-sm text-muted">
          {status ? "No such deliveries." : "No deliveries yet. Send a ping to test."}
        </p>
      )}
      <ul className="divide-y divide-line">
        {log.data?.content.map((delivery) => (
          <li key={delivery.deliveryId} className="flex flex-wrap gap-x-4 gap-y-1 py-2 text-sm">
            <StatusLabel status={delivery.status} />
            <code>{delivery.event}</code>
            <span className="text-muted">{formatDateTime(delivery.createdAt)}</span>
            <span className="basis-full text-muted sm:basis-auto">
              {describeLastAttempt(delivery)}
            </span>
            {active && delivery.status !== "pending" && (
              <span className="ml-auto">
                <ActionButton
                  small
                  aria-label={`Redeliver ${delivery.event} of ${formatDateTime(delivery.createdAt)}`}
                  run={() => redeliver.mutateAsync({ webhookId, deliveryId: delivery.deliveryId })}
                >
                  Redeliver
                </ActionButton>
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

const isPending = ({ status }: Delivery) => status === "pending";

function StatusLabel({ status }: Pick<Delivery, "status">) {
  const { label, tone, path } = DELIVERY_STATUSES[status];
  return (
    <span className={`inline-flex w-28 items-center gap-1.5 font-medium ${tone}`}>
      <Icon path={path} className="size-4" strokeWidth={1.8} box={16} />
      {label}
    </span>
  );
}

function describeLastAttempt({ attempts, nextAttemptAt, status }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return "not attempted yet";
  const result = last.status === null ? `no response (${last.error})` : `HTTP ${last.status}`;
  const count = formatCount(attempts.length, "attempt");
  const next =
    status === "pending" && nextAttemptAt ? `, next ${formatDateTime(nextAttemptAt)}` : "";
  return `${result} after ${last.latencyMs} ms, ${count}${next}`;
}
