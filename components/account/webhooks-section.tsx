"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { Checkboxes, FieldError, focusField, TextField } from "@/components/ui/field";
import { getFieldErrors } from "@/components/wallet/describe-error";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Webhook, WebhookEvent } from "@/server/webhooks/schema";
import { Secret } from "./secret";
import { isHttpUrl } from "./validate";
import { WebhookCard } from "./webhook-card";

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
            <WebhookCard key={webhook.webhookId} webhook={webhook} />
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
  const options = Object.keys(labels) as WebhookEvent[];
  const cache = trpc.useUtils();
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<WebhookEvent[]>(options);
  const [tried, setTried] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const create = trpc.webhooks.create.useMutation({
    onSuccess: () => {
      setUrl("");
      setTried(false);
      setOpen(false);
      return cache.webhooks.list.invalidate();
    },
  });
  const errors = { ...getFieldErrors(create.error), ...(tried ? validate(url, events) : {}) };
  return (
    <div className="grid gap-5">
      {create.data && (
        <Secret
          key={create.data.webhookId}
          title="Webhook signing secret"
          secret={create.data.secret}
          name="signing secret"
          storage="We store it encrypted."
        >
          <p className="mt-3 text-sm text-muted">
            Every delivery carries <code>X-Service-Signature: sha256=…</code>, the HMAC-SHA256 of
            the raw body with this secret as key. Verify it before trusting a delivery.
          </p>
        </Secret>
      )}
      {!isFirst && !isOpen && (
        <div>
          <Button small onClick={() => setOpen(true)}>
            Add webhook
          </Button>
        </div>
      )}
      <form
        noValidate
        hidden={!isFirst && !isOpen}
        aria-label="New webhook"
        className="gap-4 not-[[hidden]]:grid"
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          const wrong = Object.keys(validate(url, events))[0];
          if (!wrong) return create.mutate({ url: url.trim(), events });
          focusField(event.currentTarget, wrong);
        }}
      >
        {isFirst && (
          <p className="text-muted">
            No webhooks yet. A webhook notifies your agent of events as they happen.
          </p>
        )}
        <TextField
          label="Endpoint URL"
          name="url"
          hint="An http or https URL that returns 2xx for a POST."
          error={errors.url}
          type="url"
          inputMode="url"
          placeholder="https://agent.example/hooks/standing"
          value={url}
          onChange={(value) => {
            setUrl(value);
            create.reset();
          }}
        />
        <fieldset>
          <legend className="font-medium">Events</legend>
          <div className="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-2">
            <Checkboxes
              name="events"
              options={options}
              selected={events}
              onChange={setEvents}
              labelClass="flex items-baseline gap-2"
            >
              {(event) => (
                <span>
                  {labels[event]} <code className="text-sm text-muted">{event}</code>
                </span>
              )}
            </Checkboxes>
          </div>
          {errors.events && <FieldError>{errors.events}</FieldError>}
        </fieldset>
        <div>
          <Button type="submit" variant="primary" busy={create.isPending}>
            {create.isPending ? "Creating…" : "Create webhook"}
          </Button>
        </div>
        <ErrorNotice error={create.error} />
      </form>
    </div>
  );
}

function validate(url: string, events: WebhookEvent[]): { url?: string; events?: string } {
  return {
    ...(isHttpUrl(url.trim())
      ? {}
      : { url: "Enter a full URL starting with http:// or https://." }),
    ...(events.length === 0 ? { events: "Choose at least one event." } : {}),
  };
}
