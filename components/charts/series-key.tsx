import { LineSwatch } from "./plot";

/** Color and dashes of each agent's line, in the order of the URL. */
export const SERIES = [
  { className: "stroke-series-1", strokeDasharray: undefined },
  { className: "stroke-series-2", strokeDasharray: "7 3" },
  { className: "stroke-series-3", strokeDasharray: "2.5 2.5" },
  { className: "stroke-series-4", strokeDasharray: "9 3 2.5 3" },
] as const;

/** Draws the line of an agent as it is in the chart. */
export const SeriesKey = ({ index }: { index: number }) => (
  <LineSwatch {...(SERIES[index] ?? SERIES[0])} />
);
