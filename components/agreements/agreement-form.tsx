"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useEffect } from "react";
import { useOwnerForm } from "@/components/account/owner-form";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { FoldedPanel, Panel } from "@/components/ui/panel";
import { KEEPS_PAGE, useNetwork } from "@/components/wallet/wallet-shell";
import type { Draft } from "@/server/agreements/schema";
import { buildUrl } from "@/server/lib/build-url";
import type { Category } from "@/server/lib/schema";
import { type AgreementDraft, readRequirements, toDraftInput } from "./agreement-draft";
import { DeliverableForm } from "./deliverable-form";
import { type DraftForm, JobFields } from "./job-fields";
import type { RequirementForm } from "./requirement-fields";
import { RequirementPicker } from "./requirement-picker";
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
  const storedAs = useDraftKey(preset, wallet);
  const form = useOwnerForm<AgreementDraft>(
    createDraft(preset, useNetwork().escrows !== null),
    (draft) => drafting.mutateAsync(toDraftInput(draft, wallet ?? "", forms)),
    {
      storedAs,
      onChange: () => {
        drafting.reset();
        attempt.reset();
      },
    },
  );
  const draft = form.watch();
  return (
    <div ref={form.container} className="grid grid-cols-1 items-start gap-6 lg:grid-cols-2">
      <JobFields form={form} draft={draft} categories={categories} />
      <div className="grid min-w-0 grid-cols-1 gap-6">
        <Panel
          title="Requirements"
          note="All must hold. Code decides them, the same way every time."
        >
          <RequirementPicker draft={form} forms={forms} />
          <Criteria form={form} />
        </Panel>
        {wallet && <Trial form={form} draft={draft} forms={forms} attempt={attempt} />}
        {wallet ? (
          <Panel title="Sign" note="Nothing is sent to the other party before you sign.">
            {drafting.data ? (
              <SignAndPropose
                wallet={wallet}
                drafted={drafting.data}
                onProposed={form.discardDraft}
              />
            ) : (
              <Button variant="primary" busy={form.isBusy} onClick={() => form.submit()}>
                {form.isBusy ? "Checking…" : "Continue to sign"}
              </Button>
            )}
            {form.failure && <Notice role="alert">{form.failure}</Notice>}
          </Panel>
        ) : (
          signIn
        )}
      </div>
    </div>
  );
}

/** Returns the key of the draft of `wallet`, which takes over what was entered before it signed in. */
function useDraftKey(preset: Preset, wallet: string | null): string {
  const signedOut = buildUrl("standing.agreement", { ...preset });
  const key = wallet ? `${signedOut} ${wallet}` : signedOut;
  // Before the form reads its draft.
  useEffect(() => {
    const entered = sessionStorage.getItem(signedOut);
    if (key === signedOut || !entered) return;
    sessionStorage.setItem(key, entered);
    sessionStorage.removeItem(signedOut);
  }, [key, signedOut]);
  return key;
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
            form.show(error);
            throw error;
          });
        }}
      />
    </FoldedPanel>
  );
}

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
    <div className="grid gap-3">
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
    </div>
  );
}
