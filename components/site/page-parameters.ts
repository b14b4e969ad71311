import { rankedInput, searchAllInput } from "@/server/explorer/agent-list/schema";
import {
  networkDisputesInput,
  networkOutcomesInput,
  networkStatsInput,
} from "@/server/explorer/network/schema";
import { profileJobsQuery, profileQuery } from "@/server/explorer/schema";
import { pageInput } from "@/server/reputation/schema";
import { PAGES } from "./pages";

/** Query parameters that pages read, by route; the other pages read none. */
const PARAMETERS: Record<string, readonly string[]> = {
  "/agents/[wallet]": Object.keys(profileQuery.shape),
  "/agents/[wallet]/jobs": Object.keys(profileJobsQuery.shape),
  "/anchors": Object.keys(pageInput.shape),
  "/compare": ["agents", "q", "valueUsdc", "category"],
  "/disputes": Object.keys(networkDisputesInput.shape),
  "/docs": ["lang"],
  "/leaderboard": Object.keys(rankedInput.shape),
  "/leaderboard/[category]": Object.keys(rankedInput.shape),
  "/outcomes": Object.keys(networkOutcomesInput.shape),
  "/search": Object.keys(searchAllInput.shape),
  "/stats": Object.keys(networkStatsInput.shape),
  "/verify": ["agent"],
};

const PUBLIC_PAGES = PAGES.filter(({ isOwnerPage, isLive }) => !isOwnerPage && !isLive).map(
  ({ route }) => ({
    pattern: new RegExp(`^${route.replace(/\[\w+\]/g, "[^/]+")}$`),
    parameters: PARAMETERS[route] ?? [],
  }),
);

/**
 * Returns the query parameters that the page at `path` reads, or null if it is not a page that is the
 * same for all signed-out visitors.
 */
export function findPageParameters(path: string): readonly string[] | null {
  return PUBLIC_PAGES.find(({ pattern }) => pattern.test(path))?.parameters ?? null;
}
