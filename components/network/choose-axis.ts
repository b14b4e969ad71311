interface Axis {
  max: number;
  /** From 0 to `max`. */
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
  return { max: count * step, ticks: Array.from({ length: count + 1 }, (_, n) => n * step) };
}
