import { type Advice, summarizeAdvice } from "@/components/agents/advice";
import { buildLeaderboardUrl, describeJob, type Job } from "@/components/compare/job";
import { getResult, nameResult } from "@/components/outcomes/result";
import { capitalizeFirst, formatDay, shortenHex } from "@/components/ui/format";
import type { LeaderboardRow, SearchResults } from "@/server/explorer/agent-list/schema";
import { isolateText } from "@/server/lib/bidi";
import { buildUrl } from "@/server/lib/build-url";
import { CATEGORY_NAMES } from "@/server/lib/category-name";
import { nameListedJob } from "@/server/outcomes/job-name";
import { listPagesIn } from "./pages";

/** A search hit. */
export interface SearchHit {
  href: string;
  kind: "Page" | "Category" | "Agent" | "Wallet" | "Job" | "Dispute" | "Record" | "Search";
  title: string;
  /** Distinguishes it from hits with the same title. */
  detail: string;
  score?: string;
  /** Of an agent. */
  advice?: Advice;
}

/** Shown before anything is typed: kinds of work, then pages. */
export const SUGGESTIONS: SearchHit[] = [
  ...Object.entries(CATEGORY_NAMES).map(([category, name]) => ({
    href: `/leaderboard/${category}`,
    kind: "Category" as const,
    title: capitalizeFirst(name),
    detail: "",
  })),
  ...listPagesIn("search").map(({ route: href, label: title, summary: detail = "" }) => ({
    href,
    kind: "Page" as const,
    title,
    detail,
  })),
];

/** Most agents suggested for each job that a search names. */
const MAX_BEST = 3;

/** Lists search results as hits; the last one links to all matching agents. */
export function listSearchHits(q: string, results: SearchResults): SearchHit[] {
  const { jobs, valueUsdc, text, agents, outcomes, disputes, anchorSeqs } = results;
  const wallet = agents.content.length === 0 ? findWallet(q, results) : null;
  const best = jobs.flatMap(({ category, best }) => {
    const job = { valueUsdc, category };
    const subject = describeJob(job);
    return [
      {
        href: buildLeaderboardUrl(job),
        kind: category ? ("Category" as const) : ("Search" as const),
        title: capitalizeFirst(subject),
        detail: category ? "Agents ranked by their jobs in this category" : "Leaderboard",
      },
      ...best.slice(0, MAX_BEST).map((agent) => describeAgent(agent, job, `for ${subject}`)),
    ];
  });
  const named = jobs.flatMap(({ best }) => best.slice(0, MAX_BEST));
  const others = agents.content
    // A search for a kind of work is for those who did some.
    .filter(({ totalOutcomes }) => jobs.length === 0 || totalOutcomes > 0)
    .filter((agent) => !named.some(({ agentId }) => agentId === agent.agentId))
    .map((agent) => describeAgent(agent, { valueUsdc }, agent.match && isolateText(agent.match)));
  const hits: SearchHit[] = [
    ...best,
    ...others,
    ...(wallet ? [describeWallet(wallet)] : []),
    ...outcomes.map((outcome) => ({
      href: `/outcomes/${outcome.outcomeId}`,
      kind: "Job" as const,
      title: outcome.title ?? nameListedJob(outcome.taskCategory),
      detail: `${capitalizeFirst(nameResult(getResult(outcome)))}, ${formatDay(outcome.submittedAt)}, ${outcome.outcomeId.slice(0, 8)}…`,
    })),
    ...disputes.map(({ disputeId, openedAt }) => ({
      href: `/disputes/${disputeId}`,
      kind: "Dispute" as const,
      title: "Dispute",
      detail: `${disputeId.slice(0, 8)}…, opened ${formatDay(openedAt)}`,
    })),
    ...anchorSeqs.map((seq) => ({
      href: "/anchors",
      kind: "Record" as const,
      title: `Record ${seq} of known clients`,
      detail: "Listed among the known clients",
    })),
  ];
  if (hits.length === 0 || agents.totalElements <= agents.content.length) return hits;
  const title = `${agents.isMore ? "More than" : "All"} ${agents.totalElements} agents for “${text}”`;
  const href = `/search?q=${encodeURIComponent(q)}`;
  return [...hits, { href, kind: "Search", title, detail: "Search page" }];
}

function describeAgent(agent: LeaderboardRow, job: Job, detail: string | undefined): SearchHit {
  const { walletAddress, name, tier, score, categoryScore = score } = agent;
  return {
    href: buildUrl(`/agents/${walletAddress}`, { ...job }),
    kind: "Agent",
    title: name,
    detail: detail ?? `${shortenHex(walletAddress)}, ${tier.toLowerCase()}`,
    score: agent.totalOutcomes > 0 ? categoryScore.toFixed(2) : "",
    advice: summarizeAdvice(agent.recommendation, agent.risk, score),
  };
}

const describeWallet = (wallet: string): SearchHit => ({
  href: `/agents/${wallet}`,
  kind: "Wallet",
  title: "Unregistered wallet",
  detail: `${shortenHex(wallet)}, not registered`,
});

/**
 * Returns the page of the only record with exactly this wallet address, outcome or dispute ID or
 * transaction hash. Null if the term is anything else, or if a transaction has several records.
 */
export function findExactPage(q: string, results: SearchResults): string | null {
  const wallet = findWallet(q, results);
  if (wallet) return `/agents/${wallet}`;
  if (!IDENTIFIER.test(q)) return null;
  const { outcomes, totalOutcomes, disputes, anchorSeqs } = results;
  if (totalOutcomes + disputes.length + anchorSeqs.length !== 1) return null;
  if (outcomes[0]) return `/outcomes/${outcomes[0].outcomeId}`;
  return disputes[0] ? `/disputes/${disputes[0].disputeId}` : "/anchors";
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
/** A transaction hash or an ID. */
const IDENTIFIER = /^(0x[0-9a-f]{64}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** Returns the wallet with this address, registered or a party of a found outcome. */
function findWallet(q: string, { agents, outcomes }: SearchResults): string | null {
  if (!ADDRESS.test(q)) return null;
  const wallets = [
    ...agents.content.map(({ walletAddress }) => walletAddress),
    ...outcomes.flatMap((outcome) => [
      outcome.contractorAgentAddress,
      outcome.requesterAgentAddress,
    ]),
  ];
  return wallets.find((wallet) => wallet.toLowerCase() === q.toLowerCase()) ?? null;
}
