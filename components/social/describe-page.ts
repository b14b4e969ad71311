import type { Metadata } from "next";
import { getResult, nameResult } from "@/components/outcomes/result";
import { nameParty } from "@/components/site/party-name";
import {
  formatCount,
  formatDay,
  formatScore,
  formatUsdc,
  shortenHex,
  withArticle,
} from "@/components/ui/format";
import type { Names, WalletProfile } from "@/server/explorer/schema";
import { isolateText } from "@/server/lib/bidi";
import { nameJob, nameListedJob } from "@/server/outcomes/job-name";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { TIER_LABELS } from "@/server/reputation/policy";
import { PICTURE_SIZE } from "./picture";

/** What every page says of itself where its link is shared; "./" is the page's own path. */
export const SHARED_METADATA = {
  alternates: { canonical: "./" },
  openGraph: { siteName: "Standing", type: "website", url: "./" },
} satisfies Metadata;

interface Page {
  /** Path of its canonical URL. */
  path: string;
  title: string;
  /** Names what the page is about, since it is also the text of the picture. */
  description: string;
  /** Path of the picture below `/pictures/`, if it is not the page's path. */
  picture?: string;
  /** URLs of the page's other forms, by media type. */
  types?: Record<string, string>;
}

/** Describes a page that has a sharing picture of its own, to search engines and where it is shared. */
export function describePage({ path, title, description, types, picture = path }: Page): Metadata {
  const image = {
    url: `/pictures${picture}`,
    alt: description,
    type: "image/png",
    ...PICTURE_SIZE,
  };
  return {
    title,
    description,
    alternates: { canonical: path, ...(types && { types }) },
    openGraph: { ...SHARED_METADATA.openGraph, url: path, images: [image] },
  };
}

/** Describes an agent in the head of its pages and in embeds. */
export function describeAgentPage(
  profile: Pick<WalletProfile, "agent" | "recommendation" | "reputation" | "walletAddress">,
) {
  const { agent, recommendation, reputation, walletAddress } = profile;
  const { score, tier, totalOutcomes } = reputation;
  const name = agent ? isolateText(agent.name) : shortenHex(walletAddress);
  const facts =
    totalOutcomes === 0
      ? ["no judged job yet"]
      : [
          `score ${formatScore(score)}`,
          TIER_LABELS[tier],
          formatCount(totalOutcomes, "judged job"),
          ...(agent?.simulated ? ["simulated"] : []),
        ];
  return {
    path: `/agents/${walletAddress}`,
    title: name,
    description:
      `${name}: ${facts.join(", ")}. ${totalOutcomes > 0 ? recommendation.summary : ""}`.trim(),
  };
}

/** Describes a job in the head of its page and in embeds. */
export function describeOutcomePage(outcome: PublicOutcome, names: Names) {
  const { contractorAgentAddress, requesterAgentAddress, title, taskCategory } = outcome;
  const [contractor, client] = [contractorAgentAddress, requesterAgentAddress].map((wallet) =>
    nameParty({ walletAddress: wallet, name: names[wallet] }),
  );
  const result = nameResult(getResult(outcome));
  const day = formatDay(outcome.resolvedAt ?? outcome.submittedAt);
  return {
    path: `/outcomes/${outcome.outcomeId}`,
    title: `${title ? isolateText(title) : nameListedJob(taskCategory)} by ${contractor}: ${result}`,
    description: `${contractor} did ${withArticle(nameJob(taskCategory))} for ${client}, ${formatUsdc(outcome.valueUsdc)}: ${result}, ${outcome.resolvedAt ? "recorded on chain on" : "submitted on"} ${day}.`,
  };
}
