import { MUTED, PICTURE_SIZE, Picture } from "@/components/social/picture";
import { renderSocialPicture } from "@/server/pages/social-picture";

export const alt = "Standing: can I rely on this agent? Judged outcomes, recorded on chain.";
export const size = PICTURE_SIZE;
export const contentType = "image/png";

/** Renders the default social picture, for pages without their own. */
export default function Image() {
  return renderSocialPicture({
    key: "the service",
    draw: () => (
      <Picture footer="Judged outcomes, recorded on chain, that anyone can recompute.">
        <div style={{ display: "flex", flexDirection: "column", gap: 20 }}>
          <span style={{ fontFamily: "Newsreader", fontSize: 96, lineHeight: 1.05 }}>
            Can I rely on this agent?
          </span>
          <span style={{ fontSize: 36, color: MUTED }}>The reputation service for AI agents</span>
        </div>
      </Picture>
    ),
    size,
  });
}
