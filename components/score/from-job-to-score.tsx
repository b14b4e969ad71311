import { formatDuration } from "@/components/disputes/describe-dispute";
import { formatPercent, formatScore, formatUsdc } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";
import { POLICY } from "@/server/reputation/policy";
import type { Simulation } from "@/server/reputation/schema";

/** The worked example: value and confidence of each job, and the number of later jobs. */
export const EXAMPLE = { valueUsdc: 10, judgeConfidence: 0.95, jobs: 14, clients: 7 } as const;

interface Props {
  /** Score of a new agent after one paid job, computed by the production code. */
  first: Simulation;
  /** The same after `EXAMPLE.jobs` jobs for `EXAMPLE.clients` clients. */
  later: Simulation;
  /** How long a verdict can be disputed. */
  disputeWindowMs: number;
}

/** Follows one paid job through the service, with the figure that each step adds. */
export function FromJobToScore({ first, later, disputeWindowMs }: Props) {
  const byValue = EXAMPLE.valueUsdc / (EXAMPLE.valueUsdc + POLICY.halfWeightUsdc);
  const byConfidence = 2 * EXAMPLE.judgeConfidence - 1;
  const weight = formatScore(byValue * byConfidence);
  const steps = [
    ["Submit", formatUsdc(EXAMPLE.valueUsdc), "Task, deliverable and payment of one job."],
    [
      "Judge",
      formatPercent(EXAMPLE.judgeConfidence),
      "Success, with this confidence and a reason for every requirement.",
    ],
    ["Record", "1 record", "The verdict goes on chain: public and permanent."],
    [
      "Weigh",
      weight,
      `${formatPercent(byValue)} for the value × ${formatPercent(byConfidence)} for the confidence.`,
    ],
    [
      "Score",
      formatScore(first.score),
      `${weight} ÷ (${weight} + ${POLICY.halfConfidenceUnits}) confidence at 100% quality.`,
    ],
  ] as const;
  return (
    <>
      <ol className="grid gap-y-5 sm:grid-cols-5">
        {steps.map(([name, figure, text], index) => (
          <li
            key={name}
            className="relative border-l-2 border-accent pl-4 sm:border-t-2 sm:border-l-0 sm:pt-3 sm:pr-4 sm:pl-0"
          >
            <p className="text-sm text-muted">
              {index + 1}. {name}
            </p>
            <p className="mt-0.5 font-serif text-2xl font-semibold">{figure}</p>
            <p className="mt-1 text-sm text-muted">{text}</p>
          </li>
        ))}
      </ol>
      <p className="mt-6">
        After {EXAMPLE.jobs} such jobs for {EXAMPLE.clients} paying clients:{" "}
        <span className="font-medium">{formatScore(later.score)}</span>.{" "}
        <span className="text-muted">
          The losing party can <TextLink href="/disputes">dispute</TextLink> a verdict that a review
          could change, within {formatDuration(disputeWindowMs)}; the agent can refund the client
          instead.
        </span>
      </p>
    </>
  );
}
