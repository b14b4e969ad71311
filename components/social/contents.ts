import { describeState } from "@/components/disputes/describe-dispute";
import { getResult, RESULTS } from "@/components/outcomes/result";
import {
  capitalizeFirst,
  formatCount,
  formatScore,
  formatUsdc,
  shortenHex,
  withArticle,
} from "@/components/ui/format";
import type { Dispute } from "@/server/disputes/schema";
import type { LeaderboardRow } from "@/server/explorer/agent-list/schema";
import type { Names, WalletProfile } from "@/server/explorer/schema";
import { nameCategory } from "@/server/lib/category-name";
import { nameJob } from "@/server/outcomes/job-name";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { type HasGlyph, nameAgent, type PictureContent, toDrawableText } from "./picture";

type Profile = Pick<WalletProfile, "agent" | "recommendation" | "reputation" | "walletAddress">;

/** Returns what a cached picture is kept by: a new name alone does not draw it again. */
export const getAgentKey = ({ walletAddress, reputation, recommendation }: Profile) => [
  walletAddress,
  reputation.score,
  recommendation.label,
];

const formatAgentScore = (score: number, outcomes: number) =>
  outcomes === 0 ? "new" : formatScore(score);

/**
 * Describes the picture of an agent. A name with glyphs that the fonts lack is replaced by the address
 * and an explanation.
 */
export function describeAgent(profile: Profile, hasGlyph: HasGlyph): PictureContent {
  const { agent, recommendation, reputation } = profile;
  const { score, tier, totalOutcomes } = reputation;
  const wallet = shortenHex(profile.walletAddress);
  const { text: name, isIncomplete } = toDrawableText(agent?.name ?? "", 44, hasGlyph);
  const hasName = name !== "" && !isIncomplete;
  const unnamed = agent ? "its name uses letters this picture can't show" : "not registered";
  return {
    headline: hasName ? name : wallet,
    text: recommendation.label,
    figure: { value: formatAgentScore(score, totalOutcomes), tier },
    isBad: recommendation.action === "do-not-hire",
    footer: [
      formatCount(totalOutcomes, "judged job"),
      hasName ? wallet : unnamed,
      agent?.simulated && "simulated",
    ],
  };
}

type Parties = Pick<PublicOutcome, "contractorAgentAddress" | "requesterAgentAddress">;

const describeParties = (
  { contractorAgentAddress: contractor, requesterAgentAddress: client }: Parties,
  names: Names,
  hasGlyph: HasGlyph,
) =>
  `${nameAgent(contractor, names[contractor], hasGlyph)} worked for ${nameAgent(client, names[client], hasGlyph)}`;

export function describeOutcome(
  outcome: PublicOutcome,
  names: Names,
  hasGlyph: HasGlyph,
): PictureContent {
  const result = getResult(outcome);
  return {
    headline: result ? RESULTS[result][0] : "Being judged",
    verdict: result === "SUCCESS" || result === "FAILURE" ? result : undefined,
    text: describeParties(outcome, names, hasGlyph),
    footer: [
      nameCategory(outcome.taskCategory),
      formatUsdc(outcome.valueUsdc),
      outcome.finalVerdict && "recorded on chain",
      outcome.simulated && "simulated",
    ],
  };
}

export const describeDispute = (
  dispute: Dispute,
  names: Names,
  hasGlyph: HasGlyph,
): PictureContent => ({
  headline: capitalizeFirst(describeState(dispute)),
  text: describeParties(dispute, names, hasGlyph),
  footer: [
    `Dispute about ${withArticle(nameJob(dispute.taskCategory))}`,
    `stake ${formatUsdc(Number(dispute.stakeUsdc))}`,
    dispute.simulated && "simulated",
  ],
});

type Ranked = Pick<
  LeaderboardRow,
  "name" | "recommendation" | "score" | "simulated" | "totalOutcomes" | "walletAddress"
>;

/** Describes the picture of several agents: name, recommendation and score of each. */
export const describeList = (
  { headline, agents, note }: { headline: string; agents: Ranked[]; note: string },
  hasGlyph: HasGlyph,
): PictureContent => ({
  headline,
  ...(agents.length === 0 && { text: "No judged jobs yet" }),
  rows: agents.map(({ walletAddress, name, recommendation: { label, action }, ...agent }) => ({
    wallet: walletAddress,
    name: nameAgent(walletAddress, name, hasGlyph),
    note: label,
    value: formatAgentScore(agent.score, agent.totalOutcomes),
    isBad: action === "do-not-hire",
  })),
  footer: [note, agents.some(({ simulated }) => simulated) && "simulated"],
});
