"use client";

import { useEffect, useId, useRef, useState } from "react";

interface Props {
  name: string;
  label: string;
  hint?: string;
  /** As the page's address has it. */
  value: number;
  min: number;
  max: number;
  step?: number;
  /** How a value is said, beyond the figure: `{n} days ago`. */
  unit?: "days ago" | "of 1";
}

/** A native range with its value beside it. It follows the address unless it is being moved. */
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
        {/* Its slider says the same to who does not see it. */}
        <span aria-hidden="true" className="font-medium whitespace-nowrap">
          {say(shown, unit)}
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
        aria-valuetext={say(shown, unit)}
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

function say(value: number, unit: Props["unit"]): string {
  if (unit === "days ago") {
    if (value === 0) return "today";
    return value === 1 ? "yesterday" : `${value} days ago`;
  }
  return unit === "of 1" ? value.toFixed(2) : String(value);
}
