import Link from "next/link";
import { AgentName } from "@/components/agents/agent-link";
import { getRole } from "@/components/agreements/next-step";
import { formatDateTime, formatUsdc } from "@/components/ui/format";
import { Icon } from "@/components/ui/icon";
import { StepIcon } from "@/components/ui/step";
import { getOtherParty } from "@/server/disputes/parties";
import type { Names } from "@/server/explorer/schema";
import { getSectionPath } from "./dashboard-sections";
import { JobName, type JobNames } from "./job-name";
import type { Task } from "./open-tasks";

interface Props {
  tasks: Task[];
  wallet: string;
  names: Names;
  jobNames: JobNames;
}

const MAX_SHOWN = 5;

/** Lists what the owner must decide before a deadline. */
export function TaskList({ tasks, ...parties }: Props) {
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="tasks" className="rounded-lg bg-notice text-notice-ink">
      <h2 id="tasks" className="px-4 pt-3 text-lg font-semibold">
        Needs your decision
      </h2>
      <ul className="mt-1 divide-y divide-line">
        {tasks.slice(0, MAX_SHOWN).map((task) => (
          <li key={getPlace(task).id}>
            <Link
              href={getPlace(task).path}
              prefetch={false}
              className="flex flex-wrap items-center justify-between gap-x-6 px-4 py-2.5 text-sm hover:underline"
            >
              <span className="flex min-w-0 items-center gap-2 font-medium">
                <Icon
                  path="M8 1.8l6.4 11.4H1.6zM8 6.2v3.4M8 11.2v.4"
                  className="size-4 shrink-0"
                  box={16}
                />
                <span className="min-w-0">
                  <TaskText task={task} {...parties} />
                </span>
              </span>
              <span className="max-sm:pl-6">
                decide by <time dateTime={task.until}>{formatDateTime(task.until)}</time>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {tasks.length > MAX_SHOWN && (
        <p className="px-4 pb-3 text-sm">{tasks.length - MAX_SHOWN} more</p>
      )}
    </section>
  );
}

/** Returns the record that a task is about, and the page to do it on. */
function getPlace(task: Task): { id: string; path: string } {
  if (task.kind === "agreement") {
    const { agreementId: id } = task.agreement;
    return { id, path: `/agreements/${id}` };
  }
  return task.kind === "answer"
    ? { id: task.dispute.disputeId, path: getSectionPath("disputes") }
    : { id: task.outcome.outcomeId, path: getSectionPath("outcomes") };
}

function TaskText({ task, wallet, names, jobNames }: { task: Task } & Omit<Props, "tasks">) {
  if (task.kind === "agreement") return <AgreementTask task={task} wallet={wallet} names={names} />;
  const about = task.kind === "answer" ? task.dispute : task.outcome;
  const { contractorAgentAddress, requesterAgentAddress } = about;
  const isContractor = contractorAgentAddress === wallet;
  const other = isContractor ? requesterAgentAddress : contractorAgentAddress;
  const what =
    task.kind === "answer" ? "Answer the dispute" : describeFailureActions(task, task.outcome);
  return (
    <>
      {what}
      <span className="block font-normal">
        <JobName job={about} names={jobNames} />, {isContractor ? "for" : "by"}{" "}
        <AgentName wallet={other} name={names[other]} />
      </span>
    </>
  );
}

function describeFailureActions(
  { canDispute, canRefund }: { canDispute: boolean; canRefund: boolean },
  { paidUsdc }: { paidUsdc: number },
): string {
  const amount = formatUsdc(paidUsdc);
  if (!canDispute) return `Refund ${amount}`;
  return canRefund ? `Dispute the failure or refund ${amount}` : "Dispute the failure";
}

interface AgreementTaskProps extends Pick<Props, "wallet" | "names"> {
  task: Extract<Task, { kind: "agreement" }>;
}

function AgreementTask({ task: { agreement, step }, wallet, names }: AgreementTaskProps) {
  const other = agreement.terms[getOtherParty(getRole(agreement.terms, wallet))];
  const name = <AgentName wallet={other} name={names[other]} />;
  return step === "sign" ? <>Sign the agreement with {name}</> : <>Deliver to {name}</>;
}

interface SetupListProps {
  hasOutcomes: boolean;
  hasWebhooks: boolean;
  hasLinks: boolean;
}

/** Lists the first steps of a new agent; nothing once all are done. */
export function SetupList({ hasOutcomes, hasWebhooks, hasLinks }: SetupListProps) {
  const steps = [
    ["Verify your wallet", true, "/dashboard"],
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
