import { shortenHex } from "@/components/ui/format";
import type { AgentProfile } from "@/server/explorer/schema";
import { TIERS } from "@/server/lib/schema";
import { ACCENT, Bars, drawable, MUTED, Picture } from "./picture";

/** An agent's name, score and tier, as other sites show a link to its page. */
export function AgentPicture({ profile }: { profile: AgentProfile }) {
  const { score, tier, totalOutcomes } = profile.reputation;
  const word = `${tier[0]}${tier.slice(1).toLowerCase()}`;
  const wallet = shortenHex(profile.walletAddress);
  return (
    <Picture foot={`${totalOutcomes} judged outcomes · ${wallet}`}>
      <div style={{ display: "flex", justifyContent: "space-between", alignItems: "flex-end" }}>
        <span style={{ fontFamily: "Newsreader", fontSize: 76, lineHeight: 1.05, maxWidth: 620 }}>
          {drawable(profile.name, 44) || wallet}
        </span>
        <div style={{ display: "flex", flexDirection: "column", alignItems: "flex-end" }}>
          <span style={{ fontFamily: "Newsreader", fontSize: 150, lineHeight: 1, color: ACCENT }}>
            {totalOutcomes === 0 ? "new" : score.toFixed(2)}
          </span>
          <div
            style={{ display: "flex", alignItems: "center", gap: 16, fontSize: 40, marginTop: 16 }}
          >
            <Bars level={TIERS.indexOf(tier)} size={40} />
            <span style={{ color: MUTED }}>{word}</span>
          </div>
        </div>
      </div>
    </Picture>
  );
}
