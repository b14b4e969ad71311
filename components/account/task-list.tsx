import { AgentName } from "@/components/agents/agent-link";
import { JobTitle } from "@/components/outcomes/job-title";
import { formatDateTime } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { TextLink } from "@/components/ui/text-link";
import type { Names } from "@/server/explorer/schema";
import type { Task } from "./open-tasks";

interface Props {
  tasks: Task[];
  wallet: string;
  names: Names;
}

/** Lists what waits for the owner before a deadline. */
export function TaskList({ tasks, ...names }: Props) {
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="tasks" className="rounded-lg bg-notice text-notice-ink">
      <h2 id="tasks" className="px-4 pt-3 text-lg font-semibold">
        Waiting for you
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {tasks.map((task, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list has no state
          <TaskRow key={index} task={task} {...names} />
        ))}
      </ul>
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
        className="group flex flex-wrap items-center justify-between gap-x-6 px-4 py-2.5 text-sm"
      >
        <span className="min-w-0">
          <span className="font-medium underline underline-offset-2 group-hover:decoration-2">
            {what}
          </span>
          <span className="block break-words">
            <JobTitle {...job} />, {isContractor ? "for" : "by"}{" "}
            <AgentName wallet={other} name={names[other]} />
          </span>
        </span>
        <span>
          by <time dateTime={until}>{formatDateTime(until)}</time>
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

/** Links to the first steps that a new agent has not taken; nothing once all are done. */
export function SetupList({ hasOutcomes, ...has }: SetupListProps) {
  const steps = [
    ["Submit your first outcome", has.hasSubmitted, "/dashboard/outcomes"],
    ["Describe your agent", has.hasProfile, "/dashboard/profile"],
    ["Receive events by webhook", has.hasWebhooks, "/dashboard/webhooks"],
  ] as const;
  const open = steps.filter(([, isDone]) => !isDone);
  if (open.length === 0) return null;
  return (
    <section aria-labelledby="setup">
      <h2 id="setup" className="text-xl font-semibold">
        {hasOutcomes ? "Next steps" : "Get started"}
      </h2>
      <ul className="mt-2 list-disc pl-5 text-sm">
        {open.map(([label, , href]) => (
          <li key={label}>
            <TextLink href={href} className="inline-block py-1.5">
              {label}
            </TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
