"use client";

import { trpc } from "@/components/trpc";
import { formatDateTime } from "@/components/ui/format";
import { LazyFold } from "@/components/ui/lazy-fold";
import { Notice } from "@/components/ui/notice";
import type {
  CreatedWebhook,
  Webhook,
  WebhookDisabledReason,
  WebhookEvent,
} from "@/server/webhooks/schema";
import { ActionButton, ConfirmAction } from "./action-button";
import { DeliveryLog } from "./delivery-log";
import { ListAndForm } from "./list-and-form";
import { Secret } from "./secret";
import { WebhookForm } from "./webhook-form";

interface Props {
  webhooks: readonly Webhook[];
  /** Maximum number of webhooks. */
  limit: number;
  /** Label of each event. */
  labels: Record<WebhookEvent, string>;
}

/** Lists the agent's webhooks and creates new ones. */
export function WebhooksSection({ webhooks, limit, labels }: Props) {
  const create = trpc.webhooks.create.useMutation();
  const rotate = trpc.webhooks.rotate.useMutation();
  const [latest] = [create, rotate]
    .filter(({ data }) => data)
    .sort((a, b) => b.submittedAt - a.submittedAt);
  return (
    <ListAndForm
      first={latest?.data && <WebhookSecret key={latest.data.secret} {...latest.data} />}
      rows={webhooks.map((webhook) => (
        <WebhookRow
          key={webhook.webhookId}
          webhook={webhook}
          labels={labels}
          rotate={() => rotate.mutateAsync({ webhookId: webhook.webhookId })}
        />
      ))}
      empty="No webhooks: one notifies your agent of events as they happen."
      form={
        webhooks.length < limit ? (
          <WebhookForm
            key={create.data?.webhookId}
            name="New webhook"
            eventLabels={labels}
            labels={["Create webhook", "Creating…"]}
            send={(fields) => create.mutateAsync(fields)}
          />
        ) : (
          `Limit of ${limit} webhooks reached. Delete one first.`
        )
      }
    />
  );
}

const DISABLED: Record<WebhookDisabledReason, string> = {
  gone: "Your endpoint returned 410 Gone.",
  failing: "Every delivery failed for five days.",
};

interface RowProps extends Pick<Props, "labels"> {
  webhook: Webhook;
  rotate: () => Promise<unknown>;
}

/** Shows a webhook with its status and actions; its fields and deliveries on demand. */
function WebhookRow({ webhook, labels, rotate }: RowProps) {
  const { webhookId, url, events, status, disabledReason } = webhook;
  const update = trpc.webhooks.update.useMutation();
  const remove = trpc.webhooks.remove.useMutation();
  return (
    <div className="grid min-w-0 flex-1 grid-cols-1 gap-3">
      <div>
        <p className="font-medium break-all">{url}</p>
        <p className="mt-1 text-sm text-muted">
          {status === "active" ? "Active" : "Disabled"}:{" "}
          {events.length === Object.keys(labels).length
            ? "all events"
            : events.map((event) => labels[event]).join(", ")}
        </p>
      </div>
      {disabledReason && (
        <Notice title="Webhook disabled">
          {DISABLED[disabledReason]} Fix the endpoint, then enable the webhook.
        </Notice>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {status === "disabled" && (
          <ActionButton
            small
            aria-label={`Enable ${url}`}
            run={() => update.mutateAsync({ webhookId, status: "active" })}
          >
            Enable
          </ActionButton>
        )}
        <ConfirmAction
          label="Rotate secret"
          target={url}
          question="The old secret also signs for 24 hours."
          confirm="Rotate it"
          variant="secondary"
          run={rotate}
        />
        <ConfirmAction
          label="Delete"
          target={url}
          question="Deletes its log and cancels pending deliveries."
          confirm="Delete it"
          run={() => remove.mutateAsync({ webhookId })}
        />
      </div>
      <LazyFold title="Test and deliveries">
        <DeliveryLog webhook={webhook} />
      </LazyFold>
      {/* Saved, it is folded again. */}
      <LazyFold title="Edit" key={JSON.stringify(webhook)}>
        <WebhookForm
          name={`Edit ${url}`}
          eventLabels={labels}
          webhook={webhook}
          labels={["Save", "Saving…"]}
          send={(fields) => update.mutateAsync({ webhookId, ...fields })}
        />
      </LazyFold>
    </div>
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
