import { formatFactors, formatScore } from "@/components/ui/format";
import { formatPoints } from "@/components/ui/points";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { POLICY } from "@/server/reputation/policy";
import type { CountedEvidence, ScoreBreakdown } from "@/server/reputation/schema";
import { Sum } from "./sum";

interface Props {
  breakdown: ScoreBreakdown | null;
  /** The same evidence after the caps; null without outcomes. */
  evidence: CountedEvidence | null;
  score: number;
  /** Points that it lacks of 100; null without outcomes. */
  losses: { failures: number; missing: number } | null;
}

const CLASSES = [
  ["anchored", "Known clients"],
  ["paid", "Paid"],
  ["claimed", "Unconfirmed"],
] as const;

const NUMBER = "py-1.5 pl-3 text-right";

/** Shows a score as what failures cost and what is to come, and the evidence that it counts. */
export function ScoreBreakdownTable({ breakdown, evidence, score, losses }: Props) {
  if (!breakdown || !evidence || !losses) return <p className="text-muted">No jobs yet.</p>;
  const { quality, confidence, good, tenureCapacity } = breakdown;
  const [shownQuality, shownConfidence] = formatFactors(quality, confidence, score);
  const isLimitedByAge = evidence.total.counted > good + 0.005;
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-8 lg:grid-cols-2">
      <Sum
        rows={[
          ["Highest score", "100.00"],
          ["Failures", losses.failures > 0 ? formatPoints(-losses.failures) : "0.00"],
          [
            "To come with more jobs",
            formatPoints(-losses.missing),
            isLimitedByAge && `Account age allows only ${formatScore(tenureCapacity)} to count.`,
          ],
          ["Score", formatScore(score), `${shownQuality} quality × ${shownConfidence} confidence`],
        ]}
      />
      <div>
        <Table
          caption="Evidence of good and failed jobs, and how much of it counts"
          rows={[
            ...CLASSES.map(([key, name]) => ({ name, ...evidence.classes[key] })),
            { name: "Sum", ...evidence.total },
          ]}
          columns={[
            ["Evidence", "py-1.5", ({ name }) => name],
            ["Good", NUMBER, ({ recorded: [good] }) => formatScore(good)],
            ["Failed", NUMBER, ({ recorded: [, bad] }) => formatScore(bad)],
            ["Counts", `${NUMBER} font-medium`, ({ counted }) => formatScore(counted)],
          ]}
        />
        <p className="mt-3 text-sm text-muted">
          A job adds 1.00 at most. Without known clients {formatScore(POLICY.openCap)} count at
          most, since anyone can pay a wallet of their own; unconfirmed jobs are{" "}
          {formatScore(POLICY.claimedCap)} of that.{" "}
          <TextLink href="/how-it-works" className="whitespace-nowrap">
            How it works
          </TextLink>
        </p>
      </div>
    </div>
  );
}
