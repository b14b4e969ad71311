import type { PointerEvent, ReactNode } from "react";

interface SliderProps {
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
}

interface Props {
  /** Height of the drawing. */
  className: string;
  /** Width of the drawing in its own units; its height is 100. */
  width?: number;
  /** How its positions are selected. */
  slider: SliderProps;
  /** Values on the right, by their distance from the top in percent, with lines across the drawing. */
  values: readonly (readonly [top: number, label: string])[];
  /** Width of the values, as a class and its distance in rem; labels below end before them. */
  axis: keyof typeof AXES;
  /** An emphasized value beside the others. */
  highlight?: ReactNode;
  /** Labels below, by their distance from the left in percent. */
  positions: readonly (readonly [left: number, label: string])[];
  /** Shown above the drawing. */
  overlay?: ReactNode;
  /** Elements of an SVG. */
  children: ReactNode;
}

const AXES = { narrow: ["w-10", "mr-12"], wide: ["w-20", "mr-22"] } as const;
/** Labels nearer to an end than this percentage begin or end there instead of being centered. */
const END = 4;
/** Labels beyond this position would cover the last one on narrow screens. */
const NARROW_END = 78;

/** Frames a drawing with lines, values on its right and labels below. */
export function Plot(props: Props) {
  const { className, width = 100, slider, values, axis, highlight, positions } = props;
  const [axisWidth, margin] = AXES[axis];
  return (
    <>
      <div className="flex gap-2">
        <PlotSlider {...slider} className={className}>
          <svg
            viewBox={`0 0 ${width} 100`}
            preserveAspectRatio="none"
            className="size-full overflow-visible *:[vector-effect:non-scaling-stroke]"
            aria-hidden="true"
          >
            {values.map(([top]) => (
              <path
                key={top}
                d={`M0 ${top}H${width}`}
                className="stroke-line"
                strokeDasharray={top < 100 ? "4 4" : undefined}
              />
            ))}
            {props.children}
          </svg>
          {props.overlay}
        </PlotSlider>
        <div className={`relative shrink-0 text-xs text-muted ${axisWidth}`} aria-hidden="true">
          {values.map(([top, label]) => (
            <span
              key={top}
              className="absolute -translate-y-1/2 leading-none"
              style={{ top: `${top}%` }}
            >
              {label}
            </span>
          ))}
          {highlight}
        </div>
      </div>
      <div className={`relative mt-1.5 h-5 text-xs text-muted ${margin}`} aria-hidden="true">
        {positions.map(([left, label], n) => (
          <span
            key={left}
            className={`absolute whitespace-nowrap ${(n % 2 === 1 || left > NARROW_END) && n < positions.length - 1 ? "max-sm:hidden" : ""} ${left < END ? "" : left > 100 - END ? "-translate-x-full" : "-translate-x-1/2"}`}
            style={{ left: `${left}%` }}
          >
            {label}
          </span>
        ))}
      </div>
    </>
  );
}

/** Wraps a drawing. The pointer, and the keys of a range that is not visible, select a position of it. */
function PlotSlider(props: SliderProps & { className: string; children: ReactNode }) {
  const { label, text, count, selected, onSelect, find, onOpen, hint, className, children } = props;
  const last = count - 1;
  const follow = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onSelect(Math.min(last, Math.max(0, find((clientX - left) / width))));
  };
  return (
    // A label, so that a press focuses the range.
    <label
      className={`relative block min-w-0 flex-1 cursor-crosshair touch-pan-y has-focus-visible:outline-2 has-focus-visible:outline-accent ${className}`}
      title={hint}
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
      onKeyDown={({ key }) => key === "Enter" && onOpen?.()}
    >
      {children}
      <input
        type="range"
        className="pointer-events-none absolute inset-0 size-full opacity-0"
        max={last}
        value={selected ?? last}
        aria-label={label}
        aria-valuetext={text}
        onChange={({ target }) => onSelect(target.valueAsNumber)}
        onFocus={() => onSelect(selected ?? last)}
        onBlur={() => onSelect(null)}
      />
    </label>
  );
}

/** Draws a line of a chart. */
export const Line = (line: LineStyle & { d: string }) => (
  <path fill="none" strokeWidth="2.2" strokeLinejoin="round" {...line} />
);

export interface LineStyle {
  className: string;
  strokeDasharray?: string | undefined;
}

/** Shows a line as the chart draws it. */
export const LineSwatch = (line: LineStyle) => (
  <svg viewBox="0 0 24 4" className="h-1 w-6 shrink-0" aria-hidden="true">
    <line x2="24" y1="2" y2="2" strokeWidth="2.5" {...line} />
  </svg>
);

/** Names one of the things that a chart draws, beside its swatch. */
export const LegendItem = ({ swatch, children }: { swatch: ReactNode; children: ReactNode }) => (
  <span className="inline-flex items-center gap-1.5">
    {swatch}
    {children}
  </span>
);
