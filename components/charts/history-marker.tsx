import type { ReactNode } from "react";
import { formatDateTime } from "@/components/ui/format";

export type MarkedCause = "outcome" | "dispute" | "refund" | "anchor" | "takeover";

/** What moved a score, by shape and word. */
export const MARKERS: { cause: MarkedCause; word: string; sign: ReactNode }[] = [
  { cause: "outcome", word: "Outcome", sign: <circle r="3" className="fill-accent" /> },
  {
    cause: "dispute",
    word: "Dispute decided",
    sign: <path d="M0-5.5L5.5 0 0 5.5-5.5 0z" className="fill-bad" />,
  },
  {
    cause: "refund",
    word: "Payment returned",
    sign: <path d="M-5-5L0 0-5 5M0-5L5 0 0 5" className="fill-none stroke-ink stroke-2" />,
  },
  {
    cause: "anchor",
    word: "Anchor",
    sign: <path d="M0-5.5L5 4.5H-5z" className="fill-good" />,
  },
  {
    cause: "takeover",
    word: "Takeover",
    sign: <rect x="-4" y="-4" width="8" height="8" className="fill-ink" />,
  },
];

interface Props {
  point: { at: string; score: number; cause: string };
  /** In percent of the chart. */
  left: number;
  top: number;
}

/** One event on the line; days alone bear no sign. */
export function HistoryMarker({ point, left, top }: Props) {
  const marker = MARKERS.find(({ cause }) => cause === point.cause);
  if (!marker) return null;
  return (
    <svg
      viewBox="-6 -6 12 12"
      className="absolute size-3 -translate-1/2"
      style={{ left: `${left}%`, top: `${top}%` }}
    >
      <title>{`${marker.word}, ${formatDateTime(point.at)}: ${point.score.toFixed(2)}`}</title>
      {marker.sign}
    </svg>
  );
}
