import { JobTitle, type TitledJob } from "@/components/outcomes/job-title";
import { PartyName } from "@/components/site/party-name";
import { formatAgo } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import type { Column } from "@/components/ui/table";
import { Time } from "@/components/ui/time";
import type { NamedWallet } from "@/server/agents/schema";
import { removeBidiControls } from "@/server/lib/bidi";
import { nameCategory } from "@/server/lib/category-name";

/** Names a job by its title and its category, or by its category alone. */
const JobCell = ({ job }: { job: TitledJob }) => (
  <>
    <span title={job.title ? removeBidiControls(job.title) : undefined}>
      <JobTitle {...job} />
    </span>
    {job.title && <small>{nameCategory(job.taskCategory)}</small>}
  </>
);

/** Links a party of a record to its page, by name or, if it isn't registered, by address. */
export function PartyLink({ party }: { party: NamedWallet }) {
  return (
    <Link href={`/agents/${party.walletAddress}`}>
      <PartyName {...party} />
    </Link>
  );
}

/** Columns of a list that name its jobs and their parties. */
export const JOB_COLUMNS: Column<TitledJob & Record<"contractor" | "requester", NamedWallet>>[] = [
  ["Job", "third lg:w-64", (job) => <JobCell job={job} />],
  ["Agent", "second name", ({ contractor }) => <PartyLink party={contractor} />],
  ["Client", "second for", ({ requester }) => <PartyLink party={requester} />],
];

/** Shows how long ago something happened, with the time as a tooltip; the day if `now` is missing. */
export function Age({ at, now }: { at: string; now: string | undefined }) {
  // A new element for a new text: right-aligned text that grows would count as a layout shift.
  return now ? <Time key={formatAgo(at, now)} at={at} now={now} /> : <Time at={at} />;
}
