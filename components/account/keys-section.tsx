"use client";

import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { formatDateTime } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { sayError } from "@/components/wallet/say-error";
import type { ApiKeyEntry } from "@/server/agents/schema";
import { KEY_KEPT, Secret } from "./secret";

/** The agent's keys: make, replace, end. */
export function KeysSection({ initial }: { initial: ApiKeyEntry[] }) {
  const cache = trpc.useUtils();
  const keys = trpc.agents.keys.list.useQuery(undefined, { initialData: initial });
  // Not waited for: without a connection the list asks again for seconds, unlike what failed.
  const onSettled = () => void cache.agents.keys.list.invalidate();
  const create = trpc.agents.keys.create.useMutation({ onSettled });
  const rotate = trpc.agents.keys.rotate.useMutation({ onSettled });
  const revoke = trpc.agents.keys.revoke.useMutation({ onSettled });
  const made = [create, rotate]
    .filter(({ data }) => data)
    .sort((a, b) => b.submittedAt - a.submittedAt)[0]?.data;
  const error = [create, rotate, revoke].find((one) => one.error)?.error;
  const live = keys.data.filter(isLive);
  const ended = keys.data.filter((key) => !isLive(key));
  return (
    <div className="grid gap-5">
      {made && (
        <Secret
          key={made.keyId}
          title="A new API key"
          secret={made.apiKey}
          name="API key"
          kept={KEY_KEPT}
        />
      )}
      <ul className="divide-y divide-line border-y border-line">
        {live.map((key) => (
          <li key={key.keyId} className="flex flex-wrap items-center gap-x-6 gap-y-2 py-3">
            <KeyFacts entry={key} />
            <ConfirmButton
              label="Revoke"
              of={`the key that ends in ${key.lastFour}`}
              question="It stops working at once."
              confirm="Revoke it"
              busy={revoke.isPending && revoke.variables.keyId === key.keyId}
              onConfirm={() => revoke.mutate({ keyId: key.keyId })}
            />
          </li>
        ))}
        {live.length === 0 && (
          <li className="py-4 text-muted">
            No key works at present: your agent cannot use the API. Create one.
          </li>
        )}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button small busy={create.isPending} onClick={() => create.mutate()}>
          Create a key
        </Button>
        {live.length > 0 && (
          <ConfirmButton
            label="Rotate"
            of="all keys"
            look="plain"
            question="Makes a new key; the others end in 24 hours, so that nothing stops meanwhile."
            confirm="Rotate"
            busy={rotate.isPending}
            onConfirm={() => rotate.mutate()}
          />
        )}
      </div>
      {error && <Notice role="alert">{sayError(error)}</Notice>}
      {ended.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer py-1 text-muted">Ended keys ({ended.length})</summary>
          <ul className="mt-1 grid gap-2">
            {ended.map((key) => (
              <li key={key.keyId} className="flex">
                <KeyFacts entry={key} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

const isLive = ({ revokedAt, expiresAt }: ApiKeyEntry) =>
  revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

function KeyFacts({ entry }: { entry: ApiKeyEntry }) {
  const { revokedAt, expiresAt } = entry;
  const until = revokedAt
    ? `Revoked ${formatDateTime(revokedAt)}`
    : expiresAt && `${isLive(entry) ? "Ends" : "Ended"} ${formatDateTime(expiresAt)}`;
  return (
    <div className="min-w-0 flex-1 basis-64">
      <p>
        <code>rep_…{entry.lastFour}</code>
        {until && <span className="ml-3 text-sm text-notice-ink">{until}</span>}
      </p>
      <p className="text-sm text-muted">
        Made {formatDateTime(entry.createdAt)}
        <span aria-hidden="true"> · </span>
        {entry.lastUsedAt ? `last used ${formatDateTime(entry.lastUsedAt)}` : "never used"}
      </p>
    </div>
  );
}
