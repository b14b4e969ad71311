"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import type {
  CreatedWebhook,
  Webhook,
  WebhookDisabledReason,
  WebhookEvent,
} from "@/server/webhooks/schema";
import { ActionButton, ConfirmAction } from "./action-button";
import { DeliveryLog } from "./delivery-log";
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
  return (
    <div className="grid max-w-4xl gap-6">
      {webhooks.length > 0 && (
        <ul className="grid gap-4">
          {webhooks.map((webhook) => (
            <WebhookCard key={webhook.webhookId} webhook={webhook} labels={labels} />
          ))}
        </ul>
      )}
      {webhooks.length < limit ? (
        <CreateWebhook isFirst={webhooks.length === 0} labels={labels} />
      ) : (
        <p className="text-muted">Limit of {limit} webhooks reached. Delete one first.</p>
      )}
    </div>
  );
}

function CreateWebhook({ isFirst, labels }: { isFirst: boolean } & Pick<Props, "labels">) {
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const create = trpc.webhooks.create.useMutation({
    onSuccess: () => {
      setOpen(false);
      router.refresh();
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
  const router = useRouter();
  const [open, setOpen] = useState<"log" | "fields" | null>(null);
  const update = trpc.webhooks.update.useMutation({
    onSuccess: () => {
      setOpen(null);
      router.refresh();
    },
  });
  const rotate = trpc.webhooks.rotate.useMutation();
  const toggle = (part: typeof open, name: string, label: string) => (
    <Button
      small
      aria-label={label}
      aria-expanded={open === part}
      onClick={() => setOpen(open === part ? null : part)}
    >
      {name}
    </Button>
  );
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
      <WebhookActions
        webhook={webhook}
        enable={() => update.mutateAsync({ webhookId, status: "active" })}
        rotate={() => rotate.mutateAsync({ webhookId })}
        onPing={() => setOpen("log")}
      >
        {toggle("fields", "Edit", `Edit ${url}`)}
        {toggle("log", "Delivery log", `Delivery log of ${url}`)}
      </WebhookActions>
      <div className="mt-4 grid gap-4 empty:hidden">
        {rotate.data && <WebhookSecret key={rotate.data.secret} {...rotate.data} />}
        {open === "fields" && (
          <WebhookForm
            name={`Edit ${url}`}
            eventLabels={labels}
            webhook={webhook}
            labels={["Save", "Saving…"]}
            send={(fields) => update.mutateAsync({ webhookId, ...fields })}
          />
        )}
      </div>
      {open === "log" && <DeliveryLog webhook={webhook} />}
    </li>
  );
}

interface ActionsProps {
  webhook: Webhook;
  enable: () => Promise<unknown>;
  rotate: () => Promise<unknown>;
  onPing: () => void;
  /** Buttons that open parts of the card. */
  children: ReactNode;
}

function WebhookActions({ webhook, enable, rotate, onPing, children }: ActionsProps) {
  const { webhookId, url, status } = webhook;
  const router = useRouter();
  const cache = trpc.useUtils();
  const ping = trpc.webhooks.ping.useMutation({
    onSuccess: () => {
      onPing();
      return cache.webhooks.deliveries.invalidate({ webhookId });
    },
  });
  const remove = trpc.webhooks.remove.useMutation({ onSuccess: () => router.refresh() });
  return (
    <div className="mt-3 flex flex-wrap items-center gap-2">
      {status === "active" ? (
        <ActionButton small aria-label={`Ping ${url}`} run={() => ping.mutateAsync({ webhookId })}>
          Ping
        </ActionButton>
      ) : (
        <ActionButton small aria-label={`Enable ${url}`} run={enable}>
          Enable
        </ActionButton>
      )}
      {children}
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
