/** Paths of records' pages; null if there is no such record. */
export type ExampleRecords = Record<"agent" | "outcome" | "dispute", string | null>;

/** Paths to open for a route, if the route alone is not enough. */
const EXAMPLES: Record<string, readonly string[]> = {
  "/leaderboard": ["/leaderboard", "/leaderboard?valueUsdc=1000000"],
  "/leaderboard/[category]": ["/leaderboard/trading"],
  "/outcomes": ["/outcomes", "/outcomes?verdict=FAILURE", "/outcomes?minValueUsdc=1000000"],
  "/disputes": ["/disputes", "/disputes?result=overturned"],
  "/stats": ["/stats", "/stats?range=30d&category=finance"],
  "/compare": ["/compare", "/compare?q=no-such-agent"],
  "/docs/operations/[id]": ["/docs/operations/submit-outcome", "/docs/operations/get-reputation"],
  "/verify": ["/verify", "/verify?agent=no-such-agent"],
  // Signed out, all ids show the same.
  "/agreements/[id]": ["/agreements/0197a3f2-6d1c-7c55-8e0d-5a8f3c2b1e70"],
  "/search": ["/search", "/search?q=no-such-agent"],
  "/problems/[code]": ["/problems/rate-limited"],
};

/** Returns the paths that screenshots and tests open for a route; none if its record doesn't exist. */
export function listExamples(route: string, records: ExampleRecords): readonly string[] {
  const known = EXAMPLES[route];
  if (known) return known;
  const [, kind] = /^\/(agent|outcome|dispute)s\/\[/.exec(route) ?? [];
  if (!kind) return [route];
  const path = records[kind as keyof ExampleRecords];
  return path === null ? [] : [path + route.slice(route.indexOf("]") + 1)];
}
