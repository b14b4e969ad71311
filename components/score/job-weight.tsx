import type { ReactNode } from "react";
import { ProportionBar } from "@/components/charts/proportion-bar";
import { formatPercent, formatScore, formatUsdc } from "@/components/ui/format";
import { POLICY } from "@/server/reputation/policy";

interface Props {
  byValue: { valueUsdc: number; weight: number }[];
  byConfidence: { confidence: number; weight: number }[];
  byAge: { days: number; weight: number }[];
}

/** Charts how a job's weight depends on its value, the judge's confidence and age. */
export function JobWeight({ byValue, byConfidence, byAge }: Props) {
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
        note={`Halves every ${POLICY.halfLifeDays} days. A fresh failure counts ${POLICY.freshFailureFactor} times.`}
      >
        <WeightBars
          weights={byAge.map(({ days, weight }) => [days === 0 ? "Today" : `${days} days`, weight])}
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
