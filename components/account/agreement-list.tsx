import {
  describeState,
  getNextStep,
  getRole,
  type NextStep,
} from "@/components/agreements/next-step";
import { EmptyState } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Names } from "@/server/explorer/schema";
import { fromMicro } from "@/server/lib/usdc";
import { JobRow } from "./job-row";

interface Props {
  agreements: readonly Agreement[];
  wallet: string;
  names: Names;
  /** Milliseconds. */
  now: number;
}

/** Lists agreements: those that wait for the owner, those that wait for the other party, the others. */
export function AgreementList({ agreements, wallet, names, now }: Props) {
  const rows = agreements.map((agreement) => {
    const next = getNextStep(agreement, now);
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
          const [relation, time] = getDate(agreement, next);
          return (
            <li key={agreementId}>
              <JobRow
                href={`/agreements/${agreementId}`}
                state={
                  <span className={["font-medium text-notice-ink", "", "text-muted"][rank]}>
                    {describeState(agreement, next, role)}
                  </span>
                }
                name={terms.title}
                category={terms.category}
                isContractor={role === "contractor"}
                other={{ wallet: other, name: names[other] }}
                valueUsdc={fromMicro(Number(terms.valueMicro))}
                time={
                  <>
                    {relation} <Time at={time} />
                  </>
                }
              />
            </li>
          );
        })}
    </ul>
  );
}

/** Returns the date that matters: when the next step is due, since when it is overdue, or the end. */
function getDate({ terms, endedAt }: Agreement, { step, until }: NextStep): [string, string] {
  if (until) return ["by", until];
  return step === "report" ? ["since", terms.deliverBy] : ["", endedAt ?? terms.deliverBy];
}
