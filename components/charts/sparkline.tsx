/** In units of the drawing. */
const DAY = 6;
const HEIGHT = 48;
const EDGE = 4;
const WIDTH = 29 * DAY;

/**
 * Returns the path of a line through the known scores, oldest first, around their middle. `span`
 * is the number of score points from the bottom to the top. Empty without a second score.
 */
export function drawSparkline(days: (number | null)[], span: number): string {
  const { min, max } = getRange(days);
  const scale = (HEIGHT - 2 * EDGE) / span;
  const points = days.flatMap((score, day) =>
    score === null
      ? []
      : [{ x: day * DAY, y: Math.round(HEIGHT / 2 - (score - (min + max) / 2) * scale) }],
  );
  if (points.length < 2) return "";
  // A point on a level stretch changes nothing but the size of the page.
  const needed = points.filter(({ y }, n) => y !== points[n - 1]?.y || y !== points[n + 1]?.y);
  return `M${needed.map(({ x, y }) => `${x} ${y}`).join("L")}`;
}

/** Draws a line of `drawSparkline` over 30 days in the color of the text; the text says more. */
export function Sparkline({ path }: { path: string }) {
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="mr-2 h-6 w-14 overflow-visible fill-none stroke-current stroke-3 align-middle max-md:mr-0 max-md:block! max-md:w-16"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** Returns the lowest and the highest known score; both 0 if none is known. */
export function getRange(days: (number | null)[]): { min: number; max: number } {
  const known = days.filter((score) => score !== null);
  if (known.length === 0) return { min: 0, max: 0 };
  return { min: Math.min(...known), max: Math.max(...known) };
}
