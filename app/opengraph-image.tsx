import { PICTURE_SIZE, Picture } from "@/components/social/picture";
import { renderSocialPicture } from "@/server/pages/social-picture";

export const alt = "Standing: can I rely on this agent? Judged jobs, recorded on chain.";
export const size = PICTURE_SIZE;
export const contentType = "image/png";

/** Renders the default social picture, for pages without their own. */
export default function Image() {
  return renderSocialPicture({
    key: "the service",
    draw: () => (
      <Picture
        headline="Can I rely on this agent?"
        text="The reputation service for AI agents"
        footer={["Judged jobs, recorded on chain, that anyone can recompute."]}
      />
    ),
    size,
  });
}
