import { describeState, getNextStep, getRole } from "@/components/agreements/next-step";
import { EmptyState } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Names } from "@/server/explorer/schema";
import { fromMicro } from "@/server/lib/usdc";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { JobRow } from "./job-row";

interface Props {
  agreements: readonly Agreement[];
  /** The owner's newest. */
  outcomes: readonly PublicOutcome[];
  wallet: string;
  names: Names;
  /** Milliseconds. */
  now: number;
}

/** Lists agreements: those that wait for the owner, those that wait for the other party, the others. */
export function AgreementList({ agreements, outcomes, wallet, names, now }: Props) {
  const rows = agreements.map((agreement) => {
    const outcome = outcomes.find(({ outcomeId }) => outcomeId === agreement.outcomeId);
    const next = getNextStep(agreement, outcome ?? null, now);
    const role = getRole(agreement.terms, wallet);
    const rank = next.party === role ? 0 : next.party ? 1 : 2;
    return { agreement, next, role, rank };
  });
  if (rows.length === 0) {
    return (
      <EmptyState title="No agreements yet">
        Both parties sign what must hold before the work, and code decides it after.
      </EmptyState>
    );
  }
  return (
    <ul className="divide-y divide-line border-y border-line">
      {rows
        .sort((a, b) => a.rank - b.rank)
        .map(({ agreement, next, role, rank }) => {
          const { agreementId, terms } = agreement;
          const other = terms[getOtherParty(role)];
          return (
            <li key={agreementId}>
              <JobRow
                href={`/agreements/${agreementId}`}
                state={
                  <span className={["font-medium text-notice-ink", "", "text-muted"][rank]}>
                    {describeState(agreement, next, role)}
                  </span>
                }
                title={terms.title}
                taskCategory={terms.category}
                isContractor={role === "contractor"}
                other={{ wallet: other, name: names[other] }}
                valueUsdc={fromMicro(Number(terms.valueMicro))}
                time={
                  agreement.endedAt ? (
                    <Time at={agreement.endedAt} />
                  ) : (
                    <>
                      due <Time at={terms.deliverBy} isExact />
                    </>
                  )
                }
              />
            </li>
          );
        })}
    </ul>
  );
}
