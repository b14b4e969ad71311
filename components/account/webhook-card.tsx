"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Notice } from "@/components/ui/notice";
import { describeError } from "@/components/wallet/describe-error";
import type { Webhook, WebhookDisabledReason } from "@/server/webhooks/schema";
import { DeliveryLog } from "./delivery-log";

const DISABLED: Record<WebhookDisabledReason, string> = {
  gone: "Your endpoint returned 410 Gone.",
  failing: "Every delivery failed for five days.",
};

/** Shows a webhook with its status, ping button and delivery log. */
export function WebhookCard({ webhook }: { webhook: Webhook }) {
  const { webhookId, url, events, status, disabledReason } = webhook;
  const cache = trpc.useUtils();
  const [open, setOpen] = useState(false);
  const ping = trpc.webhooks.ping.useMutation({
    onSuccess: () => {
      setOpen(true);
      return cache.webhooks.deliveries.invalidate({ webhookId });
    },
  });
  const remove = trpc.webhooks.remove.useMutation({
    onSettled: () => void cache.webhooks.list.invalidate(),
  });
  const error = ping.error ?? remove.error;
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
            {DISABLED[disabledReason]} Fix the endpoint, then delete and recreate this webhook.
          </Notice>
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {status === "active" && (
          <Button
            small
            busy={ping.isPending}
            aria-label={`Ping ${url}`}
            onClick={() => ping.mutate({ webhookId })}
          >
            Ping
          </Button>
        )}
        <Button
          small
          aria-expanded={open}
          aria-label={`Delivery log of ${url}`}
          onClick={() => setOpen(!open)}
        >
          Delivery log
        </Button>
        <ConfirmButton
          label="Delete"
          of={url}
          question="Deletes its log and cancels pending deliveries."
          confirm="Delete it"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ webhookId })}
        />
      </div>
      {error && (
        <div className="mt-3">
          <Notice role="alert">{describeError(error)}</Notice>
        </div>
      )}
      {open && <DeliveryLog webhookId={webhookId} active={status === "active"} />}
    </li>
  );
}
