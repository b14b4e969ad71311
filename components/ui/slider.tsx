"use client";

import { useEffect, useId, useRef, useState } from "react";

interface Props {
  name: string;
  label: string;
  hint?: string;
  /** Current value in the URL. */
  value: number;
  min: number;
  max: number;
  step?: number;
  /** Format of the displayed value. */
  unit?: "days ago" | "of 1";
}

/** Renders a native range with its value. Follows the URL unless the user is moving it. */
export function Slider({ name, label, hint, value, min, max, step = 1, unit }: Props) {
  const id = useId();
  const control = useRef<HTMLInputElement>(null);
  const [shown, setShown] = useState(value);
  useEffect(() => {
    if (document.activeElement !== control.current) setShown(value);
  }, [value]);
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id}>{label}</label>
        {/* Screen readers get the same from aria-valuetext. */}
        <span aria-hidden="true" className="font-medium whitespace-nowrap">
          {formatValue(shown, unit)}
        </span>
      </div>
      <input
        ref={control}
        id={id}
        name={name}
        type="range"
        min={min}
        max={max}
        step={step}
        value={shown}
        aria-valuetext={formatValue(shown, unit)}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ target }) => setShown(target.valueAsNumber)}
        className="mt-1 block h-6 w-full accent-accent"
      />
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

function formatValue(value: number, unit: Props["unit"]): string {
  if (unit === "days ago") {
    if (value === 0) return "today";
    return value === 1 ? "yesterday" : `${value} days ago`;
  }
  return unit === "of 1" ? value.toFixed(2) : String(value);
}
