import { AgentLink } from "@/components/agents/agent-link";
import type { Names } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JobTitle } from "./job-title";
import { getResult, getVerdict, nameResult } from "./result";
import { VerdictWord } from "./verdict-mark";

interface Props {
  outcome: PublicOutcome;
  names: Names;
}

/** Names the job, and says in one sentence who did it for which client, and what came of it. */
export function OutcomeHeadline({ outcome, names }: Props) {
  const { contractorAgentAddress, requesterAgentAddress } = outcome;
  const result = getResult(outcome);
  const link = (wallet: string) => (
    <AgentLink wallet={wallet} name={names[wallet]} className="decoration-1 underline-offset-4" />
  );
  return (
    <h1 className="mt-3 text-2xl leading-snug font-semibold break-words sm:text-3xl sm:leading-snug">
      <JobTitle {...outcome} />{" "}
      <span className="block text-xl sm:text-2xl">
        {result === "REFUNDED" ? (
          <>
            Refunded to {link(requesterAgentAddress)} by {link(contractorAgentAddress)}. The verdict
            was {nameResult(getVerdict(outcome))}.
          </>
        ) : (
          <>
            {link(contractorAgentAddress)} for {link(requesterAgentAddress)}:{" "}
            {result ? (
              <VerdictWord verdict={result} />
            ) : (
              <span className="text-muted">being judged</span>
            )}
          </>
        )}
      </span>
    </h1>
  );
}
