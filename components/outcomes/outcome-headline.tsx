import type { ReactNode } from "react";
import { AgentLink } from "@/components/agents/agent-link";
import { formatPercent, formatUsdc } from "@/components/ui/format";
import { Hex } from "@/components/ui/hex";
import { TextLink } from "@/components/ui/text-link";
import type { EscrowJobView } from "@/server/escrows/schema";
import type { Names, OutcomeEffects } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { BackingMark } from "./backing-mark";
import { EscrowLine } from "./escrow-line";
import { JobTitle, type TitledJob } from "./job-title";
import { describeConfirmation, getResult, getVerdict, nameResult } from "./result";
import { SimulatedMark, VerdictMark } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  names: Names;
  effects: Pick<OutcomeEffects, "backing" | "deliveryPaymentTxHash">;
  escrowJobs: readonly EscrowJobView[];
  explorerUrl: string | null;
  isSimulated: boolean;
}

/** Shows an outcome's result, its job, the parties, and what was paid. */
export function OutcomeHeadline({ outcome, effects, escrowJobs, explorerUrl, ...shown }: Props) {
  const { refund, superseded, judge, llmConfidence, assessed } = outcome;
  return (
    <RecordHeadline
      state={<VerdictMark verdict={getResult(outcome)} large />}
      job={outcome}
      {...shown}
    >
      <p>
        {formatUsdc(outcome.valueUsdc)}
        {(outcome.paidUsdc > 0 || escrowJobs.length === 0) && (
          <>
            , <Payment outcome={outcome} {...effects} />
          </>
        )}
        {judge?.kind === "llm" && assessed !== false && llmConfidence !== undefined && (
          <>, judged with {formatPercent(llmConfidence)} confidence</>
        )}
      </p>
      {refund && <p>The verdict was {nameResult(getVerdict(outcome))}.</p>}
      {superseded && (
        <p>
          The client submitted{" "}
          <TextLink href={`/outcomes/${superseded.by}`}>its own report</TextLink> for this payment.
          This one no longer counts.
        </p>
      )}
      {escrowJobs.map((job) => (
        <EscrowLine key={job.jobId} job={job} explorerUrl={explorerUrl} />
      ))}
    </RecordHeadline>
  );
}

interface RecordProps {
  /** The result, or what the record waits for. */
  state: ReactNode;
  job: TitledJob & { contractorAgentAddress: string; requesterAgentAddress: string };
  names: Names;
  isSimulated: boolean | undefined;
  children: ReactNode;
}

/** Names the job that an outcome or a dispute is about, below what came of it, and its parties. */
export function RecordHeadline({ state, job, names, isSimulated, children }: RecordProps) {
  const { contractorAgentAddress, requesterAgentAddress } = job;
  return (
    <>
      <h1 className="mt-2 grid gap-1.5 break-words">
        <span className="font-sans text-xl font-medium">{state}</span>{" "}
        <span className="text-2xl font-semibold sm:text-3xl">
          <JobTitle {...job} />
        </span>
      </h1>
      <div className="mt-2 grid gap-1 break-words text-muted">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-lg text-ink">
          <span>
            <AgentLink wallet={contractorAgentAddress} name={names[contractorAgentAddress]} /> for{" "}
            <AgentLink wallet={requesterAgentAddress} name={names[requesterAgentAddress]} />
          </span>
          {isSimulated && <SimulatedMark />}
        </p>
        {children}
      </div>
    </>
  );
}

function Payment({
  outcome: { paidUsdc, paymentTxHash, valueUsdc, clientConfirmed, evidence },
  backing,
  deliveryPaymentTxHash,
}: Pick<Props, "outcome"> & Props["effects"]) {
  const confirmation = describeConfirmation(clientConfirmed);
  if (paymentTxHash && paidUsdc === 0) return "but a chain reorg removed the payment";
  if (deliveryPaymentTxHash) {
    return (
      <>
        paid after the verdict, which doesn't count for the score:{" "}
        <Hex value={deliveryPaymentTxHash} name="payment's transaction hash" brief />
      </>
    );
  }
  return (
    <>
      <BackingMark backing={backing} hasMeaning />
      {paidUsdc > 0 && paidUsdc !== valueUsdc && ` (${formatUsdc(paidUsdc)})`}
      {confirmation && `, ${confirmation}`}
      {evidence?.x402Receipt && ", sale confirmed by the contractor's signature"}
    </>
  );
}
