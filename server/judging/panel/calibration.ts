import { z } from "zod";
import shipped from "./calibration.json";
import type { Backing } from "./tally";

const ppm = z.int().min(500_000).max(1_000_000);

/** Bins of backing, each with its confidence. `calibration.json` is one; the bench writes it anew. */
export const calibrationSchema = z
  .strictObject({
    /** "unfitted/…" until it was fitted to labelled cases. */
    version: z.string().min(1).max(60),
    least: ppm,
    most: ppm,
    /** `from`: the bin's least strength. Confidence never falls as strength grows. */
    bins: z.array(z.strictObject({ from: z.number().min(0).max(1), ppm })).min(1),
  })
  .refine(({ bins }) => bins[0]?.from === 0, "the first bin begins at 0")
  .refine(
    ({ bins }) =>
      bins.every((bin, at) => {
        const before = bins[at - 1];
        return !before || (before.from < bin.from && before.ppm <= bin.ppm);
      }),
    "bins rise, and their confidences never fall",
  );
export type Calibration = z.infer<typeof calibrationSchema>;

/** The table that the service uses. */
export const CALIBRATION = calibrationSchema.parse(shipped);

/** Confidence in a verdict by how the votes back it, in millionths; never what a model says of itself. */
export function confidencePpm(backing: Backing, table: Calibration = CALIBRATION): number {
  const bin = table.bins[binOf(backing, table)];
  return Math.min(table.most, Math.max(table.least, bin?.ppm ?? table.least));
}

/** One judged and labelled case. */
export interface CalibrationSample extends Backing {
  /** Whether the verdict was the label. */
  correct: boolean;
}

/** Cases that the unfitted table weighs in each bin: few samples move it little. */
const PRIOR_CASES = 10;
const FITTED = { least: 500_000, most: 990_000 };

/**
 * The table fitted to `samples`: in each bin the share of right verdicts, shrunk to the prior's
 * confidence, then made to never fall with strength (pool adjacent violators: Ayer et al., 1955).
 */
export function fitCalibration(
  samples: readonly CalibrationSample[],
  version: string,
  prior: Calibration = CALIBRATION,
): Calibration {
  const cells = prior.bins.map(({ ppm: expected }, at) => {
    const inside = samples.filter((sample) => binOf(sample, prior) === at);
    const right = inside.filter(({ correct }) => correct).length;
    const weight = inside.length + PRIOR_CASES;
    return { value: (right * 1e6 + PRIOR_CASES * expected) / weight, weight };
  });
  const risen = neverFalling(cells);
  const bins = prior.bins.map(({ from }, at) => ({
    from,
    ppm: Math.round(Math.min(FITTED.most, Math.max(FITTED.least, risen[at] ?? 0))),
  }));
  return { version, ...FITTED, bins };
}

function binOf({ share, margin }: Backing, { bins }: Calibration): number {
  // A hair more than the mean: shares of five add up to 0.6 only almost.
  const strength = (share + margin) / 2 + 1e-9;
  return bins.findLastIndex(({ from }) => from <= strength);
}

function neverFalling(cells: readonly { value: number; weight: number }[]): number[] {
  const pools: { value: number; weight: number; size: number }[] = [];
  for (const cell of cells) {
    let pool = { ...cell, size: 1 };
    for (let last = pools.at(-1); last && last.value > pool.value; last = pools.at(-1)) {
      const weight = last.weight + pool.weight;
      pool = {
        value: (last.value * last.weight + pool.value * pool.weight) / weight,
        weight,
        size: last.size + pool.size,
      };
      pools.pop();
    }
    pools.push(pool);
  }
  return pools.flatMap(({ value, size }) => Array<number>(size).fill(value));
}
