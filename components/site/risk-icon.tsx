import type { RiskAssessment } from "@/server/explorer/risk/schema";

const SHAPES = {
  danger: {
    fill: "currentColor",
    fillRule: "evenodd",
    d: "M8 1.2 15.4 14.4H.6zM7.1 5.8l.3 4.2h1.2l.3-4.2zM8 11a.9.9 0 1 0 0 1.8.9.9 0 0 0 0-1.8z",
  },
  caution: {
    ...{ fill: "none", stroke: "currentColor", strokeWidth: 1.4 },
    strokeLinejoin: "round",
    d: "M8 1l7 7-7 7-7-7zM8 5v3.6M8 10.4v.6",
  },
} as const;

/** Draws the shape of a risk's severity: a filled triangle for danger, a diamond for caution. */
const RiskIcon = ({ level }: { level: keyof typeof SHAPES }) => (
  <svg
    viewBox="0 0 16 16"
    role="img"
    aria-label={level === "danger" ? "Danger:" : "Caution:"}
    className="inline size-3.5 shrink-0 align-[-0.125rem]"
  >
    <path {...SHAPES[level]} />
  </svg>
);

/** Shows a recommendation, with a color and a shape if there is a warning. */
export function AdviceLabel({ label, level }: { label: string; level: RiskAssessment["level"] }) {
  if (level === "none") return label;
  return (
    <span className={level === "danger" ? "font-medium text-bad" : "text-notice-ink"}>
      <RiskIcon level={level} /> {label}
    </span>
  );
}
