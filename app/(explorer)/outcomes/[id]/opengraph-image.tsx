import { OutcomePicture } from "@/components/social/outcome-picture";
import { PICTURE_SIZE } from "@/components/social/picture";
import { foundOr404, foundOrNull, pageApi } from "@/server/pages/page-api";
import { socialPicture } from "@/server/pages/social-picture";

export const alt = "Verdict and parties of an outcome";
export const size = PICTURE_SIZE;
export const contentType = "image/png";

export default async function Image({ params }: { params: Promise<{ id: string }> }) {
  const api = await pageApi();
  const outcome = await foundOr404(api.outcomes.get({ outcomeId: (await params).id }));
  const [contractor, requester] = await Promise.all(
    [outcome.contractorAgentAddress, outcome.requesterAgentAddress].map((walletAddress) =>
      foundOrNull(api.explorer.profile({ walletAddress })),
    ),
  );
  return socialPicture({
    shows: [outcome, contractor?.name, requester?.name],
    picture: (draws) => (
      <OutcomePicture
        outcome={outcome}
        contractor={contractor?.name}
        requester={requester?.name}
        draws={draws}
      />
    ),
    size,
  });
}
