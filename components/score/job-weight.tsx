import { LineChart } from "@/components/charts/line-chart";
import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatPercent, formatUsdc } from "@/components/ui/format";

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
      <div>
        <h3 className="font-medium">Value</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          Tiny payments count little; huge ones cap at one job.
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
        <h3 className="font-medium">Judge's confidence</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          A verdict no better than chance weighs nothing.
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
        <h3 className="font-medium">Age</h3>
        <p className="mt-1 mb-4 text-sm text-muted">
          Weight halves every 180 days. A fresh failure counts three times; the extra penalty halves
          every 15 days, and doesn't apply to failures reported only by unanchored clients.
        </p>
        <LineChart
          narrow
          label={`Weight over ${last} days: a success starts at 1 and halves in 180 days; a failure starts at 3 and meets it after about two months.`}
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
