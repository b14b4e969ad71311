import type { LeaderboardRow } from "@/server/explorer/schema";
import { ACCENT, BAD, MUTED, nameAgent, Picture } from "./picture";

interface Props {
  title: string;
  /** At most four. */
  agents: Pick<
    LeaderboardRow,
    "name" | "recommendation" | "score" | "simulated" | "totalOutcomes" | "walletAddress"
  >[];
  footer: string;
  hasGlyph: (letter: number) => boolean;
}

/** Draws the preview of a link to several agents: name, recommendation and score of each. */
export function ListPicture({ title, agents, footer, hasGlyph }: Props) {
  const isSimulated = agents.some(({ simulated }) => simulated);
  return (
    <Picture footer={`${footer}${isSimulated ? " · simulated" : ""}`}>
      <div style={{ display: "flex", flexDirection: "column", gap: 22 }}>
        <span style={{ fontFamily: "Newsreader", fontSize: 60 }}>{title}</span>
        {agents.length === 0 && (
          <span style={{ fontSize: 36, color: MUTED }}>No judged outcomes yet</span>
        )}
        {agents.map(({ walletAddress, name, score, recommendation, totalOutcomes }) => {
          const isStopped = recommendation.action === "do-not-hire";
          return (
            <div key={walletAddress} style={{ display: "flex", alignItems: "baseline" }}>
              <span style={{ fontFamily: "Newsreader", fontSize: 42, width: 560 }}>
                {nameAgent({ wallet: walletAddress, name, maxLength: 26 }, hasGlyph)}
              </span>
              <span style={{ fontSize: 32, width: 340, color: isStopped ? BAD : MUTED }}>
                {recommendation.label}
              </span>
              <span
                style={{
                  fontFamily: "Newsreader",
                  fontSize: 42,
                  marginLeft: "auto",
                  color: isStopped ? BAD : ACCENT,
                }}
              >
                {totalOutcomes === 0 ? "new" : score.toFixed(2)}
              </span>
            </div>
          );
        })}
      </div>
    </Picture>
  );
}
