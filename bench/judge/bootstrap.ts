import { type Random, seededRandom } from "./random";

export interface Interval {
  low: number;
  high: number;
}

export interface BootstrapOptions {
  seed: string;
  resamples?: number;
  /** Share of resamples within the interval. */
  level?: number;
}

/**
 * Computes a percentile bootstrap interval (Efron, 1979): the statistic over many samples drawn
 * from `cases` with replacement. Each stratum keeps its size, so that no resample lacks a class.
 * Returns null if the statistic is undefined. Deterministic for the same seed and cases.
 */
export function bootstrapInterval<T>(
  cases: readonly T[],
  statistic: (cases: readonly T[]) => number | null,
  stratumOf: (one: T) => string,
  { seed, resamples = 1_000, level = 0.95 }: BootstrapOptions,
): Interval | null {
  if (cases.length === 0 || statistic(cases) === null) return null;
  const random = seededRandom(seed);
  const strata = stratify(cases, stratumOf);
  const values: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const value = statistic(strata.flatMap((members) => drawn(members, random)));
    if (value !== null) values.push(value);
  }
  values.sort((a, b) => a - b);
  const tail = (1 - level) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}

/**
 * Returns the exact interval (Clopper and Pearson, 1934) of a share observed as 0 or 1 in `count`
 * cases, for which every resample is equal and the bootstrap would claim certainty.
 */
export function extremeShareInterval(share: 0 | 1, count: number, level = 0.95): Interval {
  const bound = ((1 - level) / 2) ** (1 / count);
  return share === 1 ? { low: bound, high: 1 } : { low: 0, high: 1 - bound };
}

function stratify<T>(cases: readonly T[], stratumOf: (one: T) => string): T[][] {
  const strata = new Map<string, T[]>();
  for (const one of cases) {
    const members = strata.get(stratumOf(one));
    if (members) members.push(one);
    else strata.set(stratumOf(one), [one]);
  }
  return [...strata.values()];
}

function drawn<T>(members: readonly T[], random: Random): T[] {
  return members.map(() => members[Math.floor(random() * members.length)] as T);
}

function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}
