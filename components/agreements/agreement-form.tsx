"use client";

import { useRouter } from "next/navigation";
import { useOwnerForm } from "@/components/account/owner-form";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { Choices, SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Panel } from "@/components/ui/panel";
import { getProblem } from "@/components/wallet/error-notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { Draft } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import { describeRequirement } from "@/server/judging/requirements/describe";
import type { Category } from "@/server/lib/schema";
import {
  type AgreementDraft,
  EMPTY_DRAFT,
  readRequirements,
  toDraftInput,
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
  const drafting = trpc.agreements.draft.useMutation();
  const attempt = trpc.requirements.check.useMutation();
  const form = useOwnerForm<AgreementDraft>(
    { ...EMPTY_DRAFT, contractor },
    (draft) => drafting.mutateAsync(toDraftInput(draft, wallet, forms)),
    {
      storedAs: `standing.agreement.${wallet}${contractor}`,
      onChange: () => {
        drafting.reset();
        attempt.reset();
      },
    },
  );
  const draft = form.watch();
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[3fr_2fr]">
      <div ref={form.container} className="grid min-w-0 grid-cols-1 gap-6">
        <JobFields form={form} draft={draft} categories={categories} />
        <Panel
          title="Requirements"
          note="All must hold. Code decides them, the same way every time."
        >
          <RequirementPicker draft={form} forms={forms} />
          <Criteria form={form} />
        </Panel>
        <Panel
          title="Try it on a deliverable"
          note="See what passes before anyone signs. Nothing is stored."
        >
          <DeliverableForm
            name="Try it on a deliverable"
            attempt={attempt}
            takesUrl={draft.delivery !== "content"}
            onTry={(deliverable) => {
              const requirements = readRequirements(draft.requirements, forms);
              return attempt.mutateAsync({ requirements, ...deliverable }).catch((error) => {
                if (!isAboutRequirements(error)) throw error;
                form.show(error);
                throw Object.assign(new Error(), { data: INCOMPLETE });
              });
            }}
          />
        </Panel>
      </div>
      <div className="min-w-0 lg:sticky lg:top-6">
        <Panel title="The agreement">
          <DraftPreview draft={draft} />
          <div className="mt-5 grid gap-3 border-t border-line pt-5">
            {drafting.data ? (
              <SignAndPropose
                wallet={wallet}
                drafted={drafting.data}
                onProposed={form.discardDraft}
              />
            ) : (
              <div>
                <Button variant="primary" busy={form.isBusy} onClick={() => form.submit()}>
                  {form.isBusy ? "Checking…" : "Continue to sign"}
                </Button>
              </div>
            )}
            {form.failure && <Notice role="alert">{form.failure}</Notice>}
          </div>
        </Panel>
      </div>
    </div>
  );
}

const INCOMPLETE = { code: "incomplete", detail: "Add requirements and complete them first." };

const isAboutRequirements = (error: unknown) =>
  getProblem(error)?.errors?.some(({ pointer }) => pointer.startsWith("#/requirements"));

interface FieldsProps {
  form: ReturnType<typeof useOwnerForm<AgreementDraft>>;
  draft: AgreementDraft;
  categories: readonly Category[];
}

const ROLES = { requester: "I am the client", contractor: "I am the contractor" };
const WALLETS = { requester: "Client's wallet", contractor: "Contractor's wallet" };
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
function JobFields({ form: { field, setValue }, draft, categories }: FieldsProps) {
  const hasEscrows = useNetwork().escrows !== null;
  const other = getOtherParty(draft.role);
  return (
    <Panel title="Job">
      <div className="grid gap-5">
        <Choices
          {...field("role")}
          type="radio"
          label="Your part"
          list="mt-1.5 flex flex-wrap gap-x-6 gap-y-2"
          options={["requester", "contractor"]}
          renderOption={(role) => ROLES[role]}
        />
        <TextField
          key={other}
          {...field(other)}
          label={WALLETS[other]}
          placeholder="0x"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          {...field("title")}
          label="Title"
          optional
          autoComplete="off"
          hint="Only you two see it, unless a submission repeats it in public."
        />
        <TextField
          {...field("task")}
          label="Task"
          rows={5}
          hint="Explains the work. Only requirements and criteria decide."
        />
      </div>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <SelectField
          {...field("category")}
          label="Category"
          isOpen
          options={categories.map((category) => [category, category] as const)}
        />
        <TextField
          {...field("valueUsdc")}
          label="Value in USDC"
          inputMode="decimal"
          autoComplete="off"
          placeholder="12.50"
        />
        <SelectField
          {...field("payment", {
            // A URL can show the judge another text than the client.
            onChange: ({ target }) => target.value === "escrow" && setValue("delivery", "content"),
          })}
          label="Payment"
          hint="Only upfront payments and escrows are recorded as paid."
          options={PAYMENTS.filter(([payment]) => hasEscrows || payment !== "escrow")}
        />
        <SelectField
          {...field("delivery")}
          label="Delivery"
          options={draft.payment === "escrow" ? DELIVERIES.slice(0, 1) : DELIVERIES}
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
function Criteria({ form }: Pick<FieldsProps, "form">) {
  const hasModel = useNetwork().disputeReview === "model";
  return (
    <div className="mt-6 border-t border-line pt-5">
      {hasModel ? (
        <TextField
          {...form.field("criteria")}
          label="Criteria"
          optional
          rows={3}
          hint="One sentence per line, for what code can't decide. A language model examines the work by them."
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
      <ul className="list-disc pl-5 text-sm">
        {terms.requirements.map((requirement, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
          <li key={index}>{describeRequirement(requirement)}</li>
        ))}
      </ul>
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
