import type { JudgeInService } from "@/server/judging/schema";
import type { FirstContact } from "@/server/pages/schema";

/** Returns the first contacts of a judge with blind sets, whatever its version then. */
export const findContacts = (judge: JudgeInService, contacts: readonly FirstContact[]) =>
  contacts.filter(({ judge: { kind, id } }) =>
    judge.kind === "heuristic" ? kind === "heuristic" : id === judge.id,
  );

export type Rate = "tpr" | "tnr" | "decided";

/** Returns a share over all deliverables of the sets, or null if there are none. */
export function averageRate(contacts: readonly FirstContact[], rate: Rate): number | null {
  const measured = contacts.flatMap(({ n, [rate]: value }) =>
    value === null ? [] : [{ n, value }],
  );
  const total = measured.reduce((sum, { n }) => sum + n, 0);
  return total === 0 ? null : measured.reduce((sum, { n, value }) => sum + n * value, 0) / total;
}
