import { SERIES } from "./series-style";

/** Draws the line of an agent as it is in the chart. */
export function SeriesKey({ index }: { index: number }) {
  const { stroke, dash } = SERIES[index] ?? SERIES[0];
  return (
    <svg viewBox="0 0 24 4" className="h-1 w-6 shrink-0" aria-hidden="true">
      <line x2="24" y1="2" y2="2" strokeWidth="2.5" className={stroke} strokeDasharray={dash} />
    </svg>
  );
}
