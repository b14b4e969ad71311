import Link from "next/link";
import { type ReactNode, useState } from "react";
import { AgentLink } from "@/components/agents/agent-link";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { Button } from "@/components/ui/button";
import { formatDateTime, formatDay, formatUsdc } from "@/components/ui/format";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome, Refund } from "@/server/outcomes/schema";
import { RefundForm } from "./payments/refund-form";
import { StakeForm } from "./payments/stake-form";

interface Props {
  outcome: PublicOutcome;
  wallet: string;
  names: Names;
  isDisputable: boolean;
  isRefundable: boolean;
  /** When the actions end. */
  until: string | null;
}

/** Shows one outcome of the agent; its forms open below. */
export function OutcomeRow(props: Props) {
  const { outcome, wallet, names, isDisputable, isRefundable, until } = props;
  const [open, setOpen] = useState<"dispute" | "refund" | null>(null);
  const close = () => setOpen(null);
  const isContractor = outcome.contractorAgentAddress === wallet;
  const other = isContractor ? outcome.requesterAgentAddress : outcome.contractorAgentAddress;
  const actions = [
    ...(isRefundable ? [["refund", "Refund", "Refund"] as const] : []),
    ...(isDisputable ? [["dispute", "Dispute", "Dispute the verdict on"] as const] : []),
  ];
  const label = `${outcome.taskCategory} of ${formatDateTime(outcome.submittedAt)}`;
  return (
    <li className="py-1.5 text-sm">
      <div className="grid min-h-9 grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 lg:grid-cols-[6.5rem_1fr_8rem_11rem_18rem] lg:gap-x-6">
        <VerdictMark verdict={getResult(outcome)} />
        {/* On a narrow screen, names have their own line. */}
        <span className="min-w-0 truncate max-lg:order-1 max-sm:col-span-2">
          <Link
            href={`/outcomes/${outcome.outcomeId}`}
            prefetch={false}
            className="font-medium underline-offset-2 hover:underline"
          >
            {outcome.taskCategory}
          </Link>
          <span className="text-muted">{isContractor ? " for " : " by "}</span>
          <AgentLink wallet={other} name={names[other]} />
        </span>
        <span className="text-right whitespace-nowrap">{formatUsdc(outcome.valueUsdc)}</span>
        <time
          dateTime={outcome.submittedAt}
          className="whitespace-nowrap text-muted max-lg:order-1 max-sm:col-span-2"
        >
          {formatDateTime(outcome.submittedAt)}
        </time>
        <span className="flex flex-wrap items-center justify-end gap-2 empty:hidden max-lg:order-1 max-lg:col-span-2 max-lg:justify-start">
          {outcome.refund && <RefundState refund={outcome.refund} isContractor={isContractor} />}
          {outcome.disputeId && (
            <Link
              href="/dashboard/disputes"
              prefetch={false}
              className="py-0.5 underline underline-offset-2"
            >
              Disputed
            </Link>
          )}
          {actions.length > 0 && until && (
            <span className="text-muted" title={formatDateTime(until)}>
              until {formatDay(until)}
            </span>
          )}
          {actions.map(([form, name, description]) => (
            <Button
              key={form}
              small
              aria-expanded={open === form}
              aria-label={`${description} ${label}`}
              onClick={() => setOpen(open === form ? null : form)}
            >
              {name}
            </Button>
          ))}
        </span>
      </div>
      {/* The forms stay open to confirm what was submitted. */}
      {open === "dispute" && (
        <FormPanel>
          <StakeForm
            subject={{ action: "open", id: outcome.outcomeId }}
            wallet={wallet}
            maySupply={isContractor && outcome.submittedBy.role === "requester"}
            onClose={close}
          />
        </FormPanel>
      )}
      {open === "refund" && (
        <FormPanel>
          <RefundForm outcome={outcome} clientName={names[other]} onClose={close} />
        </FormPanel>
      )}
    </li>
  );
}

const FormPanel = ({ children }: { children: ReactNode }) => (
  <div className="my-3 rounded-lg border border-line p-4 text-base sm:p-5">{children}</div>
);

function RefundState({ refund, isContractor }: { refund: Refund; isContractor: boolean }) {
  return (
    <span className="text-muted">
      {isContractor ? "Payment refunded" : "Refunded to you"}
      {refund.status === "recording" && ", being recorded"}
    </span>
  );
}
