interface Props {
  quality: number;
  confidence: number;
  /** 0 to 100; what the filled area is. */
  score: number;
  /** Where the picture was explained before. */
  brief?: boolean;
}

const SIDE = 200;
const TIERS = [
  [70, "Trusted"],
  [85, "Verified"],
  [95, "Elite"],
] as const;

/** The score as an area: quality high, confidence wide. The curved lines are where tiers begin. */
export function ScoreSquare({ quality, confidence, score, brief = false }: Props) {
  return (
    <figure>
      <svg
        viewBox="-26 -6 236 236"
        className="w-full max-w-72"
        role="img"
        aria-label={`A square of which ${score.toFixed(2)} in 100 parts are filled: ${percent(quality)} of its height for quality times ${percent(confidence)} of its width for confidence.`}
      >
        <rect width={SIDE} height={SIDE} className="fill-sunken stroke-line" />
        <rect
          y={SIDE * (1 - quality)}
          width={SIDE * confidence}
          height={SIDE * quality}
          className="fill-accent"
        />
        {quality * confidence > 0.15 && (
          <text
            x={(SIDE * confidence) / 2}
            y={SIDE * (1 - quality / 2) + 9}
            textAnchor="middle"
            className="fill-accent-ink font-serif text-[28px] font-semibold"
          >
            {Math.floor(score)}
          </text>
        )}
        {TIERS.map(([least, name]) => (
          <path
            key={name}
            d={boundary(least / 100)}
            fill="none"
            className="stroke-ink"
            strokeWidth="1"
            strokeDasharray="3 3"
          />
        ))}
        <g className="fill-muted text-[11px]">
          <text x={SIDE / 2} y={SIDE + 18} textAnchor="middle">
            confidence {percent(confidence)}
          </text>
          <text transform={`translate(-10 ${SIDE / 2}) rotate(-90)`} textAnchor="middle">
            quality {percent(quality)}
          </text>
        </g>
      </svg>
      {!brief && (
        <figcaption className="mt-1 text-sm text-muted">
          The filled part of the square is the score. The dashed lines are where Trusted (70),
          Verified (85) and Elite (95) begin.
        </figcaption>
      )}
    </figure>
  );
}

/** The points at which quality × confidence is `least`. */
function boundary(least: number): string {
  const steps = 24;
  return Array.from({ length: steps + 1 }, (_, n) => {
    const confidence = least + ((1 - least) * n) / steps;
    return `${n === 0 ? "M" : "L"}${(SIDE * confidence).toFixed(1)} ${(SIDE * (1 - least / confidence)).toFixed(1)}`;
  }).join("");
}

const percent = (fraction: number) => `${Math.round(fraction * 100)}%`;
