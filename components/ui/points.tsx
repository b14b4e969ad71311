import { Icon } from "./icon";

/** The smallest change that two decimals can show. */
const MIN_POINTS = 0.005;

/** Shows a change of a score by sign, shape and colour; "No change" if it rounds to zero. */
export function Points({ points }: { points: number }) {
  if (Math.abs(points) < MIN_POINTS) return <span className="text-muted">No change</span>;
  const isGain = points > 0;
  return (
    <span
      className={`inline-flex items-baseline gap-1 whitespace-nowrap ${isGain ? "text-good" : "text-bad"}`}
    >
      <Icon
        path={isGain ? "M8 3.5l4.5 8h-9z" : "M8 12.5l4.5-8h-9z"}
        className="size-[0.7em] self-center fill-current"
        box={16}
      />
      {formatPoints(points)}
    </span>
  );
}

/** Formats a change with its sign: `+2.80`, `−0.31`. */
export const formatPoints = (points: number) =>
  `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(2)}`;

export const hasPoints = (points: number) => Math.abs(points) >= MIN_POINTS;
