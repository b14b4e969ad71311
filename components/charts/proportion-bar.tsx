import type { ReactNode } from "react";

/** Draws a fraction of 0 to 1 as a bar. */
export const Bar = ({ fraction }: { fraction: number }) => (
  <span className="mt-1.5 block h-2 overflow-hidden rounded-full bg-sunken" aria-hidden="true">
    <span
      className="block h-full rounded-full bg-accent"
      style={{ width: `${Math.min(1, fraction) * 100}%` }}
    />
  </span>
);

interface Props {
  label: ReactNode;
  /** 0 to 1. */
  fraction: number;
  value: string;
}

/** Draws a fraction as a bar under its label and value. */
export function ProportionBar({ label, fraction, value }: Props) {
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4 text-sm">
        <span className="min-w-0">{label}</span>
        <span className="font-medium">{value}</span>
      </div>
      <Bar fraction={fraction} />
    </div>
  );
}
