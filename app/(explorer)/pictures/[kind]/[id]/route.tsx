import { notFound } from "next/navigation";
import { MAX_AGENTS } from "@/components/compare/series-style";
import { AgentPicture, getAgentPictureKey } from "@/components/social/agent-picture";
import { DisputePicture } from "@/components/social/dispute-picture";
import { ListPicture } from "@/components/social/list-picture";
import { getOutcomePictureKey, OutcomePicture } from "@/components/social/outcome-picture";
import { PICTURE_SIZE } from "@/components/social/picture";
import { capitalize } from "@/components/ui/format";
import { categorySchema } from "@/server/lib/schema";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, resolveOr404, resolveOrNull } from "@/server/pages/page-api";
import { parseWallets } from "@/server/pages/parse-wallets";
import { renderSocialPicture, type SocialPicture } from "@/server/pages/social-picture";

/** Loads what each kind of picture shows. */
const PICTURES: Record<string, (id: string) => Promise<Omit<SocialPicture, "size">>> = {
  agents: async (walletAddress) => {
    const profile = await resolveOr404((await getPageApi()).explorer.wallet({ walletAddress }));
    return {
      key: getAgentPictureKey(profile),
      draw: (hasGlyph) => <AgentPicture profile={profile} hasGlyph={hasGlyph} />,
    };
  },
  outcomes: async (outcomeId) => {
    const api = await getPageApi();
    const outcome = await resolveOr404(api.outcomes.get({ outcomeId }));
    const names = await api.explorer.names(listParties([outcome]));
    return {
      key: getOutcomePictureKey(outcome),
      draw: (hasGlyph) => <OutcomePicture outcome={outcome} names={names} hasGlyph={hasGlyph} />,
    };
  },
  disputes: async (disputeId) => {
    const api = await getPageApi();
    const dispute = await resolveOr404(api.disputes.get({ disputeId }));
    const { contractorAgentAddress, requesterAgentAddress } = dispute;
    const names = await api.explorer.names([contractorAgentAddress, requesterAgentAddress]);
    return {
      key: [disputeId, dispute.phase],
      draw: (hasGlyph) => <DisputePicture dispute={dispute} names={names} hasGlyph={hasGlyph} />,
    };
  },
  leaderboard: async (id) => {
    const category = categorySchema.safeParse(id).data ?? notFound();
    const { explorer } = await getPageApi();
    const { content, outOf } = await explorer.rankedAgents({ category, size: 3 });
    const agents = content.map((row) => ({ ...row, score: row.categoryScore ?? row.score }));
    return {
      key: [category, outOf, agents.map(({ walletAddress, score }) => [walletAddress, score])],
      draw: (hasGlyph) => (
        <ListPicture
          title={`${capitalize(category)} leaderboard`}
          agents={agents}
          footer="Ranked by how likely the next job is to succeed"
          hasGlyph={hasGlyph}
        />
      ),
    };
  },
  compare: async (id) => {
    const { explorer } = await getPageApi();
    const found = await Promise.all(
      parseWallets(id, MAX_AGENTS).map((walletAddress) =>
        resolveOrNull(explorer.wallet({ walletAddress })),
      ),
    );
    const profiles = found.filter((profile) => profile !== null);
    if (profiles.length === 0) notFound();
    const agents = profiles.map(({ agent, reputation, ...profile }) => ({
      ...profile,
      name: agent?.name ?? "",
      score: reputation.score,
      totalOutcomes: reputation.totalOutcomes,
      simulated: agent?.simulated,
    }));
    return {
      key: profiles.map(getAgentPictureKey),
      draw: (hasGlyph) => (
        <ListPicture
          title="Which agent to hire?"
          agents={agents}
          footer="Score and recommendation, side by side"
          hasGlyph={hasGlyph}
        />
      ),
    };
  },
};

interface Props {
  params: Promise<{ kind: string; id: string }>;
}

/** Serves the pictures that links to records and lists are shared with. */
export async function GET(_request: Request, { params }: Props): Promise<Response> {
  const { kind, id } = await params;
  const load = Object.hasOwn(PICTURES, kind) ? PICTURES[kind] : undefined;
  if (!load) notFound();
  return renderSocialPicture({ ...(await load(id)), size: PICTURE_SIZE });
}
