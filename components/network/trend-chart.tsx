"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { BarLegend, Bars, type Series, STEP } from "@/components/charts/bars";
import { Plot } from "@/components/charts/plot";
import { roundCoordinate } from "@/components/charts/round-coordinate";
import { formatAmount, formatCompact, formatPercent } from "@/components/ui/format";
import { Table } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";

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

/** Draws values over time; the value under the pointer, or chosen by arrow keys, is shown above. */
export function TrendChart(props: Props) {
  const { title, total, note, format = "count", series, periods, urls } = props;
  const router = useRouter();
  const [active, setActive] = useState<number | null>(null);
  const [isTableOpen, setTableOpen] = useState(false);
  const show = (value: number | null) => formatValue(value, format);
  const sums = periods.map((_, index) =>
    series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  const { min, max, ticks } =
    format === "percent"
      ? choosePercentAxis(series[0]?.values ?? [])
      : chooseAxis(Math.max(...sums));
  const width = periods.length * STEP;
  const y = (value: number) => roundCoordinate(100 - ((value - min) / (max - min)) * 100);
  const describePeriod = (index: number) =>
    `${periods[index]}: ${series
      .map(({ name, values: { [index]: value = null } }) =>
        series.length > 1 ? `${show(value)} ${name.toLowerCase()}` : show(value),
      )
      .join(", ")}`;
  const open = () => {
    const url = urls?.[active ?? periods.length - 1];
    if (url) router.push(url);
  };
  const isTotal = active === null;
  const value = series.length > 1 ? sums[active ?? 0] : series[0]?.values[active ?? 0];
  return (
    <figure className="min-w-0">
      <figcaption>
        <h3 className="text-sm font-medium">{title}</h3>
        {/* One line of constant height, so that nothing moves while the pointer does. */}
        <p className="mt-1 truncate font-serif text-3xl leading-tight font-semibold">
          {isTotal ? total : show(value ?? null)}
          <span className="ml-2 font-sans text-sm font-normal text-muted">
            {isTotal ? note : series.length > 1 ? describePeriod(active) : periods[active]}
          </span>
        </p>
      </figcaption>
      <div className="mt-3">
        <Plot
          className="h-32"
          width={width}
          slider={{
            label: `${title} by period`,
            text: describePeriod(active ?? periods.length - 1),
            count: periods.length,
            selected: active,
            onSelect: setActive,
            find: (fraction) => Math.floor(fraction * periods.length),
            onOpen: urls && open,
            hint: urls && "Click or press Enter to list the jobs",
          }}
          axis="narrow"
          values={ticks.map((value) => [y(value), formatTick(value, format)])}
          positions={placeDates(periods)}
        >
          {active !== null && (
            <rect x={active * STEP} width={STEP} height="100" className="fill-ink opacity-10" />
          )}
          {format !== "percent" ? (
            <Bars series={series} y={y} />
          ) : (
            <path
              d={drawLine(series[0]?.values ?? [], y)}
              fill="none"
              className="stroke-ink"
              strokeWidth="2"
              strokeLinejoin="round"
            />
          )}
        </Plot>
      </div>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-4 text-sm text-muted">
        {series.length > 1 && <BarLegend series={series} />}
        <details
          className="needs-script open:basis-full"
          onToggle={({ currentTarget }) => setTableOpen(currentTarget.open)}
        >
          <summary className="cursor-pointer py-1">As a table</summary>
          {/* The tables of all charts would be half of the page. */}
          {isTableOpen && (
            <Table
              caption={title}
              className="mt-1"
              rows={periods.map((period, index) => ({ period, index })).toReversed()}
              columns={[
                [
                  "Period",
                  "py-1 pr-3 text-left",
                  ({ period, index }) => {
                    const url = urls?.[index];
                    return url ? <TextLink href={url}>{period}</TextLink> : period;
                  },
                ],
                ...series.map(
                  ({ name, values }) =>
                    [
                      name,
                      "py-1 pl-3 text-right",
                      ({ index }: { index: number }) => show(values[index] ?? null),
                    ] as const,
                ),
              ]}
            />
          )}
        </details>
      </div>
    </figure>
  );
}

type Format = Props["format"];

function formatValue(value: number | null, format: Format): string {
  if (value === null) return "–";
  if (format === "percent") return formatPercent(value);
  return formatAmount(format === "usdc" ? Math.round(value * 100) / 100 : value);
}

const formatTick = (value: number, format: Format) =>
  format === "percent" ? formatPercent(value) : formatCompact(value);

/** Draws a line through the middle of the periods that have a value. */
function drawLine(values: (number | null)[], y: (value: number) => number): string {
  let isConnected = false;
  return values
    .map((value, index) => {
      if (value === null) return "";
      const point = `${(index + 0.5) * STEP} ${y(value)}`;
      const command = isConnected ? "L" : "M";
      isConnected = true;
      return `${command}${point}`;
    })
    .join("");
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

interface Axis {
  min: number;
  max: number;
  /** From `min` to `max`. */
  ticks: number[];
}

const STEPS = [1, 2, 5, 10];

/** Chooses an axis from 0 with two or three round steps that include `highest`. */
export function chooseAxis(highest: number): Axis {
  const target = Math.max(highest, 1) / 3;
  const power = 10 ** Math.floor(Math.log10(target));
  const rough = STEPS.map((step) => step * power).find((step) => step >= target) ?? target;
  const step = Math.max(1, rough);
  const count = Math.max(1, Math.ceil(highest / step));
  return {
    min: 0,
    max: count * step,
    ticks: Array.from({ length: count + 1 }, (_, n) => n * step),
  };
}

const PERCENT_FLOORS = [0.8, 0.5];

/** Chooses an axis up to 100% for fractions, from 80% or 50% if all are above. */
export function choosePercentAxis(values: readonly (number | null)[]): Axis {
  const lowest = Math.min(1, ...values.filter((value) => value !== null));
  const min = PERCENT_FLOORS.find((floor) => floor <= lowest) ?? 0;
  return { min, max: 1, ticks: [min, (min + 1) / 2, 1] };
}
