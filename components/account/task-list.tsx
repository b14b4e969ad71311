import { Deadline } from "@/components/ui/deadline";
import { formatUsdc } from "@/components/ui/format";
import { JobList, JobRow, type OwnerFacts } from "./job-row";
import type { Task } from "./open-tasks";

/** Lists what waits for the owner before a deadline. */
export function TaskList({ tasks, ...owner }: { tasks: Task[] } & OwnerFacts) {
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="tasks" className="rounded-lg bg-notice px-4 py-3">
      <h2 id="tasks" className="mb-2 text-lg font-semibold text-notice-ink">
        Waiting for you
      </h2>
      <JobList>
        {tasks.map(({ what, path, until, job, valueUsdc, isOptional }) => (
          <JobRow
            key={path}
            href={path}
            purpose={what}
            state={
              <span className={isOptional ? "text-muted" : "font-medium text-notice-ink"}>
                {what}
              </span>
            }
            job={job}
            {...owner}
            value={valueUsdc !== undefined && formatUsdc(valueUsdc)}
            time={<Deadline at={until} />}
          />
        ))}
      </JobList>
    </section>
  );
}
