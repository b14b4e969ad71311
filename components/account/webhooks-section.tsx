"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import type { Webhook, WebhookEvent } from "@/server/webhooks/schema";
import { WebhookCard, WebhookSecret } from "./webhook-card";
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
    <div className="grid gap-6">
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
    <div className="grid gap-5">
      {create.data && <WebhookSecret key={create.data.webhookId} {...create.data} />}
      {isFirst || isOpen ? (
        <WebhookForm
          name="New webhook"
          labels={labels}
          mutation={create}
          onSubmit={(fields) => create.mutate(fields)}
          submitLabel={create.isPending ? "Creating…" : "Create webhook"}
        >
          {isFirst && (
            <p className="text-muted">
              No webhooks yet. A webhook notifies your agent of events as they happen.
            </p>
          )}
        </WebhookForm>
      ) : (
        <div>
          <Button small onClick={() => setOpen(true)}>
            Add webhook
          </Button>
        </div>
      )}
    </div>
  );
}
