"use client";

import { Choices, SelectField, TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import type { CreateWebhook, Webhook, WebhookEvent } from "@/server/webhooks/schema";
import { OwnerForm, useOwnerForm } from "./owner-form";

interface Props extends Pick<Parameters<typeof OwnerForm>[0], "name" | "labels"> {
  /** Label of each event. */
  eventLabels: Record<WebhookEvent, string>;
  /** The webhook to edit; none to create one. */
  webhook?: Webhook;
  send: (fields: CreateWebhook) => Promise<unknown>;
}

const SCHEDULES = [
  ["standard", "For 13 minutes"],
  ["day", "For 24 hours"],
] as const;

/** Renders the fields of a webhook, to create or edit it. A new one gets all events unless changed. */
export function WebhookForm({ eventLabels, webhook, send, ...labels }: Props) {
  const options = Object.keys(eventLabels) as WebhookEvent[];
  const { url = "", events = options, retrySchedule = "standard" } = webhook ?? {};
  const form = useOwnerForm<CreateWebhook>({ url, events, retrySchedule }, send);
  return (
    <OwnerForm form={form} {...labels}>
      <TextField
        {...form.field("url")}
        label="Endpoint URL"
        hint="An http or https URL that returns 2xx for a POST."
        type="url"
        placeholder="https://agent.example/hooks/standing"
      />
      <Fold
        summary={`${form.watch("events").length} of ${options.length} events, and retries`}
        open={webhook !== undefined}
      >
        <div className="grid gap-4">
          <Choices
            {...form.field("events")}
            label="Events"
            options={options}
            list="mt-2 grid gap-x-6 gap-y-2 sm:grid-cols-2"
            renderOption={(event) => (
              <span>
                {eventLabels[event]} <code className="text-sm text-muted">{event}</code>
              </span>
            )}
          />
          <SelectField
            {...form.field("retrySchedule")}
            label="Retry failed deliveries"
            options={SCHEDULES}
          />
        </div>
      </Fold>
    </OwnerForm>
  );
}
