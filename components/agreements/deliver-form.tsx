"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { WRONG_TX_HASH } from "@/components/account/payments/stake-draft";
import { isTxHash } from "@/components/account/validate";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { focusField, TextField } from "@/components/ui/field";
import { ErrorNotice } from "@/components/wallet/error-notice";
import type { Agreement } from "@/server/agreements/schema";
import { DeliverableForm } from "./deliverable-form";

/** Tries a deliverable on an agreement's requirements. */
export function TryForm({ agreement: { agreementId, terms } }: { agreement: Agreement }) {
  const attempt = trpc.agreements.check.useMutation();
  return (
    <DeliverableForm
      name="Try a deliverable"
      attempt={attempt}
      takesUrl={terms.delivery === "content-or-url"}
      onTry={(deliverable) => attempt.mutate({ agreementId, ...deliverable })}
    />
  );
}

/** By whether the deliverable passed, once it was tried. */
const VARIANTS: Record<string, "primary" | "danger"> = { true: "primary", false: "danger" };

/** Lets the contractor try its deliverable, and deliver it once. */
export function DeliverForm({ agreement }: { agreement: Agreement }) {
  const { agreementId, terms } = agreement;
  const router = useRouter();
  const [payment, setPayment] = useState("");
  const attempt = trpc.agreements.check.useMutation();
  const deliver = trpc.outcomes.submit.useMutation({ onSuccess: () => router.refresh() });
  const paymentTxHash = payment.trim();
  const isWrong = paymentTxHash !== "" && !isTxHash(paymentTxHash);
  return (
    <div className="grid grid-cols-1 gap-3">
      <p>Try it as often as you like. You can deliver only once.</p>
      <DeliverableForm
        name="Deliver"
        attempt={attempt}
        takesUrl={terms.delivery === "content-or-url"}
        onTry={(deliverable) => attempt.mutate({ agreementId, ...deliverable })}
        actions={(deliverable) =>
          deliverable &&
          !isWrong && (
            <ConfirmButton
              label="Deliver"
              small={false}
              target="this deliverable"
              variant={VARIANTS[String(attempt.data?.passed)]}
              question={
                attempt.data?.passed === false
                  ? "It fails, so the verdict will be a failure."
                  : "You can't take it back."
              }
              confirm="Deliver it"
              busy={deliver.isPending}
              onConfirm={() =>
                deliver.mutate({
                  agreementId,
                  ...deliverable,
                  ...(paymentTxHash ? { paymentTxHash } : {}),
                })
              }
            />
          )
        }
      >
        {terms.valueMicro !== "0" && agreement.paymentTxHash === null && (
          <TextField
            label="Transaction of your client's payment"
            name="paymentTxHash"
            optional
            placeholder="0x"
            spellCheck={false}
            hint="If it has paid already: a proven payment counts more."
            error={isWrong ? WRONG_TX_HASH : undefined}
            value={payment}
            onChange={setPayment}
          />
        )}
      </DeliverableForm>
      <ErrorNotice error={deliver.error} />
    </div>
  );
}

/** Lets the client report that nothing was delivered in time. */
export function ReportForm({ agreement }: { agreement: Agreement }) {
  const { agreementId, terms } = agreement;
  const router = useRouter();
  const [paymentTxHash, setPaymentTxHash] = useState("");
  const [tried, setTried] = useState(false);
  const report = trpc.outcomes.submit.useMutation({ onSuccess: () => router.refresh() });
  const isUpfront = terms.payment === "upfront" && agreement.paymentTxHash === null;
  const hash = paymentTxHash.trim();
  const isWrong = isUpfront && !isTxHash(hash);
  return (
    <form
      noValidate
      aria-label="Report that nothing was delivered"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isWrong) focusField(event.currentTarget, "paymentTxHash");
        else report.mutate({ agreementId, ...(isUpfront ? { paymentTxHash: hash } : {}) });
      }}
    >
      <p>Nothing was delivered in time. A report makes it a failure at once, without a judge.</p>
      {isUpfront && (
        <TextField
          label="Transaction of your payment"
          name="paymentTxHash"
          placeholder="0x"
          spellCheck={false}
          hint="You agreed to pay upfront. The payment must be from before the deadline."
          error={tried && isWrong ? WRONG_TX_HASH : undefined}
          value={paymentTxHash}
          onChange={setPaymentTxHash}
        />
      )}
      <div>
        <Button type="submit" variant="primary" busy={report.isPending}>
          {report.isPending ? "Reporting…" : "Report non-delivery"}
        </Button>
      </div>
      <ErrorNotice error={report.error} />
    </form>
  );
}
