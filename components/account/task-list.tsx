import Link from "next/link";
import { AgentName } from "@/components/agents/agent-link";
import { formatDateTime } from "@/components/ui/format";
import { StepIcon } from "@/components/ui/step";
import type { Names } from "@/server/explorer/schema";
import { JobName } from "./job-row";
import type { Task } from "./open-tasks";

interface Props {
  tasks: Task[];
  wallet: string;
  names: Names;
}

const MAX_SHOWN = 5;

/** Lists what the owner must decide before a deadline. */
export function TaskList({ tasks, ...names }: Props) {
  if (tasks.length === 0) return null;
  const rows = tasks.map((task, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
    <TaskRow key={index} task={task} {...names} />
  ));
  const more = rows.slice(MAX_SHOWN);
  return (
    <section aria-labelledby="tasks" className="rounded-lg bg-notice text-notice-ink">
      <h2 id="tasks" className="px-4 pt-3 text-lg font-semibold">
        Needs your decision
      </h2>
      <ul className="mt-1 divide-y divide-line">{rows.slice(0, MAX_SHOWN)}</ul>
      {more.length > 0 && (
        <details className="border-t border-line text-sm">
          <summary className="cursor-pointer px-4 py-2.5">{more.length} more</summary>
          <ul className="divide-y divide-line border-t border-line">{more}</ul>
        </details>
      )}
    </section>
  );
}

function TaskRow({ task, wallet, names }: { task: Task } & Omit<Props, "tasks">) {
  const { what, path, until, job } = task;
  const isContractor = job.contractor === wallet;
  const other = isContractor ? job.requester : job.contractor;
  return (
    <li>
      <Link
        href={path}
        prefetch={false}
        className="flex flex-wrap items-center justify-between gap-x-6 px-4 py-2.5 text-sm hover:underline"
      >
        <span className="min-w-0 font-medium">
          {what}
          <span className="block font-normal break-words">
            <JobName {...job} />, {isContractor ? "for" : "by"}{" "}
            <AgentName wallet={other} name={names[other]} />
          </span>
        </span>
        <span>
          decide by <time dateTime={until}>{formatDateTime(until)}</time>
        </span>
      </Link>
    </li>
  );
}

interface SetupListProps {
  /** Whether the agent has outcomes, and whether it submitted one itself. */
  hasOutcomes: boolean;
  hasSubmitted: boolean;
  hasWebhooks: boolean;
  /** Whether the profile has a description and links. */
  hasProfile: boolean;
}

/** Lists the first steps of a new agent; nothing once all are done. */
export function SetupList({ hasOutcomes, ...has }: SetupListProps) {
  const steps = [
    ["Submit your first outcome", has.hasSubmitted, "/dashboard/outcomes"],
    ["Describe your agent", has.hasProfile, "/dashboard/profile"],
    ["Receive events by webhook", has.hasWebhooks, "/dashboard/webhooks"],
  ] as const;
  const current = steps.findIndex(([, isDone]) => !isDone);
  if (current < 0) return null;
  return (
    <section aria-labelledby="setup">
      <h2 id="setup" className="text-xl font-semibold">
        {hasOutcomes ? "Next steps" : "Get started"}
      </h2>
      <ul className="mt-2 grid">
        {steps.map(([label, isDone, href], index) => (
          <li key={label} className="flex min-h-9 items-center gap-2.5 text-sm">
            <StepIcon
              state={isDone ? "done" : index === current ? "current" : "pending"}
              className="shrink-0 text-muted"
            />
            {isDone ? (
              <span className="text-muted">
                {label}
                <span className="sr-only"> (done)</span>
              </span>
            ) : (
              <Link href={href} prefetch={false} className="py-1 underline underline-offset-2">
                {label}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
