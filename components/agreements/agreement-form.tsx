"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useOwnerForm } from "@/components/account/owner-form";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { getProblem } from "@/components/wallet/error-notice";
import { KEEPS_PAGE, useNetwork } from "@/components/wallet/wallet-shell";
import type { Draft } from "@/server/agreements/schema";
import { buildUrl } from "@/server/lib/build-url";
import type { Category } from "@/server/lib/schema";
import { type AgreementDraft, readRequirements, toDraftInput } from "./agreement-draft";
import { DeliverableForm } from "./deliverable-form";
import { DraftPreview } from "./draft-preview";
import { type DraftForm, JobFields } from "./job-fields";
import type { RequirementForm } from "./requirement-fields";
import { RequirementPicker } from "./requirement-picker";
import { RequirementList } from "./requirement-terms";
import { Signature } from "./signature";
import { SignedSummary } from "./signed-summary";
import { createDraft, type Preset } from "./templates";
import { UnresponsivePages } from "./unresponsive-pages";

interface Props {
  /** The proposer's; null before it has signed in. */
  wallet: string | null;
  preset: Preset;
  forms: RequirementForm[];
  categories: readonly Category[];
  /** Signs a visitor in; shown in place of the button that continues. */
  signIn: ReactNode;
}

/** Drafts the terms of a job, tries them on a deliverable, and has the owner sign and propose them. */
export function AgreementForm({ wallet, preset, forms, categories, signIn }: Props) {
  const drafting = trpc.agreements.draft.useMutation(KEEPS_PAGE);
  const attempt = trpc.requirements.check.useMutation(KEEPS_PAGE);
  const form = useOwnerForm<AgreementDraft>(
    createDraft(preset, useNetwork().escrows !== null),
    (draft) => drafting.mutateAsync(toDraftInput(draft, wallet ?? "", forms)),
    {
      storedAs: buildUrl("standing.agreement", { ...preset }),
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
        {wallet && <Trial form={form} draft={draft} forms={forms} attempt={attempt} />}
      </div>
      <div className="grid min-w-0 grid-cols-1 gap-6 lg:sticky lg:top-6">
        <Panel title="The agreement">
          <DraftPreview draft={draft} />
          <div className="mt-5 grid gap-3 border-t border-line pt-5">
            {!wallet ? (
              <p>You sign with your agent's wallet. Your entries are kept until then.</p>
            ) : drafting.data ? (
              <SignAndPropose
                wallet={wallet}
                drafted={drafting.data}
                onProposed={form.discardDraft}
              />
            ) : (
              <Button
                variant="primary"
                className="justify-self-start"
                busy={form.isBusy}
                onClick={() => form.submit()}
              >
                {form.isBusy ? "Checking…" : "Continue to sign"}
              </Button>
            )}
            {form.failure && <Notice role="alert">{form.failure}</Notice>}
          </div>
        </Panel>
        {!wallet && signIn}
      </div>
    </div>
  );
}

interface TrialProps {
  form: DraftForm;
  draft: AgreementDraft;
  forms: readonly RequirementForm[];
  attempt: ReturnType<typeof trpc.requirements.check.useMutation>;
}

/** Tries the drafted requirements on a deliverable. */
function Trial({ form, draft, forms, attempt }: TrialProps) {
  return (
    <FoldedPanel title="Try it on a deliverable" note="What passes, before anyone signs">
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
    </FoldedPanel>
  );
}

const INCOMPLETE = { code: "incomplete", detail: "Add requirements and complete them first." };

const isAboutRequirements = (error: unknown) =>
  getProblem(error)?.errors?.some(({ pointer }) => pointer.startsWith("#/requirements"));

/** Asks for criteria, or says why there can be none. */
function Criteria({ form }: { form: DraftForm }) {
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
  const { mutateAsync: propose } = trpc.agreements.propose.useMutation(KEEPS_PAGE);
  const { data: client } = trpc.explorer.check.useQuery(
    { walletAddress: terms.requester },
    { enabled: terms.contractor === wallet },
  );
  return (
    <>
      <div className="-mt-5 text-sm [&>ol]:border-t-0">
        <RequirementList requirements={terms.requirements} />
      </div>
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
