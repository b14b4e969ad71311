import { formatFactors, formatScore } from "@/components/ui/format";
import { TIER_STARTS } from "@/server/reputation/policy";

interface Props {
  quality: number;
  confidence: number;
  /** 0 to 100: the filled area in percent. */
  score: number;
}

const SIDE = 200;

/** Draws the score as an area, quality × confidence, with a dashed curve where each tier starts. */
export function ScoreSquare({ quality, confidence, score }: Props) {
  const [high, wide] = formatFactors(quality, confidence, score);
  return (
    <figure>
      <svg
        viewBox="-26 -6 236 236"
        className="w-full max-w-72"
        role="img"
        aria-label={`Score ${formatScore(score)} of 100 as an area: quality ${high} high, confidence ${wide} wide.`}
      >
        <rect width={SIDE} height={SIDE} className="fill-sunken stroke-line" />
        <rect
          y={SIDE * (1 - quality)}
          width={SIDE * confidence}
          height={SIDE * quality}
          className="fill-accent"
        />
        {TIER_STARTS.map(([threshold, name]) => (
          <path
            key={name}
            d={buildTierCurve(threshold / 100)}
            fill="none"
            className="stroke-ink"
            strokeWidth="1"
            strokeDasharray="3 3"
          />
        ))}
        <g className="fill-muted text-[11px]">
          <text x={SIDE / 2} y={SIDE + 18} textAnchor="middle">
            confidence {wide}
          </text>
          <text transform={`translate(-10 ${SIDE / 2}) rotate(-90)`} textAnchor="middle">
            quality {high}
          </text>
        </g>
      </svg>
    </figure>
  );
}

/** Returns the SVG path of all points with quality × confidence = `threshold`. */
function buildTierCurve(threshold: number): string {
  const steps = 24;
  return Array.from({ length: steps + 1 }, (_, n) => {
    const confidence = threshold + ((1 - threshold) * n) / steps;
    return `${n === 0 ? "M" : "L"}${(SIDE * confidence).toFixed(1)} ${(SIDE * (1 - threshold / confidence)).toFixed(1)}`;
  }).join("");
}
