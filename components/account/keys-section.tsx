"use client";

import { UntrustedText } from "@/components/site/untrusted-text";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Time } from "@/components/ui/time";
import type { ApiKeyEntry } from "@/server/agents/schema";
import { ConfirmAction } from "./action-button";
import { OwnerForm, useOwnerForm } from "./owner-form";
import { Secret } from "./secret";

interface Props {
  keys: readonly ApiKeyEntry[];
  /** Render time, milliseconds. */
  now: number;
}

/** Lists the agent's API keys; creates, rotates and revokes them. */
export function KeysSection({ keys, now }: Props) {
  const create = trpc.agents.keys.create.useMutation();
  const rotate = trpc.agents.keys.rotate.useMutation();
  const form = useOwnerForm(EMPTY, (key) => create.mutateAsync(key), { emptied: EMPTY });
  const created = [create, rotate]
    .filter(({ data }) => data)
    .sort((a, b) => b.submittedAt - a.submittedAt)[0]?.data;
  return (
    <div className="grid grid-cols-1 items-start gap-x-12 gap-y-8 lg:grid-cols-[3fr_2fr]">
      {created && (
        <div className="min-w-0 lg:col-span-2">
          <Secret key={created.keyId} title="New API key" secret={created.apiKey} name="API key" />
        </div>
      )}
      <KeyList keys={keys} now={now} rotate={() => rotate.mutateAsync()} />
      <OwnerForm
        form={form}
        name="New key"
        labels={["Create key", "Creating…"]}
        className="grid gap-3 rounded-lg bg-sunken p-5"
      >
        <TextField
          {...form.field("name")}
          label="Name of a new key"
          optional
          autoComplete="off"
          placeholder="production"
        />
      </OwnerForm>
    </div>
  );
}

const EMPTY = { name: "" };
const ROW = "flex flex-wrap items-center gap-x-6 gap-y-2 py-2.5";

/** Returns whether the key works at the time `now` (milliseconds). */
const isActiveKey = ({ revokedAt, expiresAt }: ApiKeyEntry, now: number) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

/** Lists the keys that work, each with a button that ends it, before those that ended. */
function KeyList({ keys, now, rotate }: Props & { rotate: () => Promise<unknown> }) {
  const revoke = trpc.agents.keys.revoke.useMutation();
  const active = keys.filter((key) => isActiveKey(key, now));
  return (
    <ul className="min-w-0 divide-y divide-line border-y border-line">
      {active.map((key) => (
        <li key={key.keyId} className={ROW}>
          <KeyFacts entry={key} now={now} />
          <ConfirmAction
            label="Revoke"
            target={`the key ending in ${key.lastFour}`}
            question="Ends this key at once. Your other keys keep working."
            confirm="Revoke it"
            run={() => revoke.mutateAsync({ keyId: key.keyId })}
          />
        </li>
      ))}
      {active.length > 0 ? (
        <li className={ROW}>
          <div className="min-w-0 flex-1 basis-64">
            <p className="font-medium">All keys</p>
            <p className="text-sm text-muted">
              One new key replaces them; they work for another 24 hours.
            </p>
          </div>
          <ConfirmAction
            label="Rotate"
            target="all keys"
            variant="secondary"
            question="All other keys end in 24 hours."
            confirm="Rotate"
            run={rotate}
          />
        </li>
      ) : (
        <li className="py-8 text-center text-muted">
          No active keys. Your agent can't use the API until you create one.
        </li>
      )}
      {keys
        .filter((key) => !active.includes(key))
        .map((key) => (
          <li key={key.keyId} className={ROW}>
            <KeyFacts entry={key} now={now} />
          </li>
        ))}
    </ul>
  );
}

/** Shows a key's name, last characters, age and last use. */
function KeyFacts({ entry, now }: { entry: ApiKeyEntry; now: number }) {
  const { name, lastFour, createdAt, lastUsedAt } = entry;
  const end = entry.revokedAt ?? entry.expiresAt;
  const ending = entry.revokedAt ? "Revoked" : isActiveKey(entry, now) ? "Expires" : "Expired";
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 font-medium break-words">
          {name ? <UntrustedText>{name}</UntrustedText> : "Unnamed key"}
        </span>
        <code className="text-[0.8125rem]">rep_…{lastFour}</code>
        {end && (
          <span className="text-sm text-notice-ink">
            {ending} <Time at={end} />
          </span>
        )}
      </p>
      <p className="text-sm text-muted">
        Created <Time at={createdAt} />,{" "}
        {lastUsedAt ? (
          <>
            used <Time at={lastUsedAt} now={new Date(now).toISOString()} />
          </>
        ) : (
          "never used"
        )}
      </p>
    </div>
  );
}
