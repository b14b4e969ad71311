import Link from "next/link";
import { AgentName } from "@/components/agents/agent-link";
import {
  describeState,
  getNextStep,
  getRole,
  type NextStep,
} from "@/components/agreements/next-step";
import { formatUsdc } from "@/components/ui/format";
import { EmptyState } from "@/components/ui/notice";
import { Time } from "@/components/ui/time";
import type { Agreement } from "@/server/agreements/schema";
import { getOtherParty } from "@/server/disputes/parties";
import type { Names } from "@/server/explorer/schema";
import { fromMicro } from "@/server/lib/usdc";
import { JobName } from "./job-name";

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
              <Link
                href={`/agreements/${agreementId}`}
                prefetch={false}
                className="grid min-h-11 grid-cols-[1fr_auto] items-center gap-x-4 gap-y-0.5 py-2 text-sm hover:bg-sunken lg:grid-cols-[13rem_1fr_8rem_9rem]"
              >
                <span className={["font-medium text-notice-ink", "", "text-muted"][rank]}>
                  {describeState(agreement, next, role)}
                </span>
                {/* On a narrow screen, title and deadline have lines of their own. */}
                <span className="min-w-0 break-words max-lg:order-1 max-lg:col-span-2">
                  <JobName name={terms.title} category={terms.category} />
                  <span className="text-muted">
                    {role === "contractor" ? " for " : " by "}
                    <AgentName wallet={other} name={names[other]} />
                  </span>
                </span>
                <span className="text-right whitespace-nowrap">
                  {formatUsdc(fromMicro(Number(terms.valueMicro)))}
                </span>
                <span className="whitespace-nowrap text-muted max-lg:order-2 max-lg:col-span-2 lg:text-right">
                  {relation} <Time at={time} />
                </span>
              </Link>
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
