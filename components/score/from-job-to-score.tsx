import { formatDuration } from "@/components/disputes/describe-dispute";
import { formatScore, formatUsdc } from "@/components/ui/format";
import { TextLink } from "@/components/ui/text-link";

/** The one job of the worked example, and how many like it follow. */
export const EXAMPLE = { successes: 1, paying: 1, valueUsdc: 10, judgeConfidence: 0.95 } as const;
export const LATER = { jobs: 14, clients: 7 } as const;

interface Props {
  /** Score of a new agent after that job, and after all of them, computed by the production code. */
  first: number;
  later: number;
  /** How long a verdict can be disputed. */
  disputeWindowMs: number;
}

/** Follows one paid job through the service, with the figure that each step adds. */
export function FromJobToScore({ first, later, disputeWindowMs }: Props) {
  const steps = [
    ["Submit", formatUsdc(EXAMPLE.valueUsdc), "Task, deliverable and payment of one job."],
    ["Judge", "Success", "A verdict, with a reason for every requirement."],
    ["Record", "1 record", "The verdict goes on chain: public and permanent."],
    [
      "Score",
      formatScore(first),
      `After ${LATER.jobs} such jobs for ${LATER.clients} clients: ${formatScore(later)}.`,
    ],
  ] as const;
  return (
    <>
      <ol className="grid gap-y-5 sm:grid-cols-4">
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
      <p className="mt-6 text-muted">
        The losing party can <TextLink href="/disputes">dispute</TextLink> a verdict that a review
        could change, within {formatDuration(disputeWindowMs)}; the agent can refund the client
        instead.
      </p>
    </>
  );
}
