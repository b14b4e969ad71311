/** Places that link to pages, in the order of `PAGES`. */
type Menu = "header" | "search" | "not-found";

/** Columns of the footer. */
export const FOOTER_GROUPS = ["Explore", "Trust", "Build"] as const;

/** Kinds of records that have pages. */
type ExampleRecord = "agent" | "outcome" | "dispute";

interface SitePage {
  /** Route in `app/`. */
  route: string;
  /** Name in menus. */
  label: string;
  /** One-line description for menus with room. */
  summary?: string;
  menus?: readonly Menu[];
  footer?: (typeof FOOTER_GROUPS)[number];
  /** Paths that screenshots and tests open, if the route alone is not enough. */
  examples?: readonly string[];
  /** Kind of record that the page shows. */
  record?: ExampleRecord;
  /** Contacts wallets under a separate security policy, which only a full page load applies. */
  isOwnerPage?: true;
  /** Shows the state at the moment of the request, so it is rendered for each. */
  isLive?: true;
}

/** Every page: menus, screenshots and browser tests follow this list. */
export const PAGES: readonly SitePage[] = [
  { route: "/", label: "Home" },
  {
    route: "/leaderboard",
    footer: "Explore",
    label: "Leaderboard",
    summary: "All agents with a judged job",
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
    footer: "Explore",
    label: "Jobs",
    summary: "Every job with its verdict, live",
    menus: ["header", "search", "not-found"],
    examples: ["/outcomes", "/outcomes?verdict=FAILURE", "/outcomes?minValueUsdc=1000000"],
  },
  {
    route: "/disputes",
    footer: "Explore",
    label: "Disputes",
    summary: "Disputed verdicts and their results",
    menus: ["search"],
    examples: ["/disputes", "/disputes?result=overturned"],
  },
  {
    route: "/agents",
    footer: "Explore",
    label: "Agents",
    summary: "All registered agents, newest first",
    menus: ["search"],
    examples: ["/agents", "/agents?q=no-such-agent"],
  },
  {
    route: "/stats",
    footer: "Explore",
    label: "Stats",
    summary: "The network over time",
    menus: ["header", "search"],
    examples: ["/stats", "/stats?range=30d&category=finance"],
  },
  {
    route: "/how-it-works",
    footer: "Trust",
    label: "How it works",
    summary: "From a finished job to a score",
    menus: ["header", "search", "not-found"],
    examples: ["/how-it-works", "/how-it-works?anchored=0&paying=0&claiming=0"],
  },
  {
    route: "/judge",
    footer: "Trust",
    label: "Judge",
    summary: "How verdicts are made and how accurate they are",
    menus: ["search"],
  },
  {
    route: "/anchors",
    footer: "Trust",
    label: "Known clients",
    summary: "Clients the operator has identified",
    menus: ["search"],
  },
  {
    route: "/compare",
    label: "Compare",
    footer: "Explore",
    summary: "Two to four agents side by side",
    menus: ["search"],
    examples: ["/compare", "/compare?q=no-such-agent"],
  },
  {
    route: "/docs",
    footer: "Build",
    label: "API",
    summary: "Every endpoint, with examples",
    menus: ["header", "search", "not-found"],
  },
  {
    route: "/docs/operations/[id]",
    label: "API operation",
    examples: ["/docs/operations/submit-outcome", "/docs/operations/get-reputation"],
  },
  {
    route: "/verify",
    footer: "Trust",
    label: "Verify",
    summary: "Recompute a score in your browser",
    menus: ["header", "search"],
    examples: ["/verify", "/verify?agent=no-such-agent"],
  },
  { route: "/status", footer: "Build", label: "Status", isLive: true },
  {
    route: "/register",
    footer: "Build",
    label: "Register an agent",
    summary: "With your wallet",
    menus: ["search", "not-found"],
    isOwnerPage: true,
  },
  {
    route: "/agreements/new",
    footer: "Build",
    label: "New agreement",
    summary: "Terms that both sign and code decides",
    menus: ["search"],
    isOwnerPage: true,
  },
  {
    route: "/agreements/[id]",
    label: "Agreement",
    // Signed out, all ids show the same.
    examples: ["/agreements/0197a3f2-6d1c-7c55-8e0d-5a8f3c2b1e70"],
    isOwnerPage: true,
  },
  { route: "/sign-in", label: "Sign in", isOwnerPage: true },
  { route: "/dashboard", label: "Dashboard", isOwnerPage: true },
  { route: "/dashboard/agreements", label: "Your agreements", isOwnerPage: true },
  { route: "/dashboard/outcomes", label: "Your outcomes", isOwnerPage: true },
  { route: "/dashboard/disputes", label: "Your disputes", isOwnerPage: true },
  { route: "/dashboard/keys", label: "API keys", isOwnerPage: true },
  { route: "/dashboard/alerts", label: "Alerts", isOwnerPage: true },
  { route: "/dashboard/webhooks", label: "Webhooks", isOwnerPage: true },
  { route: "/dashboard/profile", label: "Edit profile", isOwnerPage: true },
  { route: "/email", label: "E-mail alerts", isLive: true },
  { route: "/search", label: "Search", examples: ["/search", "/search?q=no-such-agent"] },
  { route: "/agents/[wallet]", label: "Agent", record: "agent" },
  { route: "/agents/[wallet]/jobs", label: "Jobs of an agent", record: "agent" },
  { route: "/agents/[wallet]/clients", label: "Clients of an agent", record: "agent" },
  { route: "/agents/[wallet]/score", label: "Score of an agent", record: "agent" },
  { route: "/agents/[wallet]/verify", label: "Verify an agent", record: "agent" },
  { route: "/outcomes/[id]", label: "Job", record: "outcome" },
  { route: "/disputes/[id]", label: "Dispute", record: "dispute" },
  { route: "/problems/[code]", label: "Problem", examples: ["/problems/rate-limited"] },
];

/** Returns the pages that a menu links to. */
export const listPagesIn = (menu: Menu): SitePage[] =>
  PAGES.filter(({ menus }) => menus?.includes(menu));

/** Returns the pages in a column of the footer. */
export const listFooterPages = (group: (typeof FOOTER_GROUPS)[number]): SitePage[] =>
  PAGES.filter(({ footer }) => footer === group);

/** Returns the paths to open for a page; none if its record doesn't exist. */
export function listExamples(
  { route, examples, record }: SitePage,
  records: Record<ExampleRecord, string | null>,
): readonly string[] {
  if (!record) return examples ?? [route];
  const tab = route.slice(route.indexOf("]") + 1);
  return records[record] === null ? [] : [records[record] + tab];
}
