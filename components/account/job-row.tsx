import type { ReactNode } from "react";
import { AgentLink } from "@/components/agents/agent-link";
import { JobTitle, type TitledJob } from "@/components/outcomes/job-title";
import { formatUsdc } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { Names } from "@/server/explorer/schema";
import { labelCategory } from "@/server/lib/category-name";
import type { PublicOutcome } from "@/server/outcomes/schema";

/** What the owner's jobs are called, by the id of the outcome. */
export type JobNames = Record<string, string>;

/** Names of agents by wallet, and of jobs by the id of the outcome. */
export interface KnownNames {
  names: Names;
  jobNames: JobNames;
}

interface Props extends TitledJob {
  /** Page of the job. */
  href: string;
  /** Verdict, or what the job waits for. */
  state: ReactNode;
  /** Whether the owner does the job. */
  isContractor: boolean;
  other: Parameters<typeof AgentLink>[0];
  valueUsdc: number;
  time: ReactNode;
  /** What the owner can do. */
  actions?: ReactNode;
}

/** Shows a job of the owner in a row; on a narrow screen, names and time have lines of their own. */
export function JobRow({ href, state, title, taskCategory, isContractor, other, ...rest }: Props) {
  const { valueUsdc, time, actions } = rest;
  return (
    <div
      className={`grid min-h-11 grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-0.5 py-1.5 text-sm lg:items-center ${actions === undefined ? "lg:grid-cols-[9rem_1fr_7rem_7.5rem]" : "lg:grid-cols-[9rem_1fr_7rem_6.5rem_20rem]"}`}
    >
      <span>{state}</span>
      <span className="min-w-0 break-words max-lg:order-1 max-lg:col-span-2 [&>*]:block">
        <Link href={href} className="py-0.5 font-medium underline-offset-2 hover:underline">
          <JobTitle {...{ title, taskCategory }} />
        </Link>
        <span>
          <span className="text-muted">
            {labelCategory(taskCategory)} {isContractor ? "for " : "by "}
          </span>
          <AgentLink {...other} />
        </span>
      </span>
      <span className="text-right whitespace-nowrap">{formatUsdc(valueUsdc)}</span>
      <span className="whitespace-nowrap text-muted max-lg:order-1 max-lg:col-span-2 lg:text-right">
        {time}
      </span>
      {actions && (
        <span className="flex flex-wrap items-center gap-2 empty:hidden max-lg:order-1 max-lg:col-span-2 lg:justify-end">
          {actions}
        </span>
      )}
    </div>
  );
}

type Job = Pick<
  PublicOutcome,
  "outcomeId" | "taskCategory" | "contractorAgentAddress" | "requesterAgentAddress"
>;

/** Returns what is shown of the job of an outcome or dispute. */
export function describeJob(
  outcome: Job,
  { wallet, names, jobNames }: KnownNames & { wallet: string },
) {
  const { contractorAgentAddress, requesterAgentAddress } = outcome;
  const isContractor = contractorAgentAddress === wallet;
  const other = isContractor ? requesterAgentAddress : contractorAgentAddress;
  return {
    href: `/outcomes/${outcome.outcomeId}`,
    title: jobNames[outcome.outcomeId],
    taskCategory: outcome.taskCategory,
    isContractor,
    other: { wallet: other, name: names[other] },
  };
}
