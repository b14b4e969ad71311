"use client";

import { type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkboxes, FieldError, focusField, TextField } from "@/components/ui/field";
import { ErrorNotice, getFieldErrors } from "@/components/wallet/error-notice";
import type { CreateWebhook, Webhook, WebhookEvent } from "@/server/webhooks/schema";
import { isHttpUrl } from "./validate";

interface Props {
  /** Name of the form, for screen readers. */
  name: string;
  /** Label of each event. */
  labels: Record<WebhookEvent, string>;
  /** The webhook to edit; none to create one. */
  webhook?: Webhook;
  /** The mutation that `onSubmit` starts. */
  mutation: { isPending: boolean; error: unknown; reset: () => void };
  onSubmit: (fields: CreateWebhook) => void;
  submitLabel: string;
  children?: ReactNode;
}

/** Renders the fields of a webhook, to create or edit it. */
export function WebhookForm(props: Props) {
  const { name, labels, webhook, mutation, onSubmit, submitLabel, children } = props;
  const options = Object.keys(labels) as WebhookEvent[];
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<WebhookEvent[]>(webhook?.events ?? options);
  const [isLong, setLong] = useState(webhook?.retrySchedule === "day");
  const [tried, setTried] = useState(false);
  const errors = { ...getFieldErrors(mutation.error), ...(tried ? validate(url, events) : {}) };
  return (
    <form
      noValidate
      aria-label={name}
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const wrong = Object.keys(validate(url, events))[0];
        if (!wrong) {
          const retrySchedule = isLong ? "day" : "standard";
          return onSubmit({ url: url.trim(), events, retrySchedule });
        }
        focusField(event.currentTarget, wrong);
      }}
    >
      {children}
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
          mutation.reset();
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
      <label className="flex items-baseline gap-2">
        <input
          type="checkbox"
          className="accent-accent"
          checked={isLong}
          onChange={({ target }) => setLong(target.checked)}
        />
        Retry failed deliveries for 24 hours instead of 13 minutes
      </label>
      <div>
        <Button type="submit" variant="primary" busy={mutation.isPending}>
          {submitLabel}
        </Button>
      </div>
      <ErrorNotice error={mutation.error} />
    </form>
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
