import { notFound } from "next/navigation";
import { MAX_AGENTS } from "@/components/compare/job";
import { getResult } from "@/components/outcomes/result";
import * as contents from "@/components/social/contents";
import {
  type HasGlyph,
  PICTURE_SIZE,
  Picture,
  type PictureContent,
} from "@/components/social/picture";
import { labelCategory } from "@/server/lib/category-name";
import { categorySchema } from "@/server/lib/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, resolveOr404, resolveOrNull } from "@/server/pages/page-api";
import { parseWallets } from "@/server/pages/page-query";
import { renderSocialPicture } from "@/server/pages/social-picture";

interface LoadedPicture {
  key: unknown;
  describe: (hasGlyph: HasGlyph) => PictureContent;
}

type Api = Awaited<ReturnType<typeof getPageApi>>;

/** Loads what each kind of picture shows. */
const PICTURES: Record<string, (api: Api, id: string) => Promise<LoadedPicture>> = {
  agents: async ({ explorer }, walletAddress) => {
    const profile = await resolveOr404(explorer.wallet({ walletAddress }));
    return {
      key: contents.getAgentKey(profile),
      describe: (hasGlyph) => contents.describeAgent(profile, hasGlyph),
    };
  },
  outcomes: async ({ outcomes, explorer }, outcomeId) => {
    const outcome = await resolveOr404(outcomes.get({ outcomeId }));
    const names = await explorer.names(listParties([outcome]));
    return {
      key: [outcomeId, getResult(outcome)],
      describe: (hasGlyph) => contents.describeOutcome(outcome, names, hasGlyph),
    };
  },
  disputes: async ({ disputes, explorer }, disputeId) => {
    const dispute = await resolveOr404(disputes.get({ disputeId }));
    const names = await explorer.names(listParties([dispute]));
    return {
      key: [disputeId, dispute.phase],
      describe: (hasGlyph) => contents.describeDispute(dispute, names, hasGlyph),
    };
  },
  leaderboard: async ({ explorer }, id) => {
    const category = categorySchema.safeParse(id).data ?? notFound();
    const { content } = await explorer.rankedAgents({ category, size: 3 });
    const agents = content.map((row) => ({ ...row, score: row.categoryScore ?? row.score }));
    const headline = `${labelCategory(category)} leaderboard`;
    const note = "Ranked by how likely the next job is to succeed";
    return {
      key: [category, agents.map(({ walletAddress, score }) => [walletAddress, score])],
      describe: (hasGlyph) => contents.describeList({ headline, agents, note }, hasGlyph),
    };
  },
  compare: async ({ explorer }, id) => {
    const found = await Promise.all(
      parseWallets(id, MAX_AGENTS).map((walletAddress) =>
        resolveOrNull(explorer.wallet({ walletAddress })),
      ),
    );
    const profiles = found.filter((profile) => profile !== null);
    if (profiles.length === 0) notFound();
    const agents = profiles.map(({ agent, reputation: { score, totalOutcomes }, ...profile }) => ({
      ...profile,
      name: agent?.name ?? "",
      score,
      totalOutcomes,
      simulated: agent?.simulated,
    }));
    const [headline, note] = ["Which agent to hire?", "Score and recommendation, side by side"];
    return {
      key: profiles.map(contents.getAgentKey),
      describe: (hasGlyph) => contents.describeList({ headline, agents, note }, hasGlyph),
    };
  },
};

/** Serves the pictures that links to records and lists are shared with. */
export async function GET(
  _request: Request,
  { params }: RouteContext<"/pictures/[kind]/[id]">,
): Promise<Response> {
  const { kind, id } = await params;
  const load = Object.hasOwn(PICTURES, kind) ? PICTURES[kind] : undefined;
  if (!load) notFound();
  const { key, describe } = await load(await getPageApi(), id);
  return renderSocialPicture({
    key,
    draw: (hasGlyph) => <Picture {...describe(hasGlyph)} />,
    size: PICTURE_SIZE,
  });
}
