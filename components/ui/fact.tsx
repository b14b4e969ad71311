import type { ReactNode } from "react";
import { Hex } from "./hex";

interface FactProps {
  label: ReactNode;
  children: ReactNode;
  className?: string;
}

/** Renders one label and value of a description list. */
export function Fact({ label, children, className = "" }: FactProps) {
  return (
    <div className={`min-w-0 ${className}`}>
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="mt-0.5 break-words">{children}</dd>
    </div>
  );
}

interface HexFactProps {
  label: string;
  value: string;
  /** Label for the copy button. */
  name: string;
  href?: string | null;
}

/** Renders an address, hash or ID of a description list. */
export function HexFact({ label, ...hex }: HexFactProps) {
  return (
    <Fact label={label}>
      <Hex {...hex} />
    </Fact>
  );
}
