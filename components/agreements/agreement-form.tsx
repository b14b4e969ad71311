"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useStoredDraft } from "@/components/account/stored-draft";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { focusField, SelectField, TextField } from "@/components/ui/field";
import { Panel } from "@/components/ui/panel";
import { ErrorNotice, getFieldErrors, getProblem } from "@/components/wallet/error-notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { Draft } from "@/server/agreements/schema";
import type { Category } from "@/server/lib/schema";
import {
  type AgreementDraft,
  EMPTY_DRAFT,
  groupRequirementErrors,
  parseDraft,
  parseRequirements,
} from "./agreement-draft";
import { DeliverableForm } from "./deliverable-form";
import { DraftPreview } from "./draft-preview";
import type { RequirementForm } from "./requirement-fields";
import { RequirementPicker } from "./requirement-picker";
import { Signature } from "./signature";
import { SignedSummary } from "./signed-summary";
import { UnresponsivePages } from "./unresponsive-pages";

interface Props {
  wallet: string;
  /** Wallet of the other party; empty if not known yet. */
  contractor: string;
  forms: RequirementForm[];
  categories: readonly Category[];
}

/** Drafts the terms of a job, tries them on a deliverable, and has the owner sign and propose them. */
export function AgreementForm({ wallet, contractor, forms, categories }: Props) {
  const { draft, setDraft, discardDraft } = useStoredDraft(
    `standing.agreement.${wallet}${contractor}`,
    { ...EMPTY_DRAFT, counterparty: contractor },
  );
  const [showErrors, setShowErrors] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const drafting = trpc.agreements.draft.useMutation();
  const attempt = trpc.requirements.check.useMutation();
  const update = (change: Partial<AgreementDraft>) => {
    setDraft({ ...draft, ...change });
    drafting.reset();
    if (change.requirements) attempt.reset();
  };
  const { requirements, isIncomplete } = parseRequirements(draft.requirements, forms);
  const serverErrors = [drafting.error, attempt.error].flatMap(
    (error) => getProblem(error)?.errors ?? [],
  );

  function review() {
    setShowErrors(true);
    const parsed = parseDraft(draft, { wallet, forms, now: Date.now() });
    if ("input" in parsed) return drafting.mutate(parsed.input);
    const [wrong] = Object.keys(parsed.errors);
    if (wrong) focusField(fields.current, wrong);
  }

  const parsed = showErrors ? parseDraft(draft, { wallet, forms, now: Date.now() }) : null;
  const errors = {
    ...getFieldErrors(drafting.error),
    ...(parsed && "errors" in parsed ? parsed.errors : {}),
  };
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
      <div ref={fields} className="grid min-w-0 grid-cols-1 gap-6">
        <JobFields draft={draft} errors={errors} categories={categories} onChange={update} />
        <Panel
          title="Requirements"
          note="All must hold. Code decides them, the same way every time."
        >
          <RequirementPicker
            forms={forms}
            drafts={draft.requirements}
            category={draft.category}
            showErrors={showErrors}
            error={errors.requirements}
            serverErrors={groupRequirementErrors(serverErrors)}
            onChange={(next) => update({ requirements: next })}
          />
          <Criteria draft={draft} error={errors.criteria} onChange={update} />
        </Panel>
        <Panel
          title="Try it on a deliverable"
          note="See what passes before anyone signs. Nothing is stored."
        >
          <DeliverableForm
            name="Try it on a deliverable"
            attempt={attempt}
            takesUrl={draft.delivery !== "content"}
            obstacle={
              requirements.length === 0 || isIncomplete
                ? "Add requirements and complete them first."
                : null
            }
            onTry={(deliverable) => attempt.mutate({ requirements, ...deliverable })}
          />
        </Panel>
      </div>
      <div className="min-w-0 lg:sticky lg:top-6">
        <Panel title="The agreement">
          <DraftPreview draft={draft} requirements={requirements} />
          <div className="mt-5 grid gap-3 border-t border-line pt-5">
            {drafting.data ? (
              <SignAndPropose wallet={wallet} drafted={drafting.data} onProposed={discardDraft} />
            ) : (
              <div>
                <Button variant="primary" busy={drafting.isPending} onClick={review}>
                  {drafting.isPending ? "Checking…" : "Continue to sign"}
                </Button>
              </div>
            )}
            <ErrorNotice error={drafting.error} />
          </div>
        </Panel>
      </div>
    </div>
  );
}

interface FieldsProps {
  draft: AgreementDraft;
  errors: Record<string, string | undefined>;
  categories: readonly Category[];
  onChange: (change: Partial<AgreementDraft>) => void;
}

const ROLES = [
  ["requester", "I am the client"],
  ["contractor", "I am the contractor"],
] as const;
const PAYMENTS = [
  ["on-delivery", "On delivery"],
  ["upfront", "Upfront"],
  ["escrow", "Escrow"],
] as const;
const DELIVERIES = [
  ["content", "Text only"],
  ["content-or-url", "Text or URL"],
] as const;

/** Asks for the parties, the task, the payment and the deadline. */
function JobFields({ draft, errors, categories, onChange }: FieldsProps) {
  const hasEscrows = useNetwork().escrows !== null;
  const field = (
    name: "counterparty" | "title" | "task" | "valueUsdc" | "deliverBy" | "startBy",
  ) => ({
    name,
    error: errors[name],
    autoComplete: "off",
    value: draft[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  return (
    <Panel title="Job">
      <div className="grid gap-5 sm:grid-cols-2">
        <fieldset className="sm:col-span-2">
          <legend className="font-medium">Your part</legend>
          <div className="mt-1.5 flex flex-wrap gap-x-6 gap-y-2">
            {ROLES.map(([role, label]) => (
              <label key={role} className="flex items-baseline gap-2">
                <input
                  type="radio"
                  name="role"
                  className="accent-accent"
                  checked={draft.role === role}
                  onChange={() => onChange({ role })}
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <div className="sm:col-span-2">
          <TextField
            {...field("counterparty")}
            label={draft.role === "requester" ? "Contractor's wallet" : "Client's wallet"}
            placeholder="0x"
            spellCheck={false}
          />
        </div>
        <div className="sm:col-span-2">
          <TextField
            {...field("title")}
            label="Title"
            optional
            hint="Only you two see it, unless a submission repeats it in public."
          />
        </div>
        <div className="sm:col-span-2">
          <TextField
            {...field("task")}
            label="Task"
            rows={5}
            hint="Explains the work. Only requirements and criteria decide."
          />
        </div>
        <SelectField
          label="Category"
          name="category"
          error={errors.category}
          options={categories.map((category) => [category, category] as const)}
          value={draft.category}
          onChange={(category) => onChange({ category: category as Category })}
        />
        <TextField
          {...field("valueUsdc")}
          label="Value in USDC"
          inputMode="decimal"
          placeholder="12.50"
        />
        <SelectField
          label="Payment"
          name="payment"
          hint="Only upfront payments and escrows are recorded as paid."
          error={errors.payment}
          options={PAYMENTS.filter(([payment]) => hasEscrows || payment !== "escrow")}
          value={draft.payment}
          onChange={(value) => {
            const payment = value as AgreementDraft["payment"];
            // A URL can show the judge another text than the client.
            onChange({ payment, ...(payment === "escrow" ? { delivery: "content" } : {}) });
          }}
        />
        <SelectField
          label="Delivery"
          name="delivery"
          error={errors.delivery}
          options={draft.payment === "escrow" ? DELIVERIES.slice(0, 1) : DELIVERIES}
          value={draft.delivery ?? "content"}
          onChange={(delivery) => onChange({ delivery: delivery as AgreementDraft["delivery"] })}
        />
        <TextField {...field("deliverBy")} label="Deliver by (UTC)" type="datetime-local" />
        <TextField
          {...field("startBy")}
          label="Start by (UTC)"
          optional
          type="datetime-local"
          hint="Accepted, and paid or funded, by then. By default in an hour, or half-way."
        />
      </div>
    </Panel>
  );
}

/** Asks for criteria, or says why there can be none. */
function Criteria({
  draft,
  error,
  onChange,
}: Omit<FieldsProps, "errors" | "categories"> & { error: string | undefined }) {
  const hasModel = useNetwork().disputeReview === "model";
  return (
    <div className="mt-6 border-t border-line pt-5">
      {hasModel ? (
        <TextField
          label="Criteria"
          name="criteria"
          optional
          rows={3}
          hint="One sentence per line, for what code can't decide. A language model examines the work by them."
          error={error}
          value={draft.criteria}
          onChange={(criteria) => onChange({ criteria })}
        />
      ) : (
        <p className="text-sm text-muted">
          Criteria in words need a language model, and this service has none configured.
        </p>
      )}
    </div>
  );
}

interface SignProps {
  wallet: string;
  drafted: Draft;
  onProposed: () => void;
}

/** Has the owner sign the drafted terms, proposes them, and opens the agreement's page. */
function SignAndPropose({ wallet, drafted, onProposed }: SignProps) {
  const { terms, typedData, unresponsiveUrls } = drafted;
  const router = useRouter();
  const { mutateAsync: propose } = trpc.agreements.propose.useMutation();
  const { data: client } = trpc.explorer.check.useQuery(
    { walletAddress: terms.requester },
    { enabled: terms.contractor === wallet },
  );
  return (
    <>
      <SignedSummary summary={typedData.message.summary} terms={terms} wallet={wallet} />
      {client && <p className="text-sm">{client.asClient.summary}</p>}
      <UnresponsivePages urls={unresponsiveUrls} />
      <Signature
        wallet={wallet}
        typedData={typedData}
        label="Sign and propose"
        submit={(signature) => propose({ terms, signature })}
        onDone={({ agreementId }) => {
          onProposed();
          router.push(`/agreements/${agreementId}`);
        }}
      />
    </>
  );
}
