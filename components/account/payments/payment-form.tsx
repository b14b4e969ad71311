import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { formatDuration } from "@/components/disputes/describe-dispute";
import { Button } from "@/components/ui/button";
import { DefinitionList } from "@/components/ui/definition-list";
import { TextField } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import { formatCount, formatDateTime } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { ProgressSteps } from "@/components/ui/progress-steps";
import { OpeningWallet } from "@/components/wallet/opening-wallet";
import { useNetwork } from "@/components/wallet/wallet-shell";
import type { DisputeTerms } from "@/server/disputes/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { PaymentStage, usePayment } from "./use-payment";

/** The paying wallet, without wallet code in the page that shows it. */
export const PayingWallet = dynamic(
  () => import("./wallet-payment").then((all) => all.PayingWallet),
  {
    ssr: false,
    loading: () => <OpeningWallet />,
  },
);

/** Formats an amount as wallets take it, with two to six decimals. */
export const formatPayment = (usdc: number) => usdc.toFixed(6).replace(/0{1,4}$/, "");

interface Props {
  /** Heading of the form. */
  name: string;
  payment: ReturnType<typeof usePayment>;
  wallet: string;
  amountUsdc: string;
  labels: {
    /** Button that pays. */
    pay: string;
    /** Title once the payment was sent. */
    sent: string;
    /** Sentence that says where the money goes. */
    note: string;
    /** Requirements of a payment made elsewhere, after the amount; without them, none can be named. */
    requirements?: string;
  };
  onClose?: (() => void) | undefined;
  /** Rendered above the wallet. */
  children?: ReactNode;
}

/** Pays from the connected wallet, or takes the transaction of a payment made elsewhere. */
export function PaymentForm({ name, payment, onClose, children, ...source }: Props) {
  const { form, txHash, stage, discard } = payment;
  const { amountUsdc, labels } = source;
  const isPaid = Boolean(txHash || form.watch("txHash").trim());
  const [isCovered, setCovered] = useState(true);
  return (
    <form
      ref={form.container}
      noValidate
      aria-label={name}
      className="grid max-w-3xl grid-cols-1 gap-5"
      onSubmit={form.submit}
    >
      <h3 className="text-lg font-medium">{name}</h3>
      {children}
      <PaymentSource payment={payment} onCovered={setCovered} {...source} />
      {form.failure && <Notice role="alert">{form.failure}</Notice>}
      {stage === "idle" ? (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary" disabled={!isPaid && !isCovered}>
            {isPaid ? "Submit" : labels.pay}
          </Button>
          {txHash ? (
            <Button onClick={discard}>Discard payment</Button>
          ) : (
            onClose && <Button onClick={onClose}>Cancel</Button>
          )}
        </div>
      ) : (
        <PaymentProgress stage={stage} amountUsdc={amountUsdc} />
      )}
    </form>
  );
}

interface SourceProps extends Pick<Props, "payment" | "wallet" | "amountUsdc" | "labels"> {
  onCovered: (isCovered: boolean) => void;
}

/** Shows the payment that was sent, or the wallet that will pay and a field for another payment. */
function PaymentSource({ payment, onCovered, ...source }: SourceProps) {
  const { wallet, amountUsdc, labels } = source;
  const isBusy = payment.stage !== "idle";
  if (payment.txHash) {
    return (
      <Notice
        role="status"
        kind={isBusy ? "done" : "warning"}
        title={isBusy ? labels.sent : `${labels.sent}, not submitted yet`}
      >
        <p className="text-ink">
          <Hex value={payment.txHash} name="transaction hash" />
        </p>
      </Notice>
    );
  }
  return (
    <>
      <PayingWallet note={labels.note} {...{ wallet, amountUsdc, onCovered }} />
      {labels.requirements && (
        <Fold summary="Already paid?">
          <TextField
            {...payment.form.field("txHash", { pattern: TX_HASH })}
            label="Transaction hash"
            optional
            hint={`${amountUsdc} USDC or more from your wallet to ${labels.requirements}`}
            readOnly={isBusy}
            placeholder="0x"
          />
        </Fold>
      )}
    </>
  );
}

const TX_HASH = {
  value: /^\s*0x[0-9a-fA-F]{64}\s*$/,
  message: "A transaction hash is 0x followed by 64 hex digits.",
};

const STAGES: PaymentStage[] = ["wallet", "chain", "report", "done"];

/** Shows the steps of a payment: done, current and pending. */
function PaymentProgress({ stage, amountUsdc }: { stage: PaymentStage; amountUsdc: string }) {
  const { confirmations } = useNetwork();
  const labels = [
    `Confirm the payment of ${amountUsdc} USDC in your wallet`,
    `Wait for the chain: ${formatCount(confirmations, "confirmation")}`,
    "Submit",
  ];
  return <ProgressSteps steps={labels} at={STAGES.indexOf(stage)} />;
}

/** What a payment involves, and the details in a sentence. */
export type Term = readonly [label: string, text: string];

/** Lists the terms of a payment before it is made. */
export function TermList({ title, terms }: { title: string; terms: readonly Term[] }) {
  return (
    <div className="rounded-md bg-sunken p-4">
      <p className="mb-2 text-lg font-medium">{title}</p>
      <DefinitionList items={terms} className="gap-2 text-sm" />
    </div>
  );
}

/** Says until when an outcome can be disputed or refunded, and how long that is. */
export function formatDeadline(
  outcome: PublicOutcome | undefined,
  terms: DisputeTerms | undefined,
): string {
  if (!outcome?.resolvedAt || !terms) return "…";
  const until = Date.parse(outcome.resolvedAt) + terms.disputeWindowMs;
  const left = until - Date.now();
  return `${formatDateTime(until)}, ${left > 0 ? `${formatDuration(left)} left` : "over"}`;
}
