import type { ReactNode } from "react";
import { TierMark } from "@/components/agents/tier-mark";
import { formatUsdc } from "@/components/ui/format";
import { LiveForm } from "@/components/ui/live-form";
import { Slider } from "@/components/ui/slider";
import type { SimulateInput, Simulation } from "@/server/reputation/schema";
import { PlaygroundExamples } from "./playground-examples";
import { PlaygroundResult } from "./playground-result";

const VALUES = [0.01, 0.1, 0.5, 2, 5, 10, 50, 100, 1_000];

interface Props {
  asked: SimulateInput;
  /** Null where nobody asked for a job. */
  result: Simulation | null;
}

/** An agent to make up, and the score that the service gives it. */
export function Playground({ asked, result }: Props) {
  const values = VALUES.includes(asked.valueUsdc) ? VALUES : [asked.valueUsdc, ...VALUES];
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
      <div className="min-w-0">
        <PlaygroundExamples asked={asked} />
        <LiveForm action="/how-it-works" label="Make up an agent" className="mt-6 grid gap-7">
          {result && (
            <p
              aria-hidden="true"
              className="sticky top-0 z-10 -mx-5 flex items-center justify-between gap-4 border-y border-line bg-raised px-5 py-2 lg:hidden"
            >
              <span className="font-serif text-2xl font-semibold">{result.score.toFixed(2)}</span>
              <TierMark tier={result.tier} />
            </p>
          )}
          <Group title="Its jobs">
            <Slider name="successes" label="Succeeded" value={asked.successes} min={0} max={400} />
            <Slider name="failures" label="Failed" value={asked.failures} min={0} max={60} />
            <Slider
              name="reported"
              label="Failures reported by strangers"
              hint="Each paid for the job; nobody vouches for them."
              value={asked.reported}
              min={0}
              max={60}
            />
          </Group>
          <Group title="Who asked for them, in turn">
            <Slider
              name="anchored"
              label="Anchors"
              hint="Requesters that the operator vouches for; here they pay as well."
              value={asked.anchored}
              min={0}
              max={60}
            />
            <Slider
              name="paying"
              label="Strangers that pay"
              hint="A USDC transfer on chain proves it."
              value={asked.paying}
              min={0}
              max={60}
            />
            <Slider
              name="claiming"
              label="Strangers that do not"
              hint="Only the agent says that there was a job."
              value={asked.claiming}
              min={0}
              max={60}
            />
          </Group>
          <Group title="When">
            <Slider
              name="firstDaysAgo"
              label="First success"
              value={asked.firstDaysAgo}
              min={0}
              max={1_000}
              step={5}
              unit="days ago"
            />
            <Slider
              name="lastDaysAgo"
              label="Latest success"
              value={asked.lastDaysAgo}
              min={0}
              max={1_000}
              step={5}
              unit="days ago"
            />
            <Slider
              name="failedDaysAgo"
              label="Failures"
              value={asked.failedDaysAgo}
              min={0}
              max={365}
              unit="days ago"
            />
          </Group>
          <Group title="Each job">
            <label className="flex items-baseline justify-between gap-4">
              Value
              <select
                name="valueUsdc"
                key={asked.valueUsdc}
                defaultValue={asked.valueUsdc}
                className="rounded-md border border-line bg-paper px-2 py-1"
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
              label="How sure the judge was"
              value={asked.judgeConfidence}
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
              Work it out
            </button>
          </noscript>
        </LiveForm>
      </div>
      <div className="order-first lg:order-none">
        <div className="lg:sticky lg:top-6">
          <PlaygroundResult asked={asked} result={result} />
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
