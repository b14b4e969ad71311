import type { Facts } from "@/scripts/chaos/facts";
import { defineInvariant, findBy, findRecords, type Invariant } from "@/scripts/chaos/invariant";

const getName = ({ escrow, jobId }: Facts["rows"]["escrowJobs"][number]) =>
  `job ${jobId} of ${escrow}`;

export const escrowInvariants: Invariant[] = [
  defineInvariant(
    "an escrow pays as the verdict says",
    "no job is settled twice; a released payment is that of a recorded success, a rejected job has a failure and no payment",
    ({ rows }: Facts) => rows.escrowJobs.filter(({ outcomeId }) => outcomeId !== null),
    getName,
    ({ jobId, outcomeId }, facts) => {
      const settled = findBy(facts.chain.settledJobs, { jobId });
      const [record] = findRecords(facts, "outcome", outcomeId ?? "");
      if (settled.length > 1) return `it was settled ${settled.length} times`;
      if (!record) return null;
      const released = settled[0]?.releasedMicro;
      if (!released)
        return record.paidMicro > 0 && "its record has a payment that was not released";
      if (record.verdict !== "SUCCESS") return `it paid ${released} for a ${record.verdict}`;
      return (
        BigInt(record.paidMicro) !== released &&
        `it paid ${released}, and its record says ${record.paidMicro}`
      );
    },
  ),
];
