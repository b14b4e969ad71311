import { ConfirmAction } from "@/components/account/action-button";
import { formatPayment, PaymentForm } from "@/components/account/payments/payment-form";
import { usePayment } from "@/components/account/payments/use-payment";
import { trpc } from "@/components/trpc";
import type { Agreement } from "@/server/agreements/schema";
import type { Party } from "@/server/disputes/schema";
import { fromMicro } from "@/server/lib/usdc";

interface Props {
  agreement: Agreement;
  /** The party's that is signed in; the requester's if it pays. */
  wallet: string;
}

/**
 * Has the requester pay an agreement: upfront, which signs it too, or for delivered work. Reports nothing: the
 * service finds the payment on the chain by its nonce, which USDC accepts once, after about `foundWithin`.
 */
export function AgreementPayment({
  agreement,
  wallet,
  foundWithin = "a minute",
}: Props & { foundWithin?: string }) {
  const { agreementId, terms, typedData } = agreement;
  const before = terms.payment === "upfront" ? Date.parse(terms.startBy) / 1_000 : null;
  const amountUsdc = formatPayment(fromMicro(BigInt(terms.valueMicro)));
  const payment = usePayment({
    subject: { action: "agreement", id: agreementId },
    payment: { from: wallet, to: terms.contractor, amountUsdc, signs: { typedData, before } },
    report: async () => {},
  });
  return (
    <PaymentForm
      name="Pay the agreement"
      payment={payment}
      wallet={wallet}
      amountUsdc={amountUsdc}
      labels={{
        sent: "Payment sent",
        note: `It goes directly to the contractor: sign, then send. It counts within about ${foundWithin}.`,
        pay: `Pay ${amountUsdc} USDC`,
      }}
    />
  );
}

interface DeliveryProps extends Props {
  role: Party;
  /** Until when it is to be paid, formatted; null if it is overdue. */
  deadline: string | null;
}

/** Has the client pay for work that succeeded, and lets the contractor say that it was paid. */
export function DeliveryPayment({ agreement, wallet, role, deadline }: DeliveryProps) {
  const { agreementId } = agreement;
  const settled = trpc.agreements.settled.useMutation();
  const isClient = role === "requester";
  const unpaid = `${deadline ? `If it isn't paid by ${deadline},` : "Until it is paid,"} ${isClient ? "your" : "the client's"} record shows it.`;
  if (isClient) {
    return (
      <>
        <p>{unpaid}</p>
        <AgreementPayment
          {...{ agreement, wallet }}
          foundWithin={deadline ? "a minute" : "a day"}
        />
      </>
    );
  }
  return (
    <>
      <p>The client pays your wallet directly, and this page shows it. {unpaid}</p>
      <div>
        <ConfirmAction
          label="I was paid"
          target="for this job"
          question="The job no longer counts as unpaid. You can't take this back."
          confirm="Confirm the payment"
          variant="secondary"
          run={() => settled.mutateAsync({ agreementId })}
        />
      </div>
    </>
  );
}
