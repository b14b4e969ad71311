import type { Tier } from "@/server/lib/schema";

const LEVELS: Record<Tier, { level: number; word: string; meaning: string }> = {
  UNRANKED: { level: 0, word: "Unranked", meaning: "no outcomes yet" },
  NEWCOMER: { level: 1, word: "Newcomer", meaning: "building a track record" },
  TRUSTED: { level: 2, word: "Trusted", meaning: "consistent delivery, score 70 or more" },
  VERIFIED: { level: 3, word: "Verified", meaning: "high volume and quality, score 85 or more" },
  ELITE: { level: 4, word: "Elite", meaning: "top performer, score 95 or more" },
};

/** A tier by shape and word: as many of four rising bars are filled as it stands high. */
export function TierMark({ tier, large = false }: { tier: Tier; large?: boolean }) {
  const { level, word, meaning } = LEVELS[tier];
  return (
    <span
      className="inline-flex items-baseline gap-1.5 whitespace-nowrap"
      title={`${word}: ${meaning}`}
    >
      <svg
        viewBox="0 0 20 16"
        className={`shrink-0 ${large ? "h-5.5 w-7" : "h-3.5 w-4.5"}`}
        aria-hidden="true"
      >
        {[0, 1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={bar * 5 + 0.5}
            y={11.5 - bar * 3.6}
            width="3.6"
            height={4 + bar * 3.6}
            rx="0.6"
            strokeWidth="0.9"
            className={
              bar < level ? "fill-accent stroke-accent" : "fill-transparent stroke-muted opacity-70"
            }
          />
        ))}
      </svg>
      <span className={large ? "text-xl font-medium" : "text-sm"}>{word}</span>
    </span>
  );
}
