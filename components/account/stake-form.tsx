"use client";

import { useState } from "react";
import type { Hex } from "viem";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Hex as HexText } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { PayingWallet } from "./paying-wallet";
import { PaymentProgress } from "./payment-progress";
import { checkStake } from "./stake-draft";
import { useKeptDraft } from "./use-kept-draft";
import { type Subject, useStake } from "./use-stake";

interface Props {
  subject: Subject;
  /** Who is signed in; the stake has to come from there. */
  wallet: string;
  /** Whether it is asked what it delivered: the contractor of an outcome that the requester submitted. */
  maySupply?: boolean;
  /** What was said and paid before a reload. */
  kept?: { txHash: string; text: string; deliverableContent: string; evidenceUrl: string };
  onClose?: () => void;
}

const WORDS = {
  open: {
    form: "Dispute this verdict",
    text: "Why is the verdict wrong?",
    pay: "and open the dispute",
    done: "The dispute is open.",
  },
  answer: {
    form: "Answer the dispute",
    text: "Your side of it",
    pay: "and answer",
    done: "Your answer is in.",
  },
} as const;

/** Says why, pays the stake from the connected wallet, and hands both in. */
export function StakeForm({ subject, wallet, maySupply = false, kept, onClose }: Props) {
  const words = WORDS[subject.action];
  const network = useNetwork();
  const { draft, setDraft, forgetDraft } = useKeptDraft(
    kept ? null : `standing.words.${wallet}.${subject.action}.${subject.id}`,
    {
      text: kept?.text ?? "",
      deliverableContent: kept?.deliverableContent ?? "",
      evidenceUrl: kept?.evidenceUrl ?? "",
      txHash: "",
    },
  );
  const asksForWork = maySupply || draft.deliverableContent !== "";
  const [tried, setTried] = useState(false);
  const stake = useStake(subject, wallet, (kept?.txHash as Hex | undefined) ?? null, forgetDraft);
  const checked = checkStake(subject.action, draft);
  const errors = tried ? checked : {};
  const busy = stake.stage !== "idle";
  if (stake.stage === "done") {
    return (
      <Notice role="status" title={words.done}>
        Your stake is held until the dispute is decided; the winner's goes back by itself.
      </Notice>
    );
  }
  return (
    <form
      noValidate
      aria-label={words.form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        const [wrong] = Object.keys(checked);
        if (wrong) event.currentTarget.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
        else {
          const txHash = stake.txHash ?? ((draft.txHash.trim() || null) as Hex | null);
          const work = draft.deliverableContent;
          stake.run(
            {
              text: draft.text.trim(),
              deliverableContent: work.trim() === "" ? "" : work,
              evidenceUrl: draft.evidenceUrl.trim(),
            },
            txHash,
          );
        }
      }}
    >
      <Field
        label={words.text}
        name="text"
        optional={subject.action === "answer"}
        hint="Everybody can read it."
        error={errors.text}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            readOnly={busy}
            value={draft.text}
            onChange={({ target }) => setDraft({ ...draft, text: target.value })}
          />
        )}
      </Field>
      {asksForWork && (
        <Field
          label="What you delivered"
          name="deliverableContent"
          optional
          hint="The requester submitted this outcome. The judge reviews your text instead of theirs. Only the two of you can read it."
          error={errors.deliverableContent}
        >
          {(control) => (
            <textarea
              {...control}
              rows={8}
              readOnly={busy}
              value={draft.deliverableContent}
              onChange={({ target }) => setDraft({ ...draft, deliverableContent: target.value })}
            />
          )}
        </Field>
      )}
      <Field
        label="A document that shows it"
        name="evidenceUrl"
        optional
        hint={
          asksForWork
            ? "Its address. Fetched once, now. Without a text above, it is judged as what you delivered."
            : "Its address. It is fetched once, now, and judged from that copy."
        }
        error={errors.evidenceUrl}
      >
        {(control) => (
          <input
            {...control}
            type="url"
            inputMode="url"
            readOnly={busy}
            placeholder="https://"
            value={draft.evidenceUrl}
            onChange={({ target }) => setDraft({ ...draft, evidenceUrl: target.value })}
          />
        )}
      </Field>
      {stake.txHash ? (
        <Notice
          role="status"
          title={busy ? "The stake is paid" : "The stake is paid, and not handed in yet"}
        >
          <p className="text-ink">
            <HexText value={stake.txHash} name="transaction hash" />
          </p>
        </Notice>
      ) : (
        <>
          <PayingWallet
            wallet={wallet}
            amountUsdc={network.stakeUsdc}
            note="The winner of the dispute gets the stake back; the loser does not."
          />
          <details>
            <summary className="cursor-pointer text-sm text-muted">Paid already?</summary>
            <div className="mt-3">
              <Field
                label="Hash of the payment's transaction"
                name="txHash"
                optional
                error={errors.txHash}
                hint={`${network.stakeUsdc} USDC or more from your wallet to ${network.stakeAddress}.`}
              >
                {(control) => (
                  <input
                    {...control}
                    readOnly={busy}
                    placeholder="0x"
                    value={draft.txHash}
                    onChange={({ target }) => setDraft({ ...draft, txHash: target.value })}
                  />
                )}
              </Field>
            </div>
          </details>
        </>
      )}
      {stake.error && <Notice role="alert">{stake.error}</Notice>}
      {busy ? (
        <PaymentProgress
          stage={stake.stage}
          amountUsdc={network.stakeUsdc}
          confirmations={network.confirmations}
          report="Hand it in, with what you say"
        />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" look="main">
            {stake.txHash || draft.txHash
              ? "Hand it in"
              : `Pay ${network.stakeUsdc} USDC ${words.pay}`}
          </Button>
          {stake.txHash ? (
            <Button onClick={stake.forget}>Forget this payment</Button>
          ) : (
            onClose && <Button onClick={onClose}>Cancel</Button>
          )}
        </div>
      )}
    </form>
  );
}
