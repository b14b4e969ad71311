/** Places that link to pages, in the order of `PAGES`. */
type Menu = "header" | "search" | "not-found";

/** Columns of the footer. */
export const FOOTER_GROUPS = ["Explore", "Trust", "Build"] as const;

interface SitePage {
  /** Route in `app/`. */
  route: string;
  /** Name in menus. */
  label: string;
  /** One-line description for menus with room. */
  summary?: string;
  menus?: readonly Menu[];
  footer?: (typeof FOOTER_GROUPS)[number];
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
  },
  { route: "/leaderboard/[category]", label: "Category leaderboard" },
  {
    route: "/outcomes",
    footer: "Explore",
    label: "Jobs",
    summary: "Every job with its verdict, live",
    menus: ["header", "search", "not-found"],
  },
  {
    route: "/disputes",
    footer: "Explore",
    label: "Disputes",
    summary: "Disputed verdicts and their results",
    menus: ["search"],
  },
  {
    route: "/agents",
    footer: "Explore",
    label: "Agents",
    summary: "All registered agents, newest first",
    menus: ["search"],
  },
  {
    route: "/stats",
    footer: "Explore",
    label: "Stats",
    summary: "The network over time",
    menus: ["header", "search"],
  },
  {
    route: "/how-it-works",
    footer: "Trust",
    label: "How it works",
    summary: "From a finished job to a score",
    menus: ["header", "search", "not-found"],
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
  },
  {
    route: "/docs",
    footer: "Build",
    label: "API",
    summary: "Every endpoint, with examples",
    menus: ["header", "search", "not-found"],
  },
  { route: "/docs/operations/[id]", label: "API operation" },
  {
    route: "/verify",
    footer: "Trust",
    label: "Verify",
    summary: "Recompute a score in your browser",
    menus: ["header", "search"],
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
  { route: "/agreements/[id]", label: "Agreement", isOwnerPage: true },
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
  { route: "/search", label: "Search" },
  { route: "/agents/[wallet]", label: "Agent" },
  { route: "/agents/[wallet]/jobs", label: "Jobs of an agent" },
  { route: "/agents/[wallet]/clients", label: "Clients of an agent" },
  { route: "/agents/[wallet]/score", label: "Score of an agent" },
  { route: "/agents/[wallet]/verify", label: "Verify an agent" },
  { route: "/outcomes/[id]", label: "Job" },
  { route: "/disputes/[id]", label: "Dispute" },
  { route: "/problems/[code]", label: "Problem" },
];

/** Returns the pages that a menu links to. */
export const listPagesIn = (menu: Menu): SitePage[] =>
  PAGES.filter(({ menus }) => menus?.includes(menu));

/** Returns the pages in a column of the footer. */
export const listFooterPages = (group: (typeof FOOTER_GROUPS)[number]): SitePage[] =>
  PAGES.filter(({ footer }) => footer === group);
