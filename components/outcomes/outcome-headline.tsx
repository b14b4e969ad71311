import { AgentLink } from "@/components/agents/agent-link";
import { formatUsdc } from "@/components/ui/format";
import { hasPoints, Points } from "@/components/ui/points";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JobTitle } from "./job-title";
import { getResult } from "./result";
import { VerdictWord } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  names: Names;
  /** Points by all records of the outcome; null before its verdict. */
  effect: number | null;
}

/** Names the job, and says in one sentence who did it for which client, and what it did to the score. */
export function OutcomeHeadline({ outcome, names, effect }: Props) {
  const { contractorAgentAddress, requesterAgentAddress } = outcome;
  const result = getResult(outcome);
  const link = (wallet: string) => (
    <AgentLink wallet={wallet} name={names[wallet]} className="decoration-1 underline-offset-4" />
  );
  return (
    <h1 className="mt-3 text-2xl leading-snug font-semibold break-words sm:text-3xl sm:leading-snug">
      <JobTitle {...outcome} />{" "}
      <span className="block text-xl sm:text-2xl">
        {link(contractorAgentAddress)}
        {": "}
        {result ? (
          <VerdictWord verdict={result} />
        ) : (
          <span className="text-muted">being judged</span>
        )}
        {" for "}
        {link(requesterAgentAddress)}
        {", "}
        <span className="whitespace-nowrap">{formatUsdc(outcome.valueUsdc)}</span>
        {effect !== null && (
          <>
            {", "}
            {hasPoints(effect) ? <Points points={effect} unit /> : "score unchanged"}
          </>
        )}
      </span>
    </h1>
  );
}
