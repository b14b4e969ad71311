import type { ReactNode } from "react";
import { TierMark } from "@/components/agents/agent-marks";
import { LineChart } from "@/components/charts/line-chart";
import { ScoreSquare } from "@/components/charts/score-square";
import { formatPercent, formatScore, formatUsdc } from "@/components/ui/format";
import { Link } from "@/components/ui/link";
import { LiveForm } from "@/components/ui/live-form";
import { Notice } from "@/components/ui/notice";
import { Slider } from "@/components/ui/slider";
import { CEILINGS, POLICY, TIER_STARTS } from "@/server/reputation/policy";
import type { SimulateInput, Simulation } from "@/server/reputation/schema";

const VALUES = [0.01, 0.1, 0.5, 2, 5, 10, 50, 100, 1_000];

const DATE = { max: 1_000, step: 5, unit: "days ago" } as const;

const GROUPS = [
  {
    title: "Jobs",
    sliders: [
      { name: "successes", label: "Successes", max: 400 },
      { name: "failures", label: "Failures", max: 60 },
      { name: "reported", label: "Reported failures", hint: "By other paying clients.", max: 60 },
    ],
  },
  {
    title: "Clients",
    sliders: [
      { name: "anchored", label: "Known clients", hint: "They sign the terms and pay.", max: 60 },
      { name: "paying", label: "Paying strangers", hint: "Proven by a USDC transfer.", max: 60 },
      { name: "claiming", label: "Unpaid strangers", hint: "Only the agent's claim.", max: 60 },
    ],
  },
  {
    title: "Timing",
    sliders: [
      { name: "firstDaysAgo", label: "First success", ...DATE },
      { name: "lastDaysAgo", label: "Latest success", ...DATE },
      { name: "failedDaysAgo", label: "Day of failures", max: 365, unit: "days ago" },
    ],
  },
] as const;

interface Props {
  input: SimulateInput;
  /** Null if there are no clients. */
  result: Simulation | null;
}

/** Lets visitors make up an agent and see its score. */
export function Playground({ input, result }: Props) {
  const values = VALUES.includes(input.valueUsdc) ? VALUES : [input.valueUsdc, ...VALUES];
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
      <div className="min-w-0">
        <PlaygroundExamples input={input} />
        <LiveForm action="/how-it-works" label="Playground" className="mt-6 grid gap-7">
          {result && <StickyScore result={result} />}
          {GROUPS.map(({ title, sliders }) => (
            <Group key={title} title={title}>
              {sliders.map((slider) => (
                <Slider key={slider.name} min={0} {...slider} value={input[slider.name]} />
              ))}
            </Group>
          ))}
          <Group title="Each job">
            <label className="flex items-baseline justify-between gap-4">
              Value
              <select
                name="valueUsdc"
                key={input.valueUsdc}
                defaultValue={input.valueUsdc}
                className="rounded-md border border-field bg-paper px-2 py-1"
              >
                {values.map((value) => (
                  <option key={value} value={value}>
                    {formatUsdc(value)}
                  </option>
                ))}
              </select>
            </label>
            <Slider
              name="judgeConfidence"
              label="Judge's confidence"
              value={input.judgeConfidence}
              min={0.5}
              max={1}
              step={0.01}
              unit="of 1"
            />
          </Group>
          <noscript>
            <button
              type="submit"
              className="rounded-md bg-accent px-4 py-2 font-medium text-accent-ink"
            >
              Compute
            </button>
          </noscript>
        </LiveForm>
      </div>
      <div className="order-first lg:order-none">
        <div className="lg:sticky lg:top-6">
          <PlaygroundResult input={input} result={result} />
        </div>
      </div>
    </div>
  );
}

/** Keeps the score in view on phones, where the sliders are below it. */
const StickyScore = ({ result: { score, tier } }: { result: Simulation }) => (
  <p
    aria-hidden="true"
    className="sticky top-0 z-10 -mx-5 flex items-center justify-between gap-4 border-y border-line bg-raised px-5 py-2 lg:hidden"
  >
    <span className="font-serif text-2xl font-semibold">{formatScore(score)}</span>
    <TierMark tier={tier} />
  </p>
);

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-sm text-muted">{title}</legend>
      {children}
    </fieldset>
  );
}

type Example = Omit<SimulateInput, "judgeConfidence" | "valueUsdc"> & { valueUsdc?: number };

const NO_JOBS: Example = {
  successes: 0,
  failures: 0,
  reported: 0,
  anchored: 0,
  paying: 0,
  claiming: 0,
  firstDaysAgo: 0,
  lastDaysAgo: 0,
  failedDaysAgo: 0,
  valueUsdc: 10,
};
const BUSY = { successes: 150, anchored: 12, paying: 12, firstDaysAgo: 365 };
const RING = { successes: 400, paying: 60, firstDaysAgo: 365 };

const EXAMPLES: [name: string, agent: Partial<Example>][] = [
  ["Three good jobs", { successes: 3, paying: 3, firstDaysAgo: 10 }],
  ["Reliable for a year", { ...BUSY, failures: 1, claiming: 6, failedDaysAgo: 90 }],
  ["Failing this week", { ...BUSY, failures: 12, failedDaysAgo: 3 }],
  ["Reported by strangers", { ...BUSY, reported: 12, failedDaysAgo: 3 }],
  ["Unconfirmed only", { successes: 300, claiming: 50, firstDaysAgo: 365 }],
  ["One loyal client", { successes: 300, paying: 1, firstDaysAgo: 365 }],
  ["400 one-cent jobs", { ...RING, valueUsdc: 0.01 }],
  ["Self-paying ring", RING],
  ["Inactive for two years", { ...BUSY, firstDaysAgo: 1_000, lastDaysAgo: 730 }],
];

/** Links that fill the playground with typical agents. */
function PlaygroundExamples({ input }: { input: SimulateInput }) {
  return (
    <nav aria-label="Examples">
      <ul className="flex flex-wrap gap-2 text-sm">
        {EXAMPLES.map(([name, agent]) => {
          const example = { ...NO_JOBS, judgeConfidence: 0.95, ...agent };
          const isCurrent = Object.entries(example).every(
            ([key, value]) => input[key as keyof SimulateInput] === value,
          );
          return (
            <li key={name}>
              <Link
                href={`/how-it-works?${new URLSearchParams(
                  Object.entries(example).map(([key, value]) => [key, String(value)]),
                )}`}
                scroll={false}
                aria-current={isCurrent ? "true" : undefined}
                className="block rounded-full border border-line px-3 py-1 hover:bg-sunken aria-[current]:border-accent aria-[current]:bg-accent aria-[current]:text-accent-ink"
              >
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Shows the simulated score, its breakdown, and the score by number of successes. */
function PlaygroundResult({ input, result }: Props) {
  if (!result) return <Notice role="status" title="Add at least one client" />;
  const { breakdown, curve, score, tier } = result;
  const maxSuccesses = curve.at(-1)?.successes ?? 1;
  return (
    <div className="grid gap-6">
      <div role="status" className="flex flex-wrap items-baseline-last justify-between gap-4">
        <p>
          <span className="mb-1.5 block text-sm text-muted">Score</span>
          <span className="font-serif text-5xl leading-none font-semibold">
            {formatScore(score)}
          </span>
          <span className="text-sm text-muted"> of 100</span>
        </p>
        <TierMark tier={tier} large />
      </div>
      <div className="grid grid-cols-1 items-center gap-6 sm:grid-cols-2">
        <ScoreSquare quality={breakdown.quality} confidence={breakdown.confidence} score={score} />
        <ul className="grid gap-3 text-sm">
          {explainScore(input, result).map((sentence) => (
            <li key={sentence} className="border-l-2 border-line pl-3">
              {sentence}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h3 className="text-sm text-muted">Score by number of successes (dot: this agent)</h3>
        <LineChart
          label={`Score by number of successes, from ${curve[0]?.score.toFixed(0)} with none to ${curve.at(-1)?.score.toFixed(0)} with ${maxSuccesses}.`}
          lines={[
            {
              name: "Score",
              tone: "accent",
              points: curve.map((point) => [point.successes, point.score]),
            },
          ]}
          max={{ x: maxSuccesses, y: 100 }}
          ticks={{
            x: [0, maxSuccesses / 2, maxSuccesses].map((n) => [n, String(Math.round(n))]),
            y: [0, ...TIER_STARTS.map(([score]) => score)].map((n) => [n, String(n)]),
          }}
          mark={[input.successes, score]}
        />
      </div>
    </div>
  );
}

/** Returns sentences that explain the score. */
function explainScore(input: SimulateInput, { breakdown, totalOutcomes }: Simulation): string[] {
  const { anchored, paid, claimed, good, tenureCapacity, quality } = breakdown;
  if (totalOutcomes === 0) return ["No jobs: unranked."];
  const clients = [input.anchored, input.paying, input.claiming];
  const mostByClient = Math.max(
    ...[anchored, paid, claimed].map(
      ([good, bad], kind) => (good + bad) / Math.max(1, clients[kind] ?? 1),
    ),
  );
  const sentences: [applies: boolean, sentence: string][] = [
    [
      true,
      `Good evidence adds up to ${formatScore(good)}: ${POLICY.halfConfidenceUnits} give 50% confidence, and one large, certain success today adds 1.`,
    ],
    [
      mostByClient > POLICY.requesterCap - 0.01,
      `Some clients have reached the limit of ${POLICY.requesterCap} each.`,
    ],
    [
      good >= tenureCapacity - 0.005,
      `Account age allows only ${formatScore(tenureCapacity)}. Each day adds ${POLICY.unitsPerTenureDay}.`,
    ],
    [
      input.anchored === 0 && input.paying === 0,
      `Unconfirmed jobs alone never exceed ${formatScore(CEILINGS.claimedOnly)}.`,
    ],
    [
      input.anchored === 0 && input.paying > 0,
      `Without a known client no score exceeds ${formatScore(CEILINGS.withoutAnchor)}.`,
    ],
    [
      clients.reduce((a, b) => a + b) === 1,
      `One client never carries a score above ${formatScore(CEILINGS.oneRequester)}.`,
    ],
    [
      input.failures > 0,
      `${formatPercent(quality, 2)} quality. A fresh failure counts ${POLICY.freshFailureFactor} times; the extra penalty halves every ${POLICY.extraHalfLifeDays} days.`,
    ],
    [
      input.reported > 0,
      `Failures reported by strangers count after ${POLICY.graceDays} days, without the penalty, unless refunded.`,
    ],
  ];
  return sentences.flatMap(([applies, sentence]) => (applies ? [sentence] : []));
}
