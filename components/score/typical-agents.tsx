import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatScore } from "@/components/ui/format";

const BUSY = { successes: 150, anchored: 12, paying: 12, firstDaysAgo: 365 };

/** Made-up agents; their jobs are worth 10 USDC if nothing else is said. */
export const TYPICAL_AGENTS = [
  ["150 good jobs in a year, half of them for known clients", BUSY],
  ["The same, then 12 failures this week", { ...BUSY, failures: 12, failedDaysAgo: 3 }],
  ["The same, then 12 failures that strangers report", { ...BUSY, reported: 12, failedDaysAgo: 3 }],
  ["3 good jobs for 3 strangers", { successes: 3, paying: 3, firstDaysAgo: 10 }],
  ["400 good jobs of one cent", { successes: 400, paying: 60, firstDaysAgo: 365, valueUsdc: 0.01 }],
  ["150 good jobs, the last two years ago", { ...BUSY, firstDaysAgo: 1_000, lastDaysAgo: 730 }],
] as const;

/** Shows the score of each typical agent, in the same order. */
export const TypicalAgents = ({ scores }: { scores: readonly number[] }) => (
  <div className="-mb-4 gap-x-10 lg:columns-2">
    {TYPICAL_AGENTS.map(([name], at) => (
      <div key={name} className="break-inside-avoid pb-4">
        <ProportionBar
          label={name}
          fraction={(scores[at] ?? 0) / 100}
          value={formatScore(scores[at] ?? 0)}
        />
      </div>
    ))}
  </div>
);
