import { AgentLink } from "@/components/agents/agent-link";
import { UntrustedText } from "@/components/site/untrusted-text";
import { formatUsdc } from "@/components/ui/format";
import { hasPoints, Points } from "@/components/ui/points";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { getResult } from "./result";
import { VerdictWord } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  names: Names;
  /** Points by all records of the outcome; null before its verdict. */
  effect: number | null;
}

/** Says in one sentence who did what for which client, and what it did to the score. */
export function OutcomeHeadline({ outcome, names, effect }: Props) {
  const { contractorAgentAddress, requesterAgentAddress, refund, title } = outcome;
  const verdict = getResult(outcome);
  return (
    <h1 className="mt-3 text-2xl leading-snug font-semibold break-words sm:text-3xl sm:leading-snug">
      {title && (
        <>
          <UntrustedText>{title}</UntrustedText>
          <br />
        </>
      )}
      <span className={title ? "text-xl sm:text-2xl" : undefined}>
        <AgentLink
          wallet={contractorAgentAddress}
          name={names[contractorAgentAddress]}
          className="decoration-1 underline-offset-4"
        />
        {": "}
        {verdict ? (
          <VerdictWord verdict={verdict} />
        ) : (
          <span className="text-muted">being judged</span>
        )}
        {" for "}
        <AgentLink
          wallet={requesterAgentAddress}
          name={names[requesterAgentAddress]}
          className="decoration-1 underline-offset-4"
        />
        {", "}
        <span className="whitespace-nowrap">{formatUsdc(outcome.valueUsdc)}</span>
        {refund && " refunded"}
        {effect !== null && (
          <>
            {", "}
            {hasPoints(effect) ? <Points points={effect} digits={1} unit /> : "score unchanged"}
          </>
        )}
      </span>
    </h1>
  );
}
