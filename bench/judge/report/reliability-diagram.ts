import type { Bin } from "@/bench/judge/statistics/metrics";
import { formatPercent } from "@/bench/measure";
import { escapeXml } from "@/server/lib/escape-xml";

const SIDE = 320;
const LEFT = 56;
const TOP = 56;
const WIDTH = LEFT + SIDE + 24;
const HEIGHT = TOP + SIDE + 84;
const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/** Colours for light and dark; viewers without style sheets draw the attributes, for light. */
const STYLE = `text{font:12px system-ui,sans-serif;fill:#1a1c1f}
.title{font-size:14px;font-weight:600}.small{font-size:10px}
.quiet{fill:#5b5f66}.line{stroke:#5b5f66}.bar{fill:#2f45c5}.count{fill:#e2dfd8}
@media (prefers-color-scheme:dark){text{fill:#eceae6}.quiet{fill:#a2a7af}.line{stroke:#a2a7af}
.bar{fill:#9fb0ff}.count{fill:#2b3036}}`;

/**
 * Returns a reliability diagram as an SVG document: per confidence bin a bar with the share of
 * right verdicts, against the diagonal of perfect calibration, and below it the number of cases in
 * the bin. Self-contained: no script, no font, no requests.
 */
export function drawReliability(
  judge: string,
  bins: readonly Bin[],
  calibrationError: number | null,
): string {
  const cases = bins.reduce((sum, { count }) => sum + count, 0);
  const title = `Reliability of ${judge}`;
  const error =
    calibrationError === null ? "" : `, calibration error ${formatPercent(calibrationError)}`;
  const most = Math.max(1, ...bins.map(({ count }) => count));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-labelledby="title desc">
<title id="title">${escapeXml(title)}</title>
<desc id="desc">${escapeXml(describeBins(bins, cases, calibrationError))}</desc>
<style>${STYLE}</style>
<text class="title" x="${LEFT}" y="22">${escapeXml(title)}</text>
<text class="quiet" x="${LEFT}" y="40">${cases} verdicts${error}</text>
${TICKS.map(drawTick).join("\n")}
${bins.map((bin) => drawBar(bin, most)).join("\n")}
<line class="line" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#5b5f66" stroke-dasharray="4 4"/>
<text class="quiet" x="${x(0.5)}" y="${HEIGHT - 8}" text-anchor="middle">Confidence (below: number of verdicts)</text>
<text class="quiet" transform="translate(14 ${y(0.5)}) rotate(-90)" text-anchor="middle">Share of right verdicts</text>
</svg>
`;
}

function drawTick(value: number): string {
  const label = formatPercent(value, 0);
  return `<line class="line" x1="${x(0)}" y1="${y(value)}" x2="${x(1)}" y2="${y(value)}" stroke="#5b5f66" stroke-opacity="0.3"/>
<text class="quiet" x="${x(0) - 8}" y="${y(value) + 4}" text-anchor="end">${label}</text>
<text class="quiet" x="${x(value)}" y="${y(0) + 58}" text-anchor="middle">${label}</text>`;
}

/** Draws the bin's accuracy above the axis and its number of verdicts below it. */
function drawBar({ from, to, count, accuracy }: Bin, most: number): string {
  if (count === 0 || accuracy === null) return "";
  const width = round((to - from) * SIDE - 4);
  const height = round((count / most) * 22);
  const left = round(x(from) + 2);
  const middle = round((x(from) + x(to)) / 2);
  return `<rect class="bar" x="${left}" y="${y(accuracy)}" width="${width}" height="${round(accuracy * SIDE)}" fill="#2f45c5" fill-opacity="0.85"/>
<rect class="count" x="${left}" y="${y(0) + 4}" width="${width}" height="${height}" fill="#e2dfd8"/>
<text class="quiet small" x="${middle}" y="${y(0) + 42}" text-anchor="middle">${count}</text>`;
}

function describeBins(bins: readonly Bin[], cases: number, error: number | null): string {
  const shares = bins.flatMap(({ from, to, count, accuracy }) =>
    accuracy === null
      ? []
      : `confidence ${formatPercent(from, 0)} to ${formatPercent(to, 0)}: ${count} verdicts, ${formatPercent(accuracy)} right`,
  );
  const total = error === null ? "" : ` Expected calibration error ${formatPercent(error)}.`;
  return `Share of right verdicts by confidence, over ${cases} labelled cases. ${shares.join("; ")}.${total}`;
}

const x = (share: number) => round(LEFT + share * SIDE);
const y = (share: number) => round(TOP + (1 - share) * SIDE);
const round = (value: number) => Number(value.toFixed(2));
