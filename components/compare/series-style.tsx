import { LineSwatch } from "@/components/charts/plot";
import { formatValue } from "@/components/ui/format";
import type { RankedInput } from "@/server/explorer/agent-list/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";

/** Most agents that are compared at once. */
export const MAX_AGENTS = 4;

/** Color and dashes of each agent's line, in the order of the URL. */
export const SERIES = [
  { className: "stroke-series-1", strokeDasharray: undefined },
  { className: "stroke-series-2", strokeDasharray: "7 3" },
  { className: "stroke-series-3", strokeDasharray: "2.5 2.5" },
  { className: "stroke-series-4", strokeDasharray: "9 3 2.5 3" },
] as const;

/** What the agents are compared for. */
export type Job = Pick<RankedInput, "valueUsdc" | "category">;

/** Returns the URL of a comparison, with commas as they are. */
export function buildCompareUrl(wallets: readonly string[], job: Job = {}): string {
  const agents = wallets.length > 0 && `agents=${wallets.join(",")}`;
  const query = [agents, buildUrl("", { ...job }).slice(1)].filter(Boolean).join("&");
  return query ? `/compare?${query}` : "/compare";
}

/** Describes a job as `300 USDC of code review`; empty if nothing is known of it. */
export const describeJob = ({ valueUsdc, category }: Job): string =>
  [valueUsdc && formatValue(valueUsdc), category && nameCategory(category)]
    .filter(Boolean)
    .join(" of ");

/** Draws the line of an agent as it is in the chart. */
export const SeriesKey = ({ index }: { index: number }) => (
  <LineSwatch {...(SERIES[index] ?? SERIES[0])} />
);
