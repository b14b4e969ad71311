import type { ReactNode } from "react";
import { formatDateTime } from "@/components/ui/format";

export type MarkedCause = "outcome" | "dispute" | "refund" | "anchor" | "takeover";

/** Shape and label of each cause of a score change. */
export const MARKERS: { cause: MarkedCause; label: string; shape: ReactNode }[] = [
  { cause: "outcome", label: "Outcome", shape: <circle r="3" className="fill-accent" /> },
  {
    cause: "dispute",
    label: "Dispute resolved",
    shape: <path d="M0-5.5L5.5 0 0 5.5-5.5 0z" className="fill-bad" />,
  },
  {
    cause: "refund",
    label: "Refund",
    shape: <path d="M-5-5L0 0-5 5M0-5L5 0 0 5" className="fill-none stroke-ink stroke-2" />,
  },
  {
    cause: "anchor",
    label: "Anchor",
    shape: <path d="M0-5.5L5 4.5H-5z" className="fill-good" />,
  },
  {
    cause: "takeover",
    label: "Takeover",
    shape: <rect x="-4" y="-4" width="8" height="8" className="fill-ink" />,
  },
];

interface Props {
  point: { at: string; score: number; cause: string };
  /** Percent of the chart's width and height. */
  left: number;
  top: number;
}

/** Marks one event on the line. Day rollovers have no marker. */
export function HistoryMarker({ point, left, top }: Props) {
  const marker = MARKERS.find(({ cause }) => cause === point.cause);
  if (!marker) return null;
  return (
    <svg
      viewBox="-6 -6 12 12"
      className="absolute size-3 -translate-1/2"
      style={{ left: `${left}%`, top: `${top}%` }}
    >
      <title>{`${marker.label}, ${formatDateTime(point.at)}: ${point.score.toFixed(2)}`}</title>
      {marker.shape}
    </svg>
  );
}
