import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { isTxHash } from "@/components/account/validate";
import { Button } from "@/components/ui/button";
import { focusField, TextField } from "@/components/ui/field";
import { formatCount } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { StepIcon } from "@/components/ui/step";
import { OpeningWallet } from "@/components/wallet/opening-wallet";
import { useNetwork } from "@/components/wallet/wallet-shell";
import { WRONG_TX_HASH } from "./stake-draft";
import type { PaymentStage, usePayment } from "./use-payment";

const PayingWallet = dynamic(() => import("./wallet-payment").then((all) => all.PayingWallet), {
  ssr: false,
  loading: () => <OpeningWallet />,
});

/** Formats an amount as wallets take it, with two to six decimals. */
export const formatPayment = (usdc: number) => usdc.toFixed(6).replace(/0{1,4}$/, "");

interface SourceProps {
  /** Transaction of a payment that was sent; null before. */
  txHash: string | null;
  busy: boolean;
  wallet: string;
  amountUsdc: string;
  labels: {
    /** Title once the payment was sent. */
    sent: string;
    /** Sentence that says where the money goes. */
    note: string;
    /** Question before the field for a payment made elsewhere; none can be named without it. */
    alreadyPaid?: string;
    /** Requirements of a payment made elsewhere, after the amount. */
    requirements?: string;
  };
  /** Transaction hash of a payment made elsewhere, as entered. */
  paidElsewhere: string;
  onPaidElsewhere: (txHash: string) => void;
  error: string | undefined;
}

/** Shows the payment that was sent, or the wallet that will pay and a field for another payment. */
export function PaymentSource(props: SourceProps) {
  const { txHash, busy, wallet, amountUsdc, labels, paidElsewhere, onPaidElsewhere, error } = props;
  if (txHash) {
    return (
      <Notice
        role="status"
        kind={busy ? "done" : "warning"}
        title={busy ? labels.sent : `${labels.sent}, not submitted yet`}
      >
        <p className="text-ink">
          <Hex value={txHash} name="transaction hash" />
        </p>
      </Notice>
    );
  }
  return (
    <>
      <PayingWallet wallet={wallet} amountUsdc={amountUsdc} note={labels.note} />
      {labels.alreadyPaid && (
        <details>
          <summary className="cursor-pointer text-sm text-muted">{labels.alreadyPaid}</summary>
          <div className="mt-3">
            <TextField
              label="Transaction hash"
              name="txHash"
              optional
              error={error}
              hint={`${amountUsdc} USDC or more from your wallet to ${labels.requirements}`}
              readOnly={busy}
              placeholder="0x"
              value={paidElsewhere}
              onChange={onPaidElsewhere}
            />
          </div>
        </details>
      )}
    </>
  );
}

interface ActionsProps {
  payment: ReturnType<typeof usePayment>;
  amountUsdc: string;
  /** Label of the button that pays; null if the payment exists and is only submitted. */
  pay: string | null;
  onClose: (() => void) | undefined;
}

/** Shows the buttons of a payment form, or its progress. */
export function PaymentActions({ payment, amountUsdc, pay, onClose }: ActionsProps) {
  return (
    <>
      {payment.error && <Notice role="alert">{payment.error}</Notice>}
      {payment.stage === "idle" ? (
        <div className="flex flex-wrap gap-2">
          <Button type="submit" variant="primary">
            {pay ?? "Submit"}
          </Button>
          {payment.txHash ? (
            <Button onClick={payment.discard}>Discard payment</Button>
          ) : (
            onClose && <Button onClick={onClose}>Cancel</Button>
          )}
        </div>
      ) : (
        <PaymentProgress stage={payment.stage} amountUsdc={amountUsdc} />
      )}
    </>
  );
}

interface FormProps extends Pick<SourceProps, "wallet" | "labels"> {
  /** Name of the form, for screen readers. */
  name: string;
  payment: ReturnType<typeof usePayment>;
  amountUsdc: string;
  /** Label of the button that pays. */
  pay: string;
  onClose?: (() => void) | undefined;
  /** Rendered above the wallet. */
  children?: ReactNode;
}

/** Pays from the connected wallet, or takes the transaction of a payment made elsewhere. */
export function PaymentForm({ name, payment, pay, onClose, children, ...source }: FormProps) {
  const [draft, setDraft] = useState("");
  const [tried, setTried] = useState(false);
  const hash = draft.trim();
  const paidElsewhere = isTxHash(hash) ? hash : null;
  const isWrong = hash !== "" && paidElsewhere === null;
  return (
    <form
      noValidate
      aria-label={name}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (isWrong) focusField(event.currentTarget, "txHash");
        else payment.run(payment.txHash ?? paidElsewhere);
      }}
    >
      {children}
      <PaymentSource
        {...source}
        txHash={payment.txHash}
        busy={payment.stage !== "idle"}
        paidElsewhere={draft}
        onPaidElsewhere={setDraft}
        error={tried && isWrong ? WRONG_TX_HASH : undefined}
      />
      <PaymentActions
        payment={payment}
        amountUsdc={source.amountUsdc}
        pay={payment.txHash || hash ? null : pay}
        onClose={onClose}
      />
    </form>
  );
}

const STAGES: PaymentStage[] = ["wallet", "chain", "report", "done"];

/** Shows the steps of a payment: done, current and pending. */
function PaymentProgress({ stage, amountUsdc }: { stage: PaymentStage; amountUsdc: string }) {
  const { confirmations } = useNetwork();
  const labels = [
    `Confirm the payment of ${amountUsdc} USDC in your wallet`,
    `Wait for the chain: ${formatCount(confirmations, "confirmation")}`,
    "Submit",
  ];
  const at = STAGES.indexOf(stage);
  return (
    <ol className="grid gap-2" role="status">
      {labels.map((label, index) => (
        <li
          key={label}
          className={`flex items-center gap-2.5 ${index === at ? "font-medium" : "text-muted"}`}
        >
          <StepIcon
            state={index < at ? "done" : index === at ? "current" : "pending"}
            className="shrink-0 text-accent"
          />
          {label}
          {index < at && <span className="sr-only"> (done)</span>}
          {index === at && "…"}
        </li>
      ))}
    </ol>
  );
}

/** What a payment involves, and the details in a sentence. */
export type Term = readonly [label: string, text: string];

/** Lists the terms of a payment before it is made. */
export function TermList({ title, terms }: { title: string; terms: readonly Term[] }) {
  return (
    <div className="rounded-md bg-sunken p-4">
      <p className="font-medium">{title}</p>
      <dl className="mt-2 grid gap-2 text-sm">
        {terms.map(([label, text]) => (
          <div key={label}>
            <dt className="text-muted">{label}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
