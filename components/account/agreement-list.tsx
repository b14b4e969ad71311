import {
  describeEnd,
  describePayment,
  describeState,
  getNextStep,
  getRole,
} from "@/components/agreements/next-step";
import { getResult } from "@/components/outcomes/result";
import { VerdictMark } from "@/components/outcomes/verdict-mark";
import { Deadline } from "@/components/ui/deadline";
import { formatUsdc } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { ButtonLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Agreement } from "@/server/agreements/schema";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JobList, JobRow, type OwnerFacts } from "./job-row";

interface Props extends OwnerFacts {
  agreements: readonly Agreement[];
  /** The owner's newest. */
  outcomes: readonly PublicOutcome[];
  /** Milliseconds. */
  now: number;
}

/** Lists agreements: those that wait for the owner, those that wait for the other party, the others. */
export function AgreementList({ agreements, outcomes, now, ...owner }: Props) {
  const rows = agreements.map((agreement) => {
    const outcome = outcomes.find(({ outcomeId }) => outcomeId === agreement.outcomeId);
    const next = getNextStep(agreement, outcome ?? null, now);
    const role = getRole(agreement.terms, owner.wallet);
    return { agreement, next, role, rank: next.party === role ? 0 : next.party ? 1 : 2, outcome };
  });
  if (rows.length === 0) {
    return (
      <EmptyState title="No agreements yet">
        <p className="mb-4">Agree on checks before the work. Code then decides by them.</p>
        <ButtonLink href="/agreements/new">New agreement</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="mb-4">
        <ButtonLink href="/agreements/new">New agreement</ButtonLink>
      </p>
      <JobList>
        {rows
          .sort((a, b) => a.rank - b.rank)
          .map(({ agreement, outcome, next, role, rank }) => {
            const { agreementId, status, terms, endedAt } = agreement;
            return (
              <JobRow
                key={agreementId}
                href={`/agreements/${agreementId}`}
                state={
                  rank === 2 && outcome ? (
                    <span className="flex flex-wrap gap-x-3 text-muted">
                      <VerdictMark verdict={getResult(outcome)} />
                      {describePayment(agreement) ??
                        (status !== "DELIVERED" && describeEnd(agreement))}
                    </span>
                  ) : (
                    <span className={["font-medium text-notice-ink", "", "text-muted"][rank]}>
                      {describeState(agreement, next, role)}
                    </span>
                  )
                }
                job={{ ...terms, taskCategory: terms.category }}
                {...owner}
                value={formatUsdc(fromMicro(Number(terms.valueMicro)))}
                time={
                  next.until ? (
                    <Deadline at={next.until} />
                  ) : (
                    <Time at={endedAt ?? terms.deliverBy} />
                  )
                }
              />
            );
          })}
      </JobList>
    </>
  );
}
