import { PARTY_NAMES } from "@/components/disputes/describe-dispute";
import { capitalize } from "@/components/ui/format";
import { type Column, Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { DisputeRecord } from "@/server/explorer/schema";

const ROLES = ["contractor", "requester"] as const;
type Role = (typeof ROLES)[number];
const RESULTS = ["won", "lost", "open"] as const;
const RESULT_LABELS = { won: "Won", lost: "Lost", open: "Open" } as const;

/** Counts disputes by role and result, and lists the latest. */
export function DisputeHistory({ record }: { record: DisputeRecord }) {
  if (record.latest.length === 0) {
    return <p className="text-muted">No disputes.</p>;
  }
  return (
    <div className="grid gap-5">
      <Table
        caption="Disputes by role"
        rows={ROLES}
        columns={[
          ["Role", "py-1.5 text-left text-sm", (role) => capitalize(PARTY_NAMES[role])],
          ...RESULTS.map(
            (result) =>
              [
                RESULT_LABELS[result],
                "py-1.5 pl-4 text-right",
                (role) => record[role][result],
              ] as Column<Role>,
          ),
        ]}
      />
      <ul className="grid gap-1 text-sm">
        {record.latest.map(({ disputeId, role, state, category, openedAt }) => (
          <li key={disputeId} className="flex flex-wrap justify-between gap-x-4">
            <TextLink href={`/disputes/${disputeId}`}>
              {RESULT_LABELS[state]}: {category}, as {PARTY_NAMES[role]}
            </TextLink>
            <Time at={openedAt} className="text-muted" />
          </li>
        ))}
      </ul>
    </div>
  );
}
