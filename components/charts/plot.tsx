import type { KeyboardEvent, PointerEvent, ReactNode } from "react";

interface Props {
  /** Name for screen readers. */
  label: string;
  /** Reads the selected position. */
  text: string;
  /** Number of positions, one at least. */
  count: number;
  /** Null selects nothing; the last position is then read. */
  selected: number | null;
  onSelect: (index: number | null) => void;
  /** Returns the position at a fraction of the width. */
  find: (fraction: number) => number;
  /** Opens the records of the selected position. */
  onOpen?: (() => void) | undefined;
  /** Says that a position can be opened. */
  hint?: string | undefined;
  /** Height of the chart. */
  className: string;
  children: ReactNode;
}

/** Wraps a drawing. The pointer and the keys of a slider select a position of it. */
export function PlotSlider(props: Props) {
  const { label, text, count, selected, onSelect, find, onOpen, hint, className, children } = props;
  const last = count - 1;
  const limit = (index: number) => Math.min(last, Math.max(0, index));
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onSelect(limit(find((clientX - left) / width)));
  };
  return (
    <div
      className={`relative min-w-0 flex-1 cursor-crosshair touch-pan-y ${className}`}
      role="slider"
      tabIndex={0}
      title={hint}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={selected ?? last}
      aria-valuetext={text}
      onPointerDown={follow}
      onPointerMove={follow}
      // A finger leaves after every tap.
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && onSelect(null)}
      // A tap shows the value; a table has links for it.
      onClick={({ nativeEvent }) =>
        nativeEvent instanceof globalThis.PointerEvent &&
        nativeEvent.pointerType === "mouse" &&
        onOpen?.()
      }
      onFocus={() => onSelect(selected ?? last)}
      onBlur={() => onSelect(null)}
      onKeyDown={(event) => {
        if (event.key === "Enter") onOpen?.();
        const next = move(event, selected ?? last, last);
        if (next === undefined) return;
        event.preventDefault();
        onSelect(limit(next));
      }}
    >
      {children}
    </div>
  );
}

/** Returns the index that a key selects; undefined for other keys. */
function move({ key }: KeyboardEvent, from: number, last: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageUp: from + 10,
    PageDown: from - 10,
    Home: 0,
    End: last,
  };
  return moves[key];
}

interface AxisProps {
  /** Labels with their distance from the top in percent. */
  labels: (readonly [top: number, label: string])[];
  /** Width of the axis. */
  className: string;
  children?: ReactNode;
}

/** Labels the values on the right of a drawing. */
export const ValueAxis = ({ labels, className, children }: AxisProps) => (
  <div className={`relative shrink-0 text-xs text-muted ${className}`} aria-hidden="true">
    {labels.map(([top, label]) => (
      <span key={top} className="absolute -translate-y-1/2 leading-none" style={{ top: `${top}%` }}>
        {label}
      </span>
    ))}
    {children}
  </div>
);
