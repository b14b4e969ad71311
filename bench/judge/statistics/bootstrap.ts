import { createHash } from "node:crypto";

export interface Interval {
  low: number;
  high: number;
}

/** Share of resamples within the interval. */
const LEVEL = 0.95;

/**
 * Computes a percentile bootstrap interval (Efron, 1979): the statistic over many samples drawn
 * from `cases` with replacement. Each stratum keeps its size, so that no resample lacks a class.
 * Returns null if the statistic is undefined. Deterministic for the same seed and cases.
 */
export function bootstrapInterval<T>(
  cases: readonly T[],
  statistic: (cases: readonly T[]) => number | null,
  stratumOf: (one: T) => string,
  { seed, resamples = 1_000 }: { seed: string; resamples?: number },
): Interval | null {
  if (cases.length === 0 || statistic(cases) === null) return null;
  const random = createRandom(seed);
  const strata = stratify(cases, stratumOf);
  const values: number[] = [];
  for (let round = 0; round < resamples; round++) {
    const value = statistic(strata.flatMap((members) => drawWithReplacement(members, random)));
    if (value !== null) values.push(value);
  }
  values.sort((a, b) => a - b);
  const tail = (1 - LEVEL) / 2;
  return { low: quantile(values, tail), high: quantile(values, 1 - tail) };
}

/**
 * Returns the exact interval (Clopper and Pearson, 1934) of a share observed as 0 or 1 in `count`
 * cases, for which every resample is equal and the bootstrap would claim certainty.
 */
export function extremeShareInterval(share: 0 | 1, count: number): Interval {
  const bound = ((1 - LEVEL) / 2) ** (1 / count);
  return share === 1 ? { low: bound, high: 1 } : { low: 0, high: 1 - bound };
}

function stratify<T>(cases: readonly T[], stratumOf: (one: T) => string): T[][] {
  return [...Map.groupBy(cases, stratumOf).values()];
}

function drawWithReplacement<T>(members: readonly T[], random: Random): T[] {
  return members.map(() => members[Math.floor(random() * members.length)] as T);
}

function quantile(sorted: readonly number[], share: number): number {
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[index] ?? Number.NaN;
}

/** Returns the next random number, from 0 up to but excluding 1. */
export type Random = () => number;

/**
 * Returns a generator of random bytes, deterministic per seed on every machine: SHA-256 over seed
 * and a counter. Predictable by design, so only for measurements, never for real judgements.
 */
export function createByteGenerator(seed: string): (count: number) => Buffer {
  let block = Buffer.alloc(0);
  let counter = 0;
  return (count) => {
    while (block.length < count) {
      const next = createHash("sha256").update(`${seed}\n${counter++}`).digest();
      block = Buffer.concat([block, next]);
    }
    const taken = Buffer.from(block.subarray(0, count));
    block = block.subarray(count);
    return taken;
  };
}

/**
 * Returns a deterministic generator with 32 random bits per number: xorshift128 (Marsaglia, 2003).
 */
export function createRandom(seed: string): Random {
  const start = createByteGenerator(seed)(16);
  let [x, y, z, w] = [0, 4, 8, 12].map((at) => start.readInt32BE(at)) as XorshiftState;
  return () => {
    const t = x ^ (x << 11);
    [x, y, z] = [y, z, w];
    w = w ^ (w >>> 19) ^ t ^ (t >>> 8);
    return (w >>> 0) / 2 ** 32;
  };
}

type XorshiftState = [number, number, number, number];
