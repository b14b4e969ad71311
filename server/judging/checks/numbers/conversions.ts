import type { Comparison } from "./compare-sides";
import type { Token } from "./expression";
import { Exact, type Figure, toSigned } from "./figures";
import { convertUnit, findUnit } from "./units";

/** A figure with its unit, as in "5 miles". */
export interface Measured {
  figure: Figure;
  unit: string;
}

/** Conversions are often stated with few digits, such as 2.5 for 2.54 centimetres. */
const TOLERANCE = 0.035;
/** Beyond this, one represents the other, as on a map. */
const MAX_DEVIATION = 30;
const DEGREES = /^°\s?([CF])$/;
const MAX_DEGREES_OFF = 1.5;

/** Returns the figure of a side that is nothing but a figure with a unit, otherwise null. */
export function readMeasured(side: readonly Token[]): Measured | null {
  const [first, second] = side;
  if (first?.kind !== "figure" || second?.kind !== "word" || first.figure.isMoney) return null;
  const next = side[2];
  return next && next.kind !== "word" && next.kind !== "open"
    ? null
    : { figure: first.figure, unit: second.text };
}

/** Compares two measures that are said to be the same. Returns null if their units differ in kind. */
export function compareMeasures(left: Measured, right: Measured): Comparison | null {
  const scales = [DEGREES.exec(left.unit)?.[1], DEGREES.exec(right.unit)?.[1]];
  const [value, stated] = [toSigned(left.figure), toSigned(right.figure)];
  if (scales[0] && scales[1] && scales[0] !== scales[1]) {
    const computed =
      scales[0] === "F" ? value.minus(32).mul(5).div(9) : value.mul(9).div(5).plus(32);
    return { isRight: computed.minus(stated).abs().lte(MAX_DEGREES_OFF), computed };
  }
  const [from, to] = [findUnit(left.unit), findUnit(right.unit)];
  if (!from || !to || from === to || value.isZero() || stated.isZero()) return null;
  const options = convertUnit(from, to).map((factor) => value.mul(factor));
  const [computed] = options;
  if (!computed) return null;
  const deviations = options.map((option) => Exact.abs(stated.minus(option)).div(option.abs()));
  const rounding = right.figure.unit.div(stated).mul(0.51);
  // Whole numbers are exact unless the result has fewer digits.
  const allowed = Exact.max(TOLERANCE, right.figure.unit.eq(1) ? 0 : rounding);
  if (deviations.some((deviation) => deviation.lte(allowed))) return { isRight: true, computed };
  const ratio = stated.div(computed).abs();
  const isFar = ratio.gt(MAX_DEVIATION) || ratio.lt(1 / MAX_DEVIATION);
  return isFar ? null : { isRight: false, computed };
}
