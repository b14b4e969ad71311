import type { ReactNode } from "react";
import { TierMark } from "@/components/agents/agent-marks";
import { formatUsdc } from "@/components/ui/format";
import { LiveForm } from "@/components/ui/live-form";
import { Slider } from "@/components/ui/slider";
import type { SimulateInput, Simulation } from "@/server/reputation/schema";
import { PlaygroundExamples } from "./playground-examples";
import { PlaygroundResult } from "./playground-result";

const VALUES = [0.01, 0.1, 0.5, 2, 5, 10, 50, 100, 1_000];

const DATE = { max: 1_000, step: 5, unit: "days ago" } as const;

const GROUPS = [
  {
    title: "Jobs",
    sliders: [
      { name: "successes", label: "Successes", max: 400 },
      { name: "failures", label: "Failures", max: 60 },
      {
        name: "reported",
        label: "Reported failures",
        hint: "By unanchored clients that paid.",
        max: 60,
      },
    ],
  },
  {
    title: "Clients",
    sliders: [
      {
        name: "anchored",
        label: "Anchors",
        hint: "Trusted by the operator; here they also pay.",
        max: 60,
      },
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
          {result && (
            <p
              aria-hidden="true"
              className="sticky top-0 z-10 -mx-5 flex items-center justify-between gap-4 border-y border-line bg-raised px-5 py-2 lg:hidden"
            >
              <span className="font-serif text-2xl font-semibold">{result.score.toFixed(2)}</span>
              <TierMark tier={result.tier} />
            </p>
          )}
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

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 text-sm text-muted">{title}</legend>
      {children}
    </fieldset>
  );
}
