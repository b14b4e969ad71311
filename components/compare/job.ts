import { formatValue } from "@/components/ui/format";
import type { RankedInput } from "@/server/explorer/agent-list/schema";
import { buildUrl } from "@/server/lib/build-url";
import { nameCategory } from "@/server/lib/category-name";

/** Most agents that are compared at once. */
export const MAX_AGENTS = 4;

/** What the agents are compared for. */
export type Job = Pick<RankedInput, "valueUsdc" | "category">;

/** Returns the URL of a comparison, with commas as they are. */
export function buildCompareUrl(wallets: readonly string[], job: Job = {}): string {
  const agents = wallets.length > 0 && `agents=${wallets.join(",")}`;
  const query = [agents, buildUrl("", { ...job }).slice(1)].filter(Boolean).join("&");
  return query ? `/compare?${query}` : "/compare";
}

/** Returns the URL of the leaderboard for a job, with other parameters. */
export const buildLeaderboardUrl = ({
  category,
  ...query
}: Job & Record<string, unknown>): string =>
  buildUrl(category ? `/leaderboard/${category}` : "/leaderboard", query);

/** Describes a job as `300 USDC of code review`; empty if nothing is known of it. */
export const describeJob = ({ valueUsdc, category }: Job): string =>
  [valueUsdc && formatValue(valueUsdc), category && nameCategory(category)]
    .filter(Boolean)
    .join(" of ");
