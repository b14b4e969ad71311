import { TierMark } from "@/components/agents/tier-mark";
import { LineChart } from "@/components/charts/line-chart";
import { ScoreSquare } from "@/components/charts/score-square";
import type { SimulateInput, Simulation } from "@/server/reputation/schema";

interface Props {
  asked: SimulateInput;
  result: Simulation | null;
}

/** The score of the made-up agent, what it is made of, and where more successes would lead. */
export function PlaygroundResult({ asked, result }: Props) {
  if (!result) {
    return (
      <p role="status" className="rounded-md bg-notice px-4 py-3 text-notice-ink">
        Somebody must have asked for the jobs: add an anchor or a stranger.
      </p>
    );
  }
  const { breakdown, curve, score, tier } = result;
  const most = curve.at(-1)?.successes ?? 1;
  return (
    <div className="grid gap-6">
      <div role="status" className="flex flex-wrap items-baseline-last justify-between gap-4">
        <p>
          <span className="mb-1.5 block text-sm text-muted">Score</span>
          <span className="font-serif text-5xl leading-none font-semibold">{score.toFixed(2)}</span>
          <span className="text-sm text-muted"> of 100</span>
        </p>
        <TierMark tier={tier} large />
      </div>
      <div className="grid grid-cols-1 items-center gap-6 sm:grid-cols-2">
        <ScoreSquare
          quality={breakdown.quality}
          confidence={breakdown.confidence}
          score={score}
          brief
        />
        <ul className="grid gap-3 text-sm">
          {sentences(asked, result).map((sentence) => (
            <li key={sentence} className="border-l-2 border-line pl-3">
              {sentence}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="text-sm text-muted">
          The same agent with other numbers of successes; the dot is the one you asked for
        </h3>
        <LineChart
          label={`Score over the number of successes, from ${curve[0]?.score.toFixed(0)} with none to ${curve.at(-1)?.score.toFixed(0)} with ${most}.`}
          lines={[
            {
              name: "Score",
              look: "accent",
              points: curve.map((point) => [point.successes, point.score]),
            },
          ]}
          max={{ x: most, y: 100 }}
          ticks={{
            x: [0, most / 2, most].map((n) => [n, String(Math.round(n))]),
            y: [0, 70, 85, 95].map((n) => [n, String(n)]),
          }}
          mark={[asked.successes, score]}
        />
      </div>
    </div>
  );
}

/** What holds this agent where it is, in plain words. */
function sentences(asked: SimulateInput, { breakdown, totalOutcomes }: Simulation): string[] {
  const { anchored, paid, claimed, good, tenureCapacity, quality } = breakdown;
  const said: string[] = [];
  if (totalOutcomes === 0) return ["Without a job there is nothing to go by: unranked."];
  said.push(
    `It has ${good.toFixed(1)} units of good evidence that count. Three make confidence one half; a full unit is what one large, certain success of today weighs.`,
  );
  const requesters = asked.anchored + asked.paying + asked.claiming;
  if (Math.max(...perPartner(asked, [anchored, paid, claimed])) > 1.99) {
    said.push("Some requesters are full: no more than two units count from each.");
  }
  if (good >= tenureCapacity - 0.005) {
    said.push(
      `It is too young for more: ${tenureCapacity.toFixed(1)} units are all that its age admits. Each day adds half a unit.`,
    );
  }
  if (asked.anchored === 0) {
    said.push(
      asked.paying === 0
        ? "Nobody paid and nobody vouches: words alone never reach more than 50."
        : "No anchor is among its requesters: without one no score is above 80.",
    );
  }
  if (requesters === 1) said.push("A single partner never carries a score above 40.");
  if (asked.failures > 0) {
    said.push(
      `Of what counts, ${(100 * quality).toFixed(1)}% is good. A failure stings three times when fresh; the sting halves every 15 days.`,
    );
  }
  if (asked.reported > 0) {
    said.push(
      "Failures that strangers reported count from their third day, without the sting, unless the agent returns the payment.",
    );
  }
  return said;
}

/** Evidence by requester of each class. */
function perPartner(asked: SimulateInput, classes: [number, number][]): number[] {
  const partners = [asked.anchored, asked.paying, asked.claiming];
  return classes.map(([good, bad], index) => (good + bad) / Math.max(1, partners[index] ?? 1));
}
