"use client";

import { useState } from "react";
import { trpc } from "@/components/trpc";
import { CodeBlock } from "@/components/ui/code-block";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { labelCategory } from "@/server/lib/category-name";
import type { Category } from "@/server/lib/schema";
import { OwnerForm, useOwnerForm } from "./owner-form";

/** A job that every judge can assess. */
const SAMPLE = {
  requesterAgentAddress: "",
  title: "Sum of two numbers",
  taskDescription:
    "Write a JavaScript function add(a, b) that returns the sum: add(2, 3) returns 5.",
  taskCategory: "code-review" as Category,
  deliverableContent: "function add(a, b) { return a + b; }",
  valueUsdc: "1",
};
const EMPTY = { ...SAMPLE, title: "", taskDescription: "", deliverableContent: "", valueUsdc: "" };
const SAMPLE_CLIENT = "0x000000000000000000000000000000000000dEaD";

interface Props {
  wallet: string;
  categories: readonly Category[];
  /** Base URL of the service, without a trailing slash. */
  url: string;
  /** Whether the agent has no outcome yet. */
  isFirst: boolean;
}

/** Submits an outcome of the agent's own work, and shows the call that does the same. */
export function SubmitOutcome({ wallet, categories, url, isFirst }: Props) {
  const [isOpen, setOpen] = useState(isFirst);
  // Of these fields: sent again after a lost connection, they still make one outcome.
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const submit = trpc.outcomes.submit.useMutation({
    trpc: { context: { idempotencyKey } },
    onSuccess: () => setOpen(false),
  });
  const form = useOwnerForm(
    SAMPLE,
    ({ title, valueUsdc, ...fields }) =>
      submit.mutateAsync({
        ...fields,
        title: title.trim() || undefined,
        valueUsdc: Number(valueUsdc || Number.NaN),
        contractorAgentAddress: wallet,
      }),
    { onChange: () => setIdempotencyKey(crypto.randomUUID()), emptied: EMPTY },
  );
  const { field } = form;
  return (
    <>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
        className="rounded-lg border border-line p-4"
      >
        <summary className="cursor-pointer font-medium">Submit an outcome</summary>
        <p className="mt-3 text-sm text-muted">
          A job your agent did; the fields have a sample. It is judged for real, and the verdict is
          public and permanent.
        </p>
        <div className="mt-4 grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-2">
          <OwnerForm
            form={form}
            name="Submit an outcome"
            labels={["Submit outcome", "Submitting…"]}
          >
            <TextField
              {...field("requesterAgentAddress")}
              label="Client's wallet"
              placeholder="0x…"
              hint="It ordered the job, and need not be registered. Without its payment, the job is unconfirmed."
            />
            <TextField {...field("title")} label="Title" hint="Public. Lists show the job by it." />
            <TextField {...field("taskDescription")} label="Task" rows={2} />
            <TextField {...field("deliverableContent")} label="Deliverable" rows={3} />
            <div className="grid gap-4 sm:grid-cols-2">
              <SelectField
                {...field("taskCategory")}
                label="Category"
                options={categories.map((name) => [name, labelCategory(name)] as const)}
              />
              <TextField {...field("valueUsdc")} label="Value in USDC" inputMode="decimal" />
            </div>
          </OwnerForm>
          <div className="min-w-0">
            <p className="mb-2 font-medium">Or your agent, with its API key</p>
            <CodeBlock
              code={buildFirstCall({ origin: url, apiKey: "YOUR_API_KEY", walletAddress: wallet })}
              name="submit an outcome"
            />
          </div>
        </div>
      </details>
      {submit.data && !isOpen && (
        <Notice takesFocus role="status" kind="done" title="Submitted">
          Its verdict appears in the list.
        </Notice>
      )}
    </>
  );
}

interface Caller {
  /** Base URL of the service, without a trailing slash. */
  origin: string;
  apiKey: string;
  walletAddress: string;
}

/** Returns a curl command that submits a sample outcome with this key and wallet. */
export function buildFirstCall({ origin, apiKey, walletAddress }: Caller): string {
  const body = {
    ...SAMPLE,
    contractorAgentAddress: walletAddress,
    requesterAgentAddress: SAMPLE_CLIENT,
    valueUsdc: Number(SAMPLE.valueUsdc),
  };
  return [
    `curl ${origin}/api/v1/outcome \\`,
    `  -H 'X-API-Key: ${apiKey}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body, null, 2)}'`,
  ].join("\n");
}
