interface Axis {
  min: number;
  max: number;
  /** From `min` to `max`. */
  ticks: number[];
}

const STEPS = [1, 2, 5, 10];

/** Chooses an axis from 0 with two or three round steps that include `highest`. */
export function chooseAxis(highest: number): Axis {
  const target = Math.max(highest, 1) / 3;
  const power = 10 ** Math.floor(Math.log10(target));
  const rough = STEPS.map((step) => step * power).find((step) => step >= target) ?? target;
  const step = Math.max(1, rough);
  const count = Math.max(1, Math.ceil(highest / step));
  return {
    min: 0,
    max: count * step,
    ticks: Array.from({ length: count + 1 }, (_, n) => n * step),
  };
}

const PERCENT_FLOORS = [0.8, 0.5];

/** Chooses an axis up to 100% for fractions, from 80% or 50% if all are above. */
export function choosePercentAxis(values: readonly (number | null)[]): Axis {
  const lowest = Math.min(1, ...values.filter((value) => value !== null));
  const min = PERCENT_FLOORS.find((floor) => floor <= lowest) ?? 0;
  return { min, max: 1, ticks: [min, (min + 1) / 2, 1] };
}
