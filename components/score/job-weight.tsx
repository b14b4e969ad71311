import type { ReactNode } from "react";
import { LineChart } from "@/components/charts/line-chart";
import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatPercent, formatScore, formatUsdc } from "@/components/ui/format";
import { POLICY } from "@/server/reputation/policy";

interface Props {
  byValue: { valueUsdc: number; weight: number }[];
  byConfidence: { confidence: number; weight: number }[];
  byAge: { days: number; good: number; bad: number }[];
}

/** Charts how a job's weight depends on its value, the judge's confidence and age. */
export function JobWeight({ byValue, byConfidence, byAge }: Props) {
  const last = byAge.at(-1)?.days ?? 1;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-3">
      <Factor
        name="Value"
        note={`Tiny payments count little; huge ones count at most as one job. An unpaid job is worth at most ${formatUsdc(POLICY.unpaidValueUsdc)}.`}
      >
        <WeightBars
          weights={byValue.map(({ valueUsdc, weight }) => [formatUsdc(valueUsdc), weight])}
        />
      </Factor>
      <Factor name="Judge's confidence" note="A verdict no better than chance weighs nothing.">
        <WeightBars
          weights={byConfidence.map(({ confidence, weight }) => [
            `Confidence ${formatScore(confidence)}`,
            weight,
          ])}
        />
      </Factor>
      <Factor
        name="Age"
        note={`Weight halves every ${POLICY.halfLifeDays} days. A fresh failure counts ${POLICY.freshFailureFactor} times; the extra penalty halves every ${POLICY.extraHalfLifeDays} days, and applies to paid jobs and jobs for known clients only.`}
      >
        <LineChart
          label={`Weight over ${last} days: a success starts at 1 and halves in ${POLICY.halfLifeDays} days; a failure starts at ${POLICY.freshFailureFactor} and meets it after about two months.`}
          lines={[
            {
              name: "Success",
              tone: "accent",
              points: byAge.map(({ days, good }) => [days, good]),
            },
            { name: "Failure", tone: "bad", points: byAge.map(({ days, bad }) => [days, bad]) },
          ]}
          max={{ x: last, y: POLICY.freshFailureFactor }}
          ticks={{
            x: [0, last / 2, last].map((days) => [days, days === 0 ? "today" : `${days} d`]),
            y: [0, 1, 2, 3].map((n) => [n, String(n)]),
          }}
        />
      </Factor>
    </div>
  );
}

interface FactorProps {
  name: string;
  note: string;
  children: ReactNode;
}

function Factor({ name, note, children }: FactorProps) {
  return (
    <div>
      <h3 className="font-medium">{name}</h3>
      <p className="mt-1 mb-4 text-sm text-muted">{note}</p>
      {children}
    </div>
  );
}

function WeightBars({ weights }: { weights: [label: string, weight: number][] }) {
  return (
    <div className="grid gap-2.5">
      {weights.map(([label, weight]) => (
        <ProportionBar key={label} label={label} fraction={weight} value={formatPercent(weight)} />
      ))}
    </div>
  );
}
