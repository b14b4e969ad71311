import { getOutcomePictureKey, OutcomePicture } from "@/components/social/outcome-picture";
import { PICTURE_SIZE } from "@/components/social/picture";
import { listParties } from "@/server/outcomes/list-parties";
import { getPageApi, resolveOr404 } from "@/server/pages/page-api";
import { renderSocialPicture } from "@/server/pages/social-picture";

export const alt = "Verdict and parties of an outcome";
export const size = PICTURE_SIZE;
export const contentType = "image/png";

export default async function Image({ params }: { params: Promise<{ id: string }> }) {
  const api = await getPageApi();
  const outcome = await resolveOr404(api.outcomes.get({ outcomeId: (await params).id }));
  const names = await api.explorer.names(listParties([outcome]));
  return renderSocialPicture({
    key: getOutcomePictureKey(outcome),
    draw: (hasGlyph) => <OutcomePicture outcome={outcome} names={names} hasGlyph={hasGlyph} />,
    size,
  });
}
