import { AgentPicture, getAgentPictureKey } from "@/components/social/agent-picture";
import { PICTURE_SIZE } from "@/components/social/picture";
import { getPageApi, resolveOr404 } from "@/server/pages/page-api";
import { renderSocialPicture } from "@/server/pages/social-picture";

export const alt = "Name, score and tier of an agent, and whether to hire it";
export const size = PICTURE_SIZE;
export const contentType = "image/png";

export default async function Image({ params }: { params: Promise<{ wallet: string }> }) {
  const walletAddress = (await params).wallet;
  const profile = await resolveOr404((await getPageApi()).explorer.wallet({ walletAddress }));
  return renderSocialPicture({
    key: getAgentPictureKey(profile),
    draw: (hasGlyph) => <AgentPicture profile={profile} hasGlyph={hasGlyph} />,
    size,
  });
}
