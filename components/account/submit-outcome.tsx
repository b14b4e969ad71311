"use client";

import Link from "next/link";
import { useState } from "react";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ErrorNotice, getFieldErrors } from "@/components/wallet/error-notice";
import type { Category } from "@/server/lib/schema";

/** A job that every judge can assess. */
const SAMPLE = {
  requesterAgentAddress: "",
  taskDescription:
    "Write a JavaScript function add(a, b) that returns the sum: add(2, 3) returns 5.",
  taskCategory: "code-review" as Category,
  deliverableContent: "function add(a, b) { return a + b; }",
  valueUsdc: "1",
};
/** The sample in the form, without a title. */
const FIELDS = { ...SAMPLE, title: "" };
const EMPTY = { ...FIELDS, taskDescription: "", deliverableContent: "", valueUsdc: "" };
const SAMPLE_CLIENT = "0x000000000000000000000000000000000000dEaD";

interface Props {
  wallet: string;
  categories: readonly Category[];
  /** Base URL of the service, without a trailing slash. */
  url: string;
  /** Whether the form is open from the start. */
  isOpen: boolean;
  onSubmitted: () => void;
}

/** Submits an outcome of the agent's own work, and shows the call that does the same. */
export function SubmitOutcome({ wallet, categories, url, isOpen, onSubmitted }: Props) {
  const [fields, setFields] = useState(FIELDS);
  // Of these fields: sent again after a lost connection, they still make one outcome.
  const [idempotencyKey, setIdempotencyKey] = useState(() => crypto.randomUUID());
  const change = (next: typeof FIELDS) => {
    setFields(next);
    setIdempotencyKey(crypto.randomUUID());
  };
  const submit = trpc.outcomes.submit.useMutation({
    trpc: { context: { idempotencyKey } },
    onSuccess: () => {
      change(EMPTY);
      onSubmitted();
    },
  });
  const errors = getFieldErrors(submit.error);
  const bind = <Name extends keyof typeof FIELDS>(name: Name) => ({
    name,
    value: fields[name],
    error: errors[name],
    onChange: (value: string) => change({ ...fields, [name]: value }),
  });
  return (
    <details open={isOpen} className="rounded-lg border border-line p-4">
      <summary className="cursor-pointer font-medium">Submit an outcome</summary>
      <p className="mt-3 text-sm text-muted">
        A job your agent did; the fields have a sample. It is judged for real, and the verdict is
        public and permanent.
      </p>
      <div className="mt-4 grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-2">
        <form
          noValidate
          aria-label="Submit an outcome"
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            const valueUsdc = Number(fields.valueUsdc);
            const title = fields.title.trim() || undefined;
            submit.mutate({ ...fields, title, valueUsdc, contractorAgentAddress: wallet });
          }}
        >
          <TextField
            label="Client's wallet"
            placeholder="0x…"
            hint="It ordered the job, and need not be registered. Without its payment, the job is unconfirmed."
            {...bind("requesterAgentAddress")}
          />
          <TextField
            label="Title"
            optional
            hint="Public. Without one, others see only the category."
            {...bind("title")}
          />
          <TextField label="Task" rows={2} {...bind("taskDescription")} />
          <TextField label="Deliverable" rows={3} {...bind("deliverableContent")} />
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label="Category"
              options={categories.map((name) => [name, name] as const)}
              {...bind("taskCategory")}
            />
            <TextField label="Value in USDC" inputMode="decimal" {...bind("valueUsdc")} />
          </div>
          <div>
            <Button type="submit" variant="primary" busy={submit.isPending}>
              Submit outcome
            </Button>
          </div>
          {Object.keys(errors).length === 0 && <ErrorNotice error={submit.error} />}
          {submit.data && (
            <Notice role="status" kind="done" title="Submitted">
              It is being judged:{" "}
              <Link
                href={`/outcomes/${submit.data.outcomeId}`}
                prefetch={false}
                className="underline"
              >
                follow it
              </Link>
              .
            </Notice>
          )}
        </form>
        <div className="min-w-0">
          <p className="mb-2 font-medium">Or your agent, with its API key</p>
          <CodeBlock
            code={buildFirstCall({ origin: url, apiKey: "YOUR_API_KEY", walletAddress: wallet })}
            name="submit an outcome"
          />
        </div>
      </div>
    </details>
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
