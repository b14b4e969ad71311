import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { JobTitle } from "@/components/outcomes/job-title";
import { capitalize } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DisputeRecord } from "@/server/explorer/schema";

/** Counts disputes by role and result, and lists the latest. */
export function DisputeHistory({ record }: { record: DisputeRecord }) {
  if (record.latest.length === 0) return <p className="mt-10 text-muted">No disputes.</p>;
  return (
    <section className="mt-10">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl font-semibold">Disputes</h2>
        <p className="text-sm text-muted">{countDisputes(record)}</p>
      </div>
      <ul className="divide-y divide-line border-y border-line">
        {record.latest.map(({ disputeId, state, openedAt, ...job }) => (
          <li key={disputeId} className="flex flex-wrap justify-between gap-x-4 py-2">
            <TextLink href={`/disputes/${disputeId}`} className="decoration-line">
              {capitalize(state)}: <JobTitle {...job} />
            </TextLink>
            <Time at={openedAt} className="text-sm text-muted" />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Counts disputes in words: `4 won as contractor, 1 open as client`. */
const countDisputes = (record: DisputeRecord) =>
  (["contractor", "requester"] as const)
    .flatMap((role) =>
      (["won", "lost", "open"] as const).flatMap((state) =>
        record[role][state] > 0 ? `${record[role][state]} ${state} as ${PARTY_NAMES[role]}` : [],
      ),
    )
    .join(", ");
