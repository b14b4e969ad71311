"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { focusField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { PaymentActions, PaymentSource } from "./payment-parts";
import { validateStakeDraft } from "./stake-draft";
import { StakeTerms } from "./stake-terms";
import { type Subject, useStake, useStoredDraft } from "./use-stake";

interface Props {
  subject: Subject;
  /** Signed-in wallet, which must pay the stake. */
  wallet: string;
  /** Whether to ask for the deliverable: for contractors if the requester submitted the outcome. */
  maySupply?: boolean;
  /** Statement and payment of an earlier visit. */
  stored?: { txHash: string; text: string; deliverableContent: string; evidenceUrl: string };
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
export function StakeForm({ subject, wallet, maySupply = false, stored, onClose }: Props) {
  const labels = LABELS[subject.action];
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
      <Notice role="status" title={labels.done}>
        Your stake is held until the dispute is resolved. The winner's stake is returned.
      </Notice>
    );
  }
  return (
    <form
      noValidate
      aria-label={labels.form}
      className="grid gap-5"
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
        stake.run(statement, stake.txHash ?? ((txHash.trim() || null) as Hex | null));
      }}
    >
      {!stake.txHash && <StakeTerms subject={subject} />}
      <TextField
        {...field("text")}
        label={labels.text}
        optional={subject.action === "answer"}
        hint="This is public."
        rows={4}
      />
      {needsDeliverable && (
        <TextField
          {...field("deliverableContent")}
          label="Your deliverable"
          optional
          hint="Your client submitted this outcome. The judge reviews your text instead; only both parties can read it."
          rows={8}
        />
      )}
      <TextField
        {...field("evidenceUrl")}
        label="Evidence URL"
        optional
        hint={
          needsDeliverable
            ? "Fetched once, now. Without a text above, it is judged as your deliverable."
            : "The document is fetched once, now, and judged from that copy."
        }
        type="url"
        inputMode="url"
        placeholder="https://"
      />
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
    </form>
  );
}
