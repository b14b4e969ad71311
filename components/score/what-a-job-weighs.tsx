import { LineChart } from "@/components/charts/line-chart";
import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatPercent, formatUsdc } from "@/components/ui/format";

interface Props {
  byValue: { valueUsdc: number; weight: number }[];
  byConfidence: { confidence: number; weight: number }[];
  byAge: { days: number; good: number; bad: number }[];
}

/** Value, the judge's confidence and age: the three things that make a job weigh more or less. */
export function WhatAJobWeighs({ byValue, byConfidence, byAge }: Props) {
  const last = byAge.at(-1)?.days ?? 1;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-3">
      <div>
        <h3 className="font-medium">What it was worth</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          Grains of dust prove nothing, and a whale proves no more than one job.
        </p>
        <div className="grid gap-2.5">
          {byValue.map(({ valueUsdc, weight }) => (
            <ProportionBar
              key={valueUsdc}
              label={formatUsdc(valueUsdc)}
              fraction={weight}
              say={formatPercent(weight)}
            />
          ))}
        </div>
      </div>
      <div>
        <h3 className="font-medium">How sure the judge was</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          A verdict that is no better than a coin weighs nothing.
        </p>
        <div className="grid gap-2.5">
          {byConfidence.map(({ confidence, weight }) => (
            <ProportionBar
              key={confidence}
              label={`Confidence ${confidence.toFixed(2)}`}
              fraction={weight}
              say={formatPercent(weight)}
            />
          ))}
        </div>
      </div>
      <div>
        <h3 className="font-medium">How long ago</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          Half is left after half a year. A fresh failure weighs three times a success; the extra
          halves every 15 days. A failure that only an unanchored client reported has no extra.
        </p>
        <LineChart
          narrow
          label={`Weight over ${last} days: a success begins at 1 and is at one half after 180 days; a failure begins at 3 and meets it after some two months.`}
          lines={[
            {
              name: "Success",
              look: "accent",
              points: byAge.map(({ days, good }) => [days, good]),
            },
            { name: "Failure", look: "bad", points: byAge.map(({ days, bad }) => [days, bad]) },
          ]}
          max={{ x: last, y: 3 }}
          ticks={{
            x: [0, last / 2, last].map((days) => [days, days === 0 ? "today" : `${days} d`]),
            y: [0, 1, 2, 3].map((n) => [n, String(n)]),
          }}
        />
      </div>
    </div>
  );
}
