import type { Exact } from "./figures";
import type { Operation } from "./question";

/** A value that may answer a question. */
export interface Expected {
  value: Exact;
  /** Whether only whole figures were added, subtracted or copied. */
  isExact: boolean;
  /** Whether it answers only as a percentage: some ask for a change and mean a relative one. */
  isPercentOnly?: boolean;
}

/** Returns whether an operation gives a fraction that is usually written in percent. */
export const isFraction = (operation: Operation): boolean =>
  ["percent-change", "growth-rate", "share", "ratio"].includes(operation);
