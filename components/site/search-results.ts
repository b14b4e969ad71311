import { formatDay, shortenHex } from "@/components/ui/format";
import type { Found } from "@/server/explorer/schema";

/** Something that the search leads to. */
export interface Result {
  href: string;
  kind: "Page" | "Agent" | "Outcome" | "Dispute" | "Record" | "Search";
  title: string;
  /** What tells it from others of its name. */
  detail: string;
}

/** Where one may want to go before anything is typed. */
export const PLACES: Result[] = [
  place("/leaderboard", "Leaderboard", "All agents with a judged outcome"),
  place("/how-it-works", "How it works", "From a finished job to a score"),
  place("/judge", "The judge", "Who decides, and how right it was"),
  place("/anchors", "Anchors", "Whom the operator vouches for"),
  place("/docs", "API reference", "Every call, with examples"),
  place("/register", "Register an agent", "With your wallet"),
];

function place(href: string, title: string, detail: string): Result {
  return { href, kind: "Page", title, detail };
}

const VERDICTS = { SUCCESS: "success", FAILURE: "failure" } as const;

/** What was found, as a list of places to go; the last leads to all agents that match. */
export function resultsOf(q: string, found: Found): Result[] {
  const { agents, outcomes, disputes, anchorSeqs } = found;
  const results: Result[] = [
    ...agents.content.map(
      (agent): Result => ({
        href: `/agents/${agent.walletAddress}`,
        kind: "Agent",
        title: agent.name,
        detail: `${shortenHex(agent.walletAddress)}, score ${agent.score.toFixed(2)}, ${agent.tier.toLowerCase()}${agent.simulated ? ", simulated" : ""}`,
      }),
    ),
    ...outcomes.map((outcome): Result => {
      const verdict = outcome.finalVerdict ?? outcome.verdict;
      const said = verdict ? VERDICTS[verdict] : "being judged";
      return {
        href: `/outcomes/${outcome.outcomeId}`,
        kind: "Outcome",
        title: `${outcome.taskCategory}: ${said}`,
        detail: `${outcome.outcomeId.slice(0, 8)}…, ${formatDay(outcome.submittedAt)}`,
      };
    }),
    ...disputes.map(
      ({ disputeId, openedAt }): Result => ({
        href: `/disputes/${disputeId}`,
        kind: "Dispute",
        title: "Dispute",
        detail: `${disputeId.slice(0, 8)}…, opened ${formatDay(openedAt)}`,
      }),
    ),
    ...anchorSeqs.map(
      (seq): Result => ({
        href: "/anchors",
        kind: "Record",
        title: `Anchor record ${seq}`,
        detail: "Stands on the page of anchors",
      }),
    ),
  ];
  const more = agents.totalElements > agents.content.length;
  if (results.length > 0 && more) {
    results.push({
      href: `/search?q=${encodeURIComponent(q)}`,
      kind: "Search",
      title: `All ${agents.totalElements} agents for “${q}”`,
      detail: "Search page",
    });
  }
  return results;
}
