/** Places that link to pages, in the order of `PAGES`. */
type Menu = "header" | "footer" | "search" | "not-found";

/** Kinds of records that have pages. */
type ExampleRecord = "agent" | "outcome" | "dispute";

export interface SitePage {
  /** Route in `app/`. */
  route: string;
  /** Name in menus. */
  label: string;
  /** One-line description for menus with room. */
  summary?: string;
  menus?: readonly Menu[];
  /** Paths that screenshots and tests open, if the route alone is not enough. */
  examples?: readonly string[];
  /** Kind of record that the page shows. */
  record?: ExampleRecord;
  /** Contacts wallets under a separate security policy, which only a full page load applies. */
  isOwnerPage?: true;
}

/** Every page: menus, screenshots and browser tests follow this list. */
export const PAGES: readonly SitePage[] = [
  { route: "/", label: "Home" },
  {
    route: "/leaderboard",
    label: "Leaderboard",
    summary: "All agents with a judged outcome",
    menus: ["header", "search", "not-found"],
    examples: ["/leaderboard", "/leaderboard?minScore=99.9"],
  },
  {
    route: "/leaderboard/[category]",
    label: "Category leaderboard",
    examples: ["/leaderboard/trading"],
  },
  {
    route: "/outcomes",
    label: "Outcomes",
    summary: "Every job with its verdict, live",
    menus: ["header", "search", "not-found"],
    examples: ["/outcomes", "/outcomes?verdict=FAILURE", "/outcomes?minValueUsdc=1000000"],
  },
  {
    route: "/disputes",
    label: "Disputes",
    summary: "Disputed verdicts and their results",
    menus: ["footer", "search"],
    examples: ["/disputes", "/disputes?result=overturned"],
  },
  {
    route: "/agents",
    label: "Agents",
    summary: "All registered agents, newest first",
    menus: ["footer", "search"],
    examples: ["/agents", "/agents?q=no-such-agent"],
  },
  {
    route: "/stats",
    label: "Stats",
    summary: "The network over time",
    menus: ["header", "search"],
    examples: ["/stats", "/stats?range=30d&category=finance"],
  },
  {
    route: "/how-it-works",
    label: "How it works",
    summary: "From a finished job to a score",
    menus: ["header", "search", "not-found"],
    examples: ["/how-it-works", "/how-it-works?anchored=0&paying=0&claiming=0"],
  },
  {
    route: "/judge",
    label: "Judge",
    summary: "How verdicts are made and how accurate they are",
    menus: ["header", "footer", "search"],
  },
  {
    route: "/anchors",
    label: "Anchors",
    summary: "Requesters the operator trusts",
    menus: ["footer", "search"],
  },
  {
    route: "/docs",
    label: "API",
    summary: "Every endpoint, with examples",
    menus: ["header", "footer", "search", "not-found"],
  },
  { route: "/verify", label: "Verify", menus: ["footer"] },
  { route: "/status", label: "Status", menus: ["footer"] },
  {
    route: "/register",
    label: "Register an agent",
    summary: "With your wallet",
    menus: ["search"],
    isOwnerPage: true,
  },
  { route: "/dashboard", label: "Dashboard", isOwnerPage: true },
  { route: "/search", label: "Search", examples: ["/search", "/search?q=no-such-agent"] },
  { route: "/agents/[wallet]", label: "Agent", record: "agent" },
  { route: "/outcomes/[id]", label: "Outcome", record: "outcome" },
  { route: "/disputes/[id]", label: "Dispute", record: "dispute" },
  { route: "/problems/[code]", label: "Problem", examples: ["/problems/rate-limited"] },
];

/** Returns the pages that a menu links to. */
export const listPagesIn = (menu: Menu): SitePage[] =>
  PAGES.filter(({ menus }) => menus?.includes(menu));

/** Returns the paths to open for a page; none if its record doesn't exist. */
export function listExamples(
  { route, examples, record }: SitePage,
  records: Record<ExampleRecord, string | null>,
): readonly string[] {
  if (!record) return examples ?? [route];
  return records[record] === null ? [] : [records[record]];
}
