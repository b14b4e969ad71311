import type { ReactNode } from "react";
import { AgentLink } from "@/components/agents/agent-link";
import { JobTitle, type TitledJob } from "@/components/outcomes/job-title";
import { Link } from "@/components/ui/link";
import type { Dispute } from "@/server/disputes/schema";
import type { Names } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { labelCategory } from "@/server/lib/category-name";
import { nameListedJob } from "@/server/outcomes/job-name";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What the owner's jobs are called, by the id of the outcome. */
export type JobNames = Record<string, string>;

/** The owner, and the names of agents by wallet. */
export interface OwnerFacts {
  wallet: string;
  names: Names;
}

/** A job with its parties. */
export interface Job extends TitledJob {
  contractor: string;
  requester: string;
}

/** Returns the job of an outcome or dispute. */
export const toJob = (of: PublicOutcome | Dispute, jobNames: JobNames): Job => ({
  title: jobNames[of.outcomeId],
  taskCategory: of.taskCategory,
  contractor: of.contractorAgentAddress,
  requester: of.requesterAgentAddress,
});

/** Names a job within a text. */
export const describeJob = ({ title, taskCategory }: TitledJob): string =>
  title ? isolateText(title) : nameListedJob(taskCategory);

export const JobList = ({ children }: { children: ReactNode }) => (
  <ul className="divide-y divide-line border-line not-empty:border-y">{children}</ul>
);

interface Props extends OwnerFacts {
  job: Job;
  href: string;
  /** What the link is for, if not to see the job. */
  purpose?: string;
  /** Verdict, or what the job waits for. */
  state: ReactNode;
  value: ReactNode;
  time: ReactNode;
  /** What the owner can do. */
  actions?: ReactNode;
  isFresh?: boolean;
  /** Shown below the row. */
  children?: ReactNode;
}

/** Shows a job of the owner in a row; on narrow screens, state and time are below its names. */
export function JobRow({ job, wallet, names, href, state, value, time, ...rest }: Props) {
  const { actions, isFresh, purpose, children } = rest;
  const isContractor = job.contractor === wallet;
  const other = isContractor ? job.requester : job.contractor;
  return (
    <li className={isFresh ? "new-arrival scroll-my-6" : undefined}>
      <div className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 py-2 text-sm *:min-w-0 lg:grid-cols-[1fr_13rem_9rem_8rem] [&_:is(a,button)]:relative">
        <div className="break-words">
          {/* Its area is the row. */}
          <Link
            href={href}
            aria-label={purpose && `${purpose}: ${describeJob(job)}`}
            className="static! font-medium underline-offset-2 after:absolute after:inset-0 hover:underline"
          >
            <JobTitle {...job} />
          </Link>
          <p>
            <span className="text-muted">
              {labelCategory(job.taskCategory)} {isContractor ? "for " : "by "}
            </span>
            <AgentLink wallet={other} name={names[other]} />
          </p>
          <div className="flex flex-wrap items-center gap-2 not-empty:py-1">{actions}</div>
        </div>
        <div className="max-lg:order-1">{state}</div>
        <div className="text-right">{value}</div>
        <div className="text-right text-muted max-lg:order-1">{time}</div>
      </div>
      {children}
    </li>
  );
}

interface FormProps {
  /** Whether a link led to it. */
  isChosen: boolean;
  children: ReactNode;
}

/** Holds the form of a row. */
export const RowForm = ({ isChosen, children }: FormProps) => (
  <div
    id={isChosen ? "form" : undefined}
    className="my-3 rounded-lg border border-line bg-raised p-4 sm:p-5"
  >
    {children}
  </div>
);
