import { isolateText } from "@/server/lib/bidi";
import { escapeXml } from "@/server/lib/escape-xml";
import type { Tier } from "@/server/lib/schema";
import { TIER_LABELS } from "@/server/reputation/policy";
import type { Recommendation } from "./risk/schema";

/** What a badge shows of an agent's profile. */
export interface BadgeFacts {
  name: string;
  reputation: { tier: Tier; score: number };
  /** What to do about it; replaces the tier's bars if that is not to hire it. */
  recommendation: Pick<Recommendation, "action" | "label">;
  simulated?: boolean | undefined;
}

const HEIGHT = 24;
const LETTER_WIDTH = 6.7;
const LEFT = 84;
const LEVELS: Record<Tier, number> = {
  UNRANKED: 0,
  NEWCOMER: 1,
  TRUSTED: 2,
  VERIFIED: 3,
  ELITE: 4,
};

/**
 * Renders an SVG with the agent's tier (bars and word) and score; null if no agent is registered. It draws its own backgrounds, so
 * it is legible on light and dark pages, and it loads no fonts.
 */
export function renderBadge(facts: BadgeFacts | null): string {
  const text = facts ? describeAgent(facts) : "not registered";
  const label = facts
    ? `${isolateText(facts.name)}: ${text} on Standing`
    : "Not registered on Standing";
  const textWidth = Math.round(text.length * LETTER_WIDTH);
  const textX = LEFT + (facts ? 30 : 10);
  const width = textX + textWidth + 10;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${escapeXml(label)}"><title>${escapeXml(label)}</title><rect x="0.5" y="0.5" width="${width - 1}" height="${HEIGHT - 1}" rx="5" fill="#fbfaf8" stroke="#5b5f66"/><path d="M5.5 .5H${LEFT}v${HEIGHT - 1}H5.5a5 5 0 0 1-5-5v-${HEIGHT - 11}a5 5 0 0 1 5-5z" fill="#1a1c1f"/><g fill="#ffffff">${renderWordmark()}</g><g font-family="system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif" font-size="12" font-weight="600"><text x="26" y="16.2" fill="#ffffff" textLength="50" lengthAdjust="spacingAndGlyphs">Standing</text><text x="${textX}" y="16.2" fill="#1a1c1f" textLength="${textWidth}" lengthAdjust="spacingAndGlyphs">${escapeXml(text)}</text></g>${!facts ? "" : isStopped(facts) ? STOP_SIGN : renderBars(LEVELS[facts.reputation.tier])}</svg>`;
}

const isStopped = ({ recommendation }: BadgeFacts) => recommendation.action === "do-not-hire";

/**
 * Returns `Trusted 76.21`, with the recommendation if it is not to hire the agent, and marked if
 * simulated. An agent without outcomes has no score to show.
 */
function describeAgent(facts: BadgeFacts): string {
  const { recommendation, simulated } = facts;
  const { tier, score } = facts.reputation;
  const word = TIER_LABELS[tier];
  return [
    tier === "UNRANKED" ? word : `${word} ${score.toFixed(2)}`,
    ...(isStopped(facts) ? [recommendation.label.toLowerCase()] : []),
    ...(simulated ? ["simulated"] : []),
  ].join(", ");
}

function renderWordmark(): string {
  return [0, 1, 2, 3]
    .map(
      (n) =>
        `<rect x="${(8 + n * 3.4).toFixed(1)}" y="${(14 - n * 2.6).toFixed(1)}" width="2.2" height="${(4 + n * 2.6).toFixed(1)}"/>`,
    )
    .join("");
}

/** A triangle in place of the bars. */
const STOP_SIGN = `<path d="M${LEFT + 17} 5l8.2 14h-16.4z" fill="#a3331f"/><path d="M${LEFT + 17} 10v4.4M${LEFT + 17} 16v1" stroke="#ffffff" stroke-width="1.5"/>`;

/** Draws four rising bars; `level` of them are filled. */
function renderBars(level: number): string {
  return [0, 1, 2, 3]
    .map((n) => {
      const [fill, stroke] = n < level ? ["#2f45c5", "#2f45c5"] : ["none", "#5b5f66"];
      return `<rect x="${(LEFT + 8 + n * 4.6).toFixed(1)}" y="${(14 - n * 2.7).toFixed(1)}" width="3.2" height="${(4 + n * 2.7).toFixed(1)}" rx="0.6" fill="${fill}" stroke="${stroke}" stroke-width="0.9"/>`;
    })
    .join("");
}
