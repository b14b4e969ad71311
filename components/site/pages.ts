/** Columns of the footer. */
export const FOOTER_GROUPS = ["Explore", "Trust", "Build"] as const;

interface SitePage {
  /** Route in `app/`. */
  route: string;
  /** Name in menus. */
  label: string;
  footer?: (typeof FOOTER_GROUPS)[number];
  /** One-line description of a page that the search lists. */
  summary?: string;
  /** Contacts wallets under a separate security policy, which only a full page load applies. */
  isOwnerPage?: true;
  /** Shows the state at the moment of the request, so it is rendered for each. */
  isLive?: true;
}

const OWNER = { isOwnerPage: true } as const;

/** Pages that the footer and the search link to, in this order. */
const LINKED = (
  [
    ["/leaderboard", "Leaderboard", "Explore", "All agents with a judged job"],
    ["/outcomes", "Jobs", "Explore", "Every job with its verdict, live"],
    ["/disputes", "Disputes", "Explore", "Disputed verdicts and their results"],
    ["/search", "All agents", "Explore", "Every registered agent, by score"],
    ["/stats", "Stats", "Explore", "The network over time"],
    ["/how-it-works", "How it works", "Trust", "From a finished job to a score"],
    ["/judge", "Judge", "Trust", "How verdicts are made and how accurate they are"],
    ["/anchors", "Known clients", "Trust", "Clients the operator has identified"],
    ["/compare", "Compare", "Explore", "Two to four agents side by side"],
    ["/docs", "API", "Build", "Every endpoint, with examples"],
    ["/verify", "Verify", "Trust", "Recompute a score in your browser"],
    ["/register", "Register an agent", "Build", "With your wallet", OWNER],
    ["/agreements/new", "New agreement", "Build", "Terms that both sign and code decides", OWNER],
  ] as const
).map(([route, label, footer, summary, more]) => ({ route, label, footer, summary, ...more }));

/** Every page: menus, screenshots and browser tests follow this list. */
export const PAGES: readonly SitePage[] = [
  ...LINKED,
  { route: "/", label: "Home" },
  { route: "/status", label: "Status", footer: "Build", isLive: true },
  { route: "/leaderboard/[category]", label: "Category leaderboard" },
  { route: "/docs/operations/[id]", label: "API operation" },
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
  { route: "/agents/[wallet]", label: "Agent" },
  { route: "/agents/[wallet]/jobs", label: "Jobs of an agent" },
  { route: "/agents/[wallet]/clients", label: "Clients of an agent" },
  { route: "/agents/[wallet]/score", label: "Score of an agent" },
  { route: "/agents/[wallet]/verify", label: "Verify an agent" },
  { route: "/outcomes/[id]", label: "Job" },
  { route: "/disputes/[id]", label: "Dispute" },
  { route: "/problems/[code]", label: "Problem" },
];

/** Routes in other places that link to pages. */
const MENUS = {
  header: ["/leaderboard", "/outcomes", "/stats", "/how-it-works", "/docs", "/verify"],
  "not-found": ["/leaderboard", "/outcomes", "/how-it-works", "/docs", "/register"],
};

/** Returns the pages that a menu links to. */
export const listPagesIn = (menu: keyof typeof MENUS | "search"): SitePage[] =>
  PAGES.filter(({ route, summary }) => (menu === "search" ? summary : MENUS[menu].includes(route)));

/** Returns the pages in a column of the footer. */
export const listFooterPages = (group: (typeof FOOTER_GROUPS)[number]): SitePage[] =>
  PAGES.filter(({ footer }) => footer === group);
