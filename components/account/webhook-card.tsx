"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Notice } from "@/components/ui/notice";
import { sayError } from "@/components/wallet/say-error";
import type { Webhook, WebhookDisabledReason } from "@/server/webhooks/schema";
import { DeliveryLog } from "./delivery-log";

const DISABLED: Record<WebhookDisabledReason, string> = {
  gone: "Your endpoint answered 410 Gone, so it is called no more.",
  failing: "Every delivery failed for five days, so it is called no more.",
};

/** One webhook: its state, a way to try it, and its log. */
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
          <Notice title="This webhook is disabled">
            {DISABLED[disabledReason]} Mend the endpoint, delete this webhook and create it anew.
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
          question="Its log goes with it, and what is still due is not delivered."
          confirm="Delete it"
          busy={remove.isPending}
          onConfirm={() => remove.mutate({ webhookId })}
        />
      </div>
      {error && (
        <div className="mt-3">
          <Notice role="alert">{sayError(error)}</Notice>
        </div>
      )}
      {open && <DeliveryLog webhookId={webhookId} active={status === "active"} />}
    </li>
  );
}
