import { formatCount, shortenHex } from "@/components/ui/format";
import type { WalletProfile } from "@/server/explorer/schema";
import { TIERS } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";
import { ACCENT, BAD, Bars, INK, MUTED, Picture, toDrawableText } from "./picture";

interface Props {
  profile: Pick<WalletProfile, "agent" | "recommendation" | "reputation" | "walletAddress">;
  /** Whether the fonts have a glyph for a code point. */
  hasGlyph: (letter: number) => boolean;
}

/** Returns what a cached picture is kept by: a new name alone does not draw it again. */
export const getAgentPictureKey = ({
  walletAddress,
  reputation,
  recommendation,
}: Props["profile"]) => [walletAddress, reputation.score, recommendation.label];

/**
 * Draws the preview of a link to an agent: name, score, tier and recommendation. A name with glyphs that the fonts
 * lack is replaced by the address and an explanation.
 */
export function AgentPicture({ profile: { agent, ...profile }, hasGlyph }: Props) {
  const { score, tier, totalOutcomes } = profile.reputation;
  const wallet = shortenHex(profile.walletAddress);
  const name = toDrawableText(agent?.name ?? "", 44, hasGlyph);
  const hasName = name.text !== "" && !name.isIncomplete;
  const subtitle = hasName
    ? wallet
    : agent
      ? "its name uses letters this picture can't show"
      : "not registered";
  const { action, label } = profile.recommendation;
  const isStopped = action === "do-not-hire";
  const outcomes = formatCount(totalOutcomes, "judged outcome");
  return (
    <Picture footer={`${outcomes} · ${subtitle}${agent?.simulated ? " · simulated" : ""}`}>
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "flex-end" }}>
        <div style={{ display: "flex", flexDirection: "column", gap: 24, maxWidth: 620 }}>
          <span style={{ fontFamily: "Newsreader", fontSize: 76, lineHeight: 1.05 }}>
            {hasName ? name.text : wallet}
          </span>
          <span style={{ fontSize: 40, fontWeight: 600, color: isStopped ? BAD : INK }}>
            {label}
          </span>
        </div>
        <div style={{ display: "flex", flexDirection: "column", alignItems: "flex-end" }}>
          <span
            style={{
              fontFamily: "Newsreader",
              fontSize: 150,
              lineHeight: 1,
              color: isStopped ? BAD : ACCENT,
            }}
          >
            {totalOutcomes === 0 ? "new" : score.toFixed(2)}
          </span>
          <div
            style={{ display: "flex", alignItems: "center", gap: 16, fontSize: 40, marginTop: 16 }}
          >
            {!isStopped && <Bars level={TIERS.indexOf(tier)} size={40} />}
            <span style={{ color: MUTED }}>{TIER_LABELS[tier]}</span>
          </div>
        </div>
      </div>
    </Picture>
  );
}
