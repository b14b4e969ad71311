"use client";

import { UntrustedText } from "@/components/site/untrusted-text";
import { trpc } from "@/components/trpc";
import { TextField } from "@/components/ui/field";
import { Time } from "@/components/ui/time";
import type { ApiKeyEntry } from "@/server/agents/schema";
import { ConfirmAction } from "./action-button";
import { ListAndForm } from "./list-and-form";
import { OwnerForm, useOwnerForm } from "./owner-form";
import { Secret } from "./secret";

interface Props {
  keys: readonly ApiKeyEntry[];
  /** Render time, milliseconds. */
  now: number;
}

const EMPTY = { name: "" };

/** Lists the agent's working API keys; creates and revokes them. */
export function KeysSection({ keys, now }: Props) {
  const create = trpc.agents.keys.create.useMutation();
  const form = useOwnerForm(EMPTY, (key) => create.mutateAsync(key), { emptied: EMPTY });
  const active = keys.filter(
    ({ revokedAt, expiresAt }) =>
      revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  return (
    <ListAndForm
      first={
        create.data && (
          <Secret
            key={create.data.keyId}
            title="New API key"
            secret={create.data.apiKey}
            name="API key"
          />
        )
      }
      rows={active.map((key) => <KeyRow key={key.keyId} entry={key} now={now} />)}
      empty="No keys: your agent can't use the API until you create one."
      form={
        <OwnerForm form={form} name="New key" labels={["Create key", "Creating…"]}>
          <TextField
            {...form.field("name")}
            label="Name of a new key"
            optional
            autoComplete="off"
            placeholder="production"
          />
        </OwnerForm>
      }
    />
  );
}

/** Shows a key's name, last characters, age and last use, with a button that ends it. */
function KeyRow({ entry, now }: { entry: ApiKeyEntry; now: number }) {
  const { keyId, name, lastFour, createdAt, expiresAt, lastUsedAt } = entry;
  const revoke = trpc.agents.keys.revoke.useMutation();
  return (
    <>
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 font-medium break-words">
            {name ? <UntrustedText>{name}</UntrustedText> : "Unnamed key"}
          </span>
          <code className="text-[0.8125rem]">rep_…{lastFour}</code>
          {expiresAt && (
            <span className="text-sm text-notice-ink">
              Expires <Time at={expiresAt} />
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
      <ConfirmAction
        label="Revoke"
        target={`the key ending in ${lastFour}`}
        question="Ends this key at once. Your other keys keep working."
        confirm="Revoke it"
        run={() => revoke.mutateAsync({ keyId })}
      />
    </>
  );
}
