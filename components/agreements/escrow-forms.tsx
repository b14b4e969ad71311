"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import type { Config } from "wagmi";
import { formatPayment, PayingWallet } from "@/components/account/payments/payment-form";
import { trpc } from "@/components/trpc";
import { Button } from "@/components/ui/button";
import { formatDateTime } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { Notice } from "@/components/ui/notice";
import { ProgressSteps } from "@/components/ui/progress-steps";
import { ErrorNotice } from "@/components/wallet/error-notice";
import { KEEPS_PAGE, useNetwork, useWalletSettings } from "@/components/wallet/wallet-shell";
import type { Agreement } from "@/server/agreements/schema";
import type { EscrowJobView } from "@/server/escrows/schema";
import { fromMicro } from "@/server/lib/usdc";

const loadWallets = () => import("@/components/account/payments/wallet-payment");
const loadEscrow = () => import("@/components/wallet/escrow");

interface Props {
  agreement: Agreement;
  /** The connected party's. */
  wallet: string;
}

/** Has the client put the value of an agreement into an escrow, or says that it has. */
export function EscrowFunding({ agreement, wallet }: Props) {
  const settings = useWalletSettings();
  const { network } = settings;
  const { agreementId, terms } = agreement;
  const { mutateAsync: quote } = trpc.escrows.quote.useMutation(KEEPS_PAGE);
  const { data: state, refetch } = useQuery({
    queryKey: ["escrow", network.chainId, agreementId],
    queryFn: async () => {
      const [{ openWallets }, { findJob, planExpiry }] = await Promise.all([
        loadWallets(),
        loadEscrow(),
      ]);
      const job = await findJob(openWallets(settings), network, agreement);
      return { job, expiresAt: Number(job?.expiredAt ?? planExpiry(agreement)) * 1_000 };
    },
  });
  const [escrow] = network.escrows?.addresses ?? [];
  if (!escrow) return <p>This service no longer decides escrows. Cancel the agreement.</p>;
  const amountUsdc = formatPayment(fromMicro(BigInt(terms.valueMicro)));
  const fundedNotice = (
    <Notice role="status" kind="done" title={`The escrow holds ${amountUsdc} USDC`}>
      This page continues once the service has seen it, within about two minutes.
    </Notice>
  );
  if (state?.job?.isFunded) return fundedNotice;
  const expiry = state ? `from ${formatDateTime(state.expiresAt)}` : "a week after the deadline";
  return (
    <Transactions
      {...{ wallet, amountUsdc }}
      gas={state?.job ? 400_000n : 800_000n}
      note="The money goes to the escrow."
      label={state?.job ? "Continue funding" : `Fund the escrow with ${amountUsdc} USDC`}
      steps={["Create the job", "Set its value", "Allow the transfer", "Fund"]}
      done={fundedNotice}
      run={async (config, onStep) => {
        const { fundEscrow } = await loadEscrow();
        await fundEscrow(config, network, agreement, {
          quote: (job) => quote({ agreementId, ...job }),
          onStep,
        }).finally(refetch);
      }}
    >
      <p>
        Success pays the contractor, failure returns your money. Without a verdict, you can take it
        back {expiry}. A later dispute moves the score, not the money.
      </p>
      <p className="text-sm text-muted">
        Your wallet asks four times. If you stop half-way, continue here. ERC-8183 escrow at{" "}
        <Hex value={state?.job?.escrow ?? escrow} name="escrow's address" brief />
      </p>
    </Transactions>
  );
}

/** Has the contractor submit the hash of what it delivered to the escrow, which pays only then. */
export function EscrowSubmission({ agreement, job, wallet }: Props & { job: EscrowJobView }) {
  const network = useNetwork();
  const { client } = trpc.useUtils();
  const { outcomeId } = agreement;
  return (
    <Transactions
      wallet={wallet}
      amountUsdc={null}
      gas={200_000n}
      note="You pay gas only."
      label="Submit to the escrow"
      steps={["Submit to the escrow"]}
      done={
        <Notice role="status" kind="done" title="Submitted to the escrow">
          Verdict and payment follow within about two minutes.
        </Notice>
      }
      run={async (config) => {
        if (!outcomeId) return;
        const { submitToEscrow } = await loadEscrow();
        const { deliverableContent } = await client.outcomes.deliverable.query({ outcomeId });
        await submitToEscrow(config, network, job, deliverableContent);
      }}
    >
      <p>
        Confirm the delivery to the escrow within an hour, so that your record shows the job as
        paid. Until {formatDateTime(job.expiresAt)} it still pays.
      </p>
    </Transactions>
  );
}

interface TransactionsProps {
  wallet: string;
  /** Null if only gas is paid. */
  amountUsdc: string | null;
  gas: bigint;
  note: string;
  label: string;
  steps: readonly string[];
  /** Shown in place of the form once all is done. */
  done: ReactNode;
  /** Sends what the chain does not have yet; `onStep` takes the number of a step that begins. */
  run: (config: Config, onStep: (step: number) => void) => Promise<void>;
  /** What will happen. */
  children: ReactNode;
}

/** Sends the transactions of a procedure from the connected wallet, and shows the step that it is at. */
function Transactions({ label, steps, done, run, children, ...payment }: TransactionsProps) {
  const router = useRouter();
  const settings = useWalletSettings();
  const [step, setStep] = useState(0);
  const [isCovered, setCovered] = useState(true);
  const sending = useMutation({
    networkMode: "always",
    mutationFn: async () => run((await loadWallets()).openWallets(settings), setStep),
    onSuccess: () => router.refresh(),
  });
  if (sending.isSuccess) return done;
  return (
    <div className="grid grid-cols-1 gap-4">
      {children}
      <PayingWallet {...payment} onCovered={setCovered} />
      <ErrorNotice error={sending.error} />
      {(sending.isPending || step > 0) && <ProgressSteps steps={steps} at={step} />}
      {!sending.isPending && (
        <Button
          variant="primary"
          className="justify-self-start"
          disabled={!isCovered}
          onClick={() => sending.mutate()}
        >
          {label}
        </Button>
      )}
    </div>
  );
}
