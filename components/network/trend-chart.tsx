"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { BarLegend, Bars, type Series, STEP } from "@/components/charts/bars";
import { Line, Plot } from "@/components/charts/plot";
import { roundCoordinate } from "@/components/charts/round-coordinate";
import { formatAmount, formatCompact, formatPercent, formatValue } from "@/components/ui/format";

interface Props {
  title: string;
  /** Value of the whole range, and a few words on it. */
  total: string;
  note?: string;
  /** Percentages are a line, the others bars. */
  format?: "count" | "percent" | "usdc";
  series: Series[];
  /** Label of each period, oldest first. */
  periods: string[];
  /** Page with the records of each period, if there is one. */
  urls?: string[];
}

const FORMATS = {
  count: { show: formatAmount, tick: formatCompact },
  usdc: { show: formatValue, tick: formatCompact },
  percent: { show: (share: number) => formatPercent(share), tick: formatPercent },
};

/** Draws values over time; the value under the pointer, or chosen by arrow keys, is shown above. */
export function TrendChart(props: Props) {
  const { title, format = "count", series, periods, urls } = props;
  const router = useRouter();
  const [active, setActive] = useState<number | null>(null);
  const sums = periods.map((_, index) =>
    addUp(series.flatMap(({ values }) => values[index] ?? [])),
  );
  const ticks = format === "percent" ? [0, 0.5, 1] : chooseTicks(sums);
  const y = (value: number) => roundCoordinate(100 - (value / (ticks.at(-1) ?? 1)) * 100);
  const current = active ?? periods.length - 1;
  return (
    <figure className="min-w-0">
      <figcaption className="mb-3">
        <h3 className="text-sm font-medium">{title}</h3>
        <Readout {...props} active={active} sums={sums} />
      </figcaption>
      {sums.some(Boolean) && (
        <Plot
          className="h-32"
          width={periods.length * STEP}
          slider={{
            label: `${title} by period`,
            text: `${periods[current]}: ${describeValues(props, current)}`,
            count: periods.length,
            selected: active,
            onSelect: setActive,
            find: (fraction) => Math.floor(fraction * periods.length),
            onOpen: urls && (() => router.push(urls[current] ?? "")),
            hint: urls && "Click or press Enter to list the jobs",
          }}
          axis="narrow"
          values={ticks.map((value) => [y(value), FORMATS[format].tick(value)])}
          positions={placeDates(periods)}
        >
          {active !== null && (
            <rect x={active * STEP} width={STEP} height="100" className="fill-ink opacity-10" />
          )}
          {format !== "percent" ? (
            <Bars series={series} y={y} />
          ) : (
            <Line d={drawLine(sums, y)} className="stroke-ink" />
          )}
        </Plot>
      )}
      {series.length > 1 && sums.some(Boolean) && (
        <p className="mt-1 flex flex-wrap items-baseline gap-x-4 text-sm text-muted">
          <BarLegend series={series} />
        </p>
      )}
    </figure>
  );
}

/** Returns the sum; null without a value. */
const addUp = (values: number[]) =>
  values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;

const show = (value: number | null = null, format: Props["format"] = "count") =>
  value === null ? "–" : FORMATS[format].show(value);

/** Lists the values of a period, by name if there are several. */
const describeValues = ({ series, format }: Props, index: number) =>
  series
    .map(({ name, values }) =>
      [show(values[index], format), series.length > 1 && name.toLowerCase()]
        .filter(Boolean)
        .join(" "),
    )
    .join(", ");

interface ReadoutProps extends Props {
  active: number | null;
  sums: (number | null)[];
}

/** Shows the value of a period, or of all, in one line of constant height, so that nothing moves while the pointer does. */
function Readout({ active, sums, ...props }: ReadoutProps) {
  const { total, note, format, series, periods } = props;
  const isTotal = active === null;
  return (
    <p className="mt-1 truncate font-serif text-3xl leading-tight font-semibold">
      {isTotal ? total : show(sums[active], format)}
      <span className="ml-2 font-sans text-sm font-normal text-muted">
        {isTotal ? note : periods[active]}
        {!isTotal && series.length > 1 && `: ${describeValues(props, active)}`}
      </span>
    </p>
  );
}

/** Draws a line through the middle of the periods that have a value. */
function drawLine(values: (number | null)[], y: (value: number) => number): string {
  const points = values.flatMap((value, index) =>
    value === null ? [] : `${(index + 0.5) * STEP} ${y(value)}`,
  );
  return points.length > 0 ? `M${points.join("L")}` : "";
}

/** Places the first and last day and two between, by their distance from the left in percent. */
function placeDates(periods: string[]): [left: number, label: string][] {
  const last = periods.length - 1;
  const shown = new Set([0, Math.round(last / 3), Math.round((2 * last) / 3), last]);
  return [...shown].map((index) => {
    const [from = "", to = from] = (periods[index] ?? "").split(" – ");
    const isLast = index === last && index > 0;
    return [isLast ? 100 : index && (100 * (index + 0.5)) / periods.length, isLast ? to : from];
  });
}

const STEPS = [1, 2, 5, 10];

/** Chooses two or three round steps from 0 that include every value. */
export function chooseTicks(values: readonly (number | null)[]): number[] {
  const highest = Math.max(0, ...values.map((value) => value ?? 0));
  const target = Math.max(highest, 1) / 3;
  const power = 10 ** Math.floor(Math.log10(target));
  const rough = STEPS.map((step) => step * power).find((step) => step >= target) ?? target;
  const step = Math.max(1, rough);
  const count = Math.max(1, Math.ceil(highest / step));
  return Array.from({ length: count + 1 }, (_, n) => n * step);
}
