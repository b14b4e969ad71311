"use client";

import { useState } from "react";
import { UntrustedText } from "@/components/site/untrusted-text";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { TextField } from "@/components/ui/field";
import { formatAgo, formatDateTime } from "@/components/ui/format";
import { Time } from "@/components/ui/time";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { ApiKeyEntry } from "@/server/agents/schema";
import { KEY_STORAGE_NOTE, Secret } from "./secret";

interface Props {
  initial: ApiKeyEntry[];
  /** Render time, milliseconds. */
  now: number;
}

/** Lists the agent's API keys; creates, rotates and revokes them. */
export function KeysSection({ initial, now }: Props) {
  const cache = trpc.useUtils();
  const [name, setName] = useState("");
  const keys = trpc.agents.keys.list.useQuery(undefined, { initialData: initial });
  // Not awaited: offline, the refetch would retry for seconds after the mutation has failed.
  const onSettled = () => void cache.agents.keys.list.invalidate();
  const create = trpc.agents.keys.create.useMutation({ onSettled, onSuccess: () => setName("") });
  const rotate = trpc.agents.keys.rotate.useMutation({ onSettled });
  const revoke = trpc.agents.keys.revoke.useMutation({ onSettled });
  const created = [create, rotate]
    .filter(({ data }) => data)
    .sort((a, b) => b.submittedAt - a.submittedAt)[0]?.data;
  const error = [create, rotate, revoke].find((mutation) => mutation.error)?.error;
  const active = keys.data.filter((key) => isActiveKey(key, now));
  const inactive = keys.data.filter((key) => !isActiveKey(key, now));
  return (
    <div className="grid grid-cols-1 gap-6">
      {created && (
        <Secret
          key={created.keyId}
          title="New API key"
          secret={created.apiKey}
          name="API key"
          storage={KEY_STORAGE_NOTE}
        />
      )}
      <form
        aria-label="New key"
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ name: name.trim() });
        }}
      >
        <div className="w-full sm:max-w-xs">
          <TextField
            label="Name of a new key"
            name="name"
            optional
            autoComplete="off"
            placeholder="production"
            error={name.trim().length > MAX_NAME ? `At most ${MAX_NAME} characters.` : undefined}
            value={name}
            onChange={setName}
          />
        </div>
        <Button
          type="submit"
          variant="primary"
          busy={create.isPending}
          disabled={name.trim().length > MAX_NAME}
        >
          {create.isPending ? "Creating…" : "Create key"}
        </Button>
      </form>
      <ErrorNotice error={error} />
      <ul className="divide-y divide-line border-y border-line">
        {active.map((key) => (
          <li key={key.keyId} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-2.5">
            <KeyFacts entry={key} now={now} />
            <ConfirmButton
              label="Revoke"
              target={`the key ending in ${key.lastFour}`}
              question="Ends this key at once. Your other keys keep working."
              confirm="Revoke it"
              busy={revoke.isPending && revoke.variables.keyId === key.keyId}
              onConfirm={() => revoke.mutate({ keyId: key.keyId })}
            />
          </li>
        ))}
        {active.length === 0 && (
          <li className="py-8 text-center text-muted">
            No active keys. Your agent can't use the API until you create one.
          </li>
        )}
      </ul>
      {active.length > 0 && (
        <section aria-labelledby="rotate" className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <div className="min-w-0 flex-1 basis-64">
            <h3 id="rotate" className="font-medium">
              Replace all keys
            </h3>
            <p className="text-sm text-muted">
              Creates one new key; all others work for another 24 hours. To end one key, revoke it.
            </p>
          </div>
          <ConfirmButton
            label="Rotate"
            target="all keys"
            variant="secondary"
            question="All other keys end in 24 hours."
            confirm="Rotate"
            busy={rotate.isPending}
            onConfirm={() => rotate.mutate()}
          />
        </section>
      )}
      {inactive.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-muted">
            Inactive keys ({inactive.length})
          </summary>
          <ul className="mt-1 divide-y divide-line">
            {inactive.map((key) => (
              <li key={key.keyId} className="flex py-2">
                <KeyFacts entry={key} now={now} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

/** Of `createKeyInput`. */
const MAX_NAME = 60;

/** Returns whether the key works at the time `now` (milliseconds). */
const isActiveKey = ({ revokedAt, expiresAt }: ApiKeyEntry, now: number) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now);

/** Shows a key's name, last characters, age and last use. */
function KeyFacts({ entry, now }: { entry: ApiKeyEntry; now: number }) {
  const { name, lastFour, createdAt, lastUsedAt } = entry;
  const validity = describeValidity(entry, now);
  return (
    <div className="grid min-w-0 flex-1 basis-64 items-baseline gap-x-6 gap-y-0.5 lg:grid-cols-[1fr_7rem_11rem_8rem]">
      <p className="min-w-0">
        <span className="font-medium break-words">
          {name ? <UntrustedText>{name}</UntrustedText> : "Unnamed key"}
        </span>
        {validity && <span className="ml-3 text-sm text-notice-ink">{validity}</span>}
      </p>
      <code className="text-[0.8125rem]">rep_…{lastFour}</code>
      <p className="text-sm whitespace-nowrap text-muted">
        Created <Time at={createdAt} />
      </p>
      <p className="text-sm text-muted" title={lastUsedAt ? formatDateTime(lastUsedAt) : undefined}>
        {lastUsedAt ? `Used ${formatAgo(lastUsedAt, new Date(now).toISOString())}` : "Never used"}
      </p>
    </div>
  );
}

function describeValidity(entry: ApiKeyEntry, now: number): string | null {
  const { revokedAt, expiresAt } = entry;
  if (revokedAt) return `Revoked ${formatDateTime(revokedAt)}`;
  return (
    expiresAt && `${isActiveKey(entry, now) ? "Expires" : "Expired"} ${formatDateTime(expiresAt)}`
  );
}
