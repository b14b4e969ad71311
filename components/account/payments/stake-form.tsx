"use client";

import Link from "next/link";
import { useState } from "react";
import type { Hex } from "viem";
import { useStoredDraft } from "@/components/account/stored-draft";
import { StatementText } from "@/components/disputes/claims";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { isRepeated } from "@/components/disputes/dispute-option";
import { describeGain } from "@/components/outcomes/party-actions";
import { trpc } from "@/components/trpc";
import { focusField, TextField } from "@/components/ui/field";
import { formatDateTime } from "@/components/ui/format";
import { Notice } from "@/components/ui/notice";
import { describeError, getProblem } from "@/components/wallet/error-notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { Party } from "@/server/disputes/schema";
import { listEvidence, previewStatement } from "./dispute-evidence";
import { PaymentActions, PaymentSource, type Term, TermList } from "./payment-parts";
import { validateStakeDraft } from "./stake-draft";
import type { StoredPayment } from "./stored-payments";
import { type Statement, usePayment } from "./use-payment";

interface Props {
  subject: Subject;
  /** Signed-in wallet, which must pay the stake. */
  wallet: string;
  /** Statement and payment of an earlier visit. */
  stored?: StoredPayment;
  onClose?: () => void;
}

const LABELS = {
  open: {
    form: "Dispute this verdict",
    text: "Why is the verdict wrong?",
    pay: "and open the dispute",
    done: "Dispute opened",
  },
  answer: {
    form: "Answer the dispute",
    text: "Your statement",
    pay: "and answer",
    done: "Answer submitted",
  },
} as const;

const PAYMENT_LABELS = {
  sent: "Stake paid",
  note: "It is held until the dispute is resolved.",
  alreadyPaid: "Already paid?",
};

/** Takes a statement, pays the stake from the connected wallet, and submits both. */
export function StakeForm({ subject, wallet, stored, onClose }: Props) {
  const labels = LABELS[subject.action];
  const facts = useCase(subject);
  const { outcome, terms } = facts;
  const me = outcome?.contractorAgentAddress === wallet ? "contractor" : "requester";
  const maySupply =
    me === "contractor" &&
    outcome?.submittedBy.role === "requester" &&
    outcome.disputeScope === "work";
  const network = useNetwork();
  const { draft, setDraft, discardDraft } = useStoredDraft(
    stored ? null : `standing.words.${wallet}.${subject.action}.${subject.id}`,
    {
      text: stored?.text ?? "",
      deliverableContent: stored?.deliverableContent ?? "",
      evidenceUrl: stored?.evidenceUrl ?? "",
      txHash: "",
    },
  );
  const needsDeliverable = maySupply || draft.deliverableContent !== "";
  const [tried, setTried] = useState(false);
  const stake = useStake(
    subject,
    wallet,
    (stored?.txHash as Hex | undefined) ?? null,
    discardDraft,
  );
  const checked = validateStakeDraft(subject.action, draft);
  const errors = tried ? checked : {};
  const busy = stake.stage !== "idle";
  const field = (name: "text" | "deliverableContent" | "evidenceUrl") => ({
    name,
    error: errors[name],
    readOnly: busy,
    value: draft[name],
    onChange: (value: string) => setDraft({ ...draft, [name]: value }),
  });
  if (stake.stage === "done") {
    return (
      <Notice takesFocus role="status" kind="done" title={labels.done}>
        You need do nothing more.{" "}
        {subject.action === "open" &&
          `The other party has ${terms ? formatDuration(terms.responseWindowMs) : "a while"} to answer. `}
        Then the judge decides, and the winner's stake is returned.{" "}
        <Link href="/dashboard/disputes" className="underline">
          Follow the dispute
        </Link>
      </Notice>
    );
  }
  return (
    <form
      noValidate
      aria-label={labels.form}
      className={stake.txHash ? "grid gap-5" : "grid gap-x-8 gap-y-5 lg:grid-cols-[2fr_3fr]"}
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const [wrong] = Object.keys(checked);
        if (wrong) return focusField(event.currentTarget, wrong);
        const { text, deliverableContent, evidenceUrl, txHash } = draft;
        const statement = {
          text: text.trim(),
          deliverableContent: deliverableContent.trim() === "" ? "" : deliverableContent,
          evidenceUrl: evidenceUrl.trim(),
        };
        stake.run(stake.txHash ?? ((txHash.trim() || null) as Hex | null), statement);
      }}
    >
      {!stake.txHash && <StakeTerms subject={subject} me={me} {...facts} />}
      <div className="grid min-w-0 content-start gap-5">
        <TextField {...field("text")} label={labels.text} rows={4} />
        {needsDeliverable && (
          <TextField
            {...field("deliverableContent")}
            label="Your deliverable"
            hint="Reviewed in place of the text that your client submitted. Only the two of you can read it."
            rows={8}
          />
        )}
        <TextField
          {...field("evidenceUrl")}
          label={needsDeliverable ? "Or its URL" : "URL of a document that shows it"}
          optional
          hint={
            needsDeliverable
              ? "We fetch it once, when you submit. It is your deliverable, or evidence if you gave one above."
              : "We fetch it once, when you submit, and the judge reads that copy."
          }
          type="url"
          inputMode="url"
          placeholder="https://"
        />
        <PublicPreview draft={draft} me={me} maySupply={needsDeliverable} />
        <PaymentSource
          txHash={stake.txHash}
          busy={busy}
          wallet={wallet}
          amountUsdc={network.stakeUsdc}
          labels={{ ...PAYMENT_LABELS, requirements: `${network.stakeAddress}.` }}
          paidElsewhere={draft.txHash}
          onPaidElsewhere={(txHash) => setDraft({ ...draft, txHash })}
          error={errors.txHash}
        />
        <PaymentActions
          payment={stake}
          amountUsdc={network.stakeUsdc}
          pay={stake.txHash || draft.txHash ? null : `Pay ${network.stakeUsdc} USDC ${labels.pay}`}
          onClose={onClose}
        />
      </div>
    </form>
  );
}

/** Shows a stake that was paid on an earlier visit but not submitted. */
export function UnsubmittedStake({ payment, wallet }: { payment: StoredPayment; wallet: string }) {
  const { action, id } = payment;
  if (action !== "open" && action !== "answer") return null;
  return (
    <div className="rounded-lg border-2 border-notice-ink p-4 sm:p-5">
      <h3 className="mb-4 font-medium">
        Submit your stake {action === "open" ? "to open the dispute" : "to answer"}
      </h3>
      <StakeForm subject={{ action, id }} wallet={wallet} stored={payment} />
    </div>
  );
}

/** Loads the outcome of the dispute, the dispute if there is one, and the time limits. */
function useCase(subject: Subject) {
  const { data: terms } = trpc.disputes.terms.useQuery();
  const { data: dispute } = trpc.disputes.get.useQuery(
    { disputeId: subject.id },
    { enabled: subject.action === "answer" },
  );
  const outcomeId = subject.action === "open" ? subject.id : dispute?.outcomeId;
  const { data: outcome } = trpc.outcomes.get.useQuery(
    { outcomeId: outcomeId ?? "" },
    { enabled: outcomeId !== undefined },
  );
  const { data: effects } = trpc.explorer.outcomeEffects.useQuery(
    { outcomeId: outcomeId ?? "" },
    { enabled: subject.action === "open" },
  );
  return { terms, outcome, ifOverturned: effects?.ifOverturned ?? null };
}

type CaseProps = ReturnType<typeof useCase> & { subject: Subject; me: Party };

/** Says before the payment what decides, what it costs, and which deadlines apply. */
function StakeTerms({ subject, me, terms, outcome, ifOverturned }: CaseProps) {
  const network = useNetwork();
  const stake = `${network.stakeUsdc} USDC stake. Returned if you win, forfeited if you lose.`;
  const { resolvedAt } = outcome ?? {};
  const openUntil =
    resolvedAt && terms ? Date.parse(resolvedAt) + terms.disputeWindowMs : undefined;
  const effects: Term[] =
    subject.action === "open"
      ? [
          outcome && isRepeated(outcome)
            ? ["What to expect", "The same result, unless the service made a mistake."]
            : ["If you win", `The verdict is overturned${describeGain(ifOverturned)}.`],
          ["Your deadline", formatDeadline(openUntil)],
          [
            "Their deadline to answer",
            terms ? `${formatDuration(terms.responseWindowMs)} after you open the dispute` : "…",
          ],
          ["If they don't answer", "The judge decides on the evidence. You don't win by default."],
        ]
      : [
          ["After your answer", "The review begins at once. You can answer only once."],
          [
            "If you don't answer",
            "The judge decides on the evidence. Not answering doesn't mean losing.",
          ],
        ];
  const evidence = outcome
    ? listEvidence({ outcome, me, review: network.disputeReview })
    : [["…", "…"] as const];
  return (
    <div className="grid content-start gap-5">
      <TermList title="What decides" terms={evidence} />
      <TermList title="Before you pay" terms={[["Cost", stake], ...effects]} />
    </div>
  );
}

/** Shows what the dispute's page will say, as it will show it. */
function PublicPreview({
  draft,
  me,
  maySupply,
}: {
  draft: Statement;
  me: Party;
  maySupply: boolean;
}) {
  return (
    <section aria-label="Preview" className="rounded-md border border-dashed border-line p-4">
      <p className="font-medium">This becomes public</p>
      <p className="mt-1 text-sm text-muted">
        With your name and your stake. Task, deliverable and documents stay private to you two; the
        page has only their hashes.
      </p>
      <StatementText statement={previewStatement(draft, maySupply)} party={me} />
    </section>
  );
}

function formatDeadline(at: number | undefined): string {
  if (at === undefined) return "…";
  const left = at - Date.now();
  const time = formatDateTime(at);
  return left > 0 ? `${time}, ${formatDuration(left)} left` : `${time}, over`;
}

/** The dispute that a stake opens or answers. */
interface Subject {
  action: "open" | "answer";
  /** Outcome to dispute, or dispute to answer. */
  id: string;
}

const ALREADY_DISPUTED =
  "Unless your payment is returned, you can use it as your stake in that dispute: enter its hash under “Already paid?”.";

/** Pays a stake and opens or answers the dispute with it. */
function useStake(
  subject: Subject,
  wallet: string,
  paid: Hex | null,
  /** Called once the wallet has sent the payment, which is then stored with the statement. */
  onPaid: () => void,
) {
  const { stakeAddress, stakeUsdc } = useNetwork();
  const cache = trpc.useUtils();
  const open = trpc.disputes.open.useMutation();
  const stake = trpc.disputes.stake.useMutation();
  return usePayment({
    subject,
    payment: { from: wallet, to: stakeAddress, amountUsdc: stakeUsdc },
    paid,
    onPaid,
    async report(hash, { text, deliverableContent, evidenceUrl }) {
      const rest = {
        stakePaymentTxHash: hash,
        ...(deliverableContent ? { deliverableContent } : {}),
        ...(evidenceUrl ? { evidenceUrl } : {}),
      };
      if (subject.action === "open") {
        return open.mutateAsync({ outcomeId: subject.id, reason: text, ...rest });
      }
      return stake.mutateAsync({
        disputeId: subject.id,
        ...rest,
        ...(text ? { statement: text } : {}),
      });
    },
    async isAccepted(hash, reason) {
      const problem = getProblem(reason);
      if (problem?.code !== "already-disputed" && subject.action === "open") return false;
      const { disputeId = subject.id } = (problem ?? {}) as { disputeId?: string };
      const dispute = await cache.client.disputes.get.query({ disputeId }).catch(() => null);
      return dispute?.stakes.some(({ paymentTxHash }) => paymentTxHash === hash) ?? false;
    },
    onDone: () =>
      Promise.all([cache.disputes.list.invalidate(), cache.explorer.outcomes.invalidate()]),
    explain(reason) {
      const isDisputed = getProblem(reason)?.code === "already-disputed";
      return isDisputed ? `${describeError(reason)} ${ALREADY_DISPUTED}` : describeError(reason);
    },
  });
}
