import Link from "next/link";
import { AgentName } from "@/components/agents/agent-link";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { StepIcon } from "@/components/ui/step";
import { JobName } from "./job-row";
import type { Task } from "./open-tasks";
import type { JobNames, KnownNames } from "./use-names";

interface Props extends KnownNames {
  tasks: Task[];
  wallet: string;
}

const MAX_SHOWN = 5;

const AGREEMENT_TASKS = {
  sign: "Sign the agreement",
  pay: "Pay the agreement",
  deliver: "Deliver",
  report: "Report",
  nothing: "",
};

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

function TaskRow({ task, wallet, names, jobNames }: { task: Task } & Omit<Props, "tasks">) {
  const { path, what, name, category, contractor, requester } = describeTask(task, jobNames);
  const isContractor = contractor === wallet;
  const other = isContractor ? requester : contractor;
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
            <JobName name={name} category={category} />, {isContractor ? "for" : "by"}{" "}
            <AgentName wallet={other} name={names[other]} />
          </span>
        </span>
        <span>
          decide by <time dateTime={task.until}>{formatDateTime(task.until)}</time>
        </span>
      </Link>
    </li>
  );
}

/** Returns what to do on which page, and the job that it is about. */
function describeTask(task: Task, jobNames: JobNames) {
  if (task.kind === "agreement") {
    const { agreementId, terms } = task.agreement;
    const what = AGREEMENT_TASKS[task.step];
    return { ...terms, path: `/agreements/${agreementId}`, what, name: terms.title };
  }
  const job = task.kind === "answer" ? task.dispute : task.outcome;
  return {
    ...(task.kind === "answer"
      ? {
          what: "Answer the dispute",
          path: `/dashboard/disputes?dispute=${task.dispute.disputeId}`,
        }
      : {
          what: describeFailureActions(task, task.outcome),
          path: `/dashboard/outcomes?outcome=${job.outcomeId}`,
        }),
    name: jobNames[job.outcomeId],
    category: job.taskCategory,
    contractor: job.contractorAgentAddress,
    requester: job.requesterAgentAddress,
  };
}

function describeFailureActions(
  { canDispute, canRefund }: { canDispute: boolean; canRefund: boolean },
  { paidUsdc }: { paidUsdc: number },
): string {
  const amount = formatUsdc(paidUsdc);
  if (!canDispute) return `Refund ${amount}`;
  return canRefund ? `Dispute the failure or refund ${amount}` : "Dispute the failure";
}

interface SetupListProps {
  hasOutcomes: boolean;
  hasWebhooks: boolean;
  hasLinks: boolean;
}

/** Lists the first steps of a new agent; nothing once all are done. */
export function SetupList({ hasOutcomes, hasWebhooks, hasLinks }: SetupListProps) {
  const steps = [
    ["Submit your first outcome", hasOutcomes, "/dashboard/outcomes"],
    ["Add links to your profile", hasLinks, "/dashboard/profile"],
    ["Receive events by webhook", hasWebhooks, "/dashboard/webhooks"],
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
