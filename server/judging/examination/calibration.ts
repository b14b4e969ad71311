import { z } from "zod";
import type { Verdict } from "@/server/lib/schema";
import shipped from "./calibration.json";

const ppm = z.int().min(500_000).max(1_000_000);

/** Maps the stated confidence in one verdict, in bins, to a confidence. */
const tableSchema = z
  .strictObject({
    least: ppm,
    most: ppm,
    /** `from`: the bin's minimum stated confidence. Confidence never falls as it rises. */
    bins: z.array(z.strictObject({ from: z.number().min(0.5).max(1), ppm })).min(1),
  })
  .refine(({ bins }) => bins[0]?.from === 0.5, "the first bin begins at 0.5")
  .refine(
    ({ bins }) =>
      bins.every((bin, at) => {
        const before = bins[at - 1];
        return !before || (before.from < bin.from && before.ppm <= bin.ppm);
      }),
    "bins rise and their confidences never fall",
  );
type CalibrationTable = z.infer<typeof tableSchema>;

/** One table per verdict, since models are wrong more often when they pass work. */
export const calibrationSchema = z.strictObject({
  /** "unfitted/…" until fitted to labelled cases. */
  version: z.string().min(1).max(60),
  SUCCESS: tableSchema,
  FAILURE: tableSchema,
});
export type Calibration = z.infer<typeof calibrationSchema>;

/** The tables that the service uses. */
export const CALIBRATION = calibrationSchema.parse(shipped);

/**
 * Returns the confidence in a verdict, in millionths, given the mean confidence that the agreeing
 * examinations stated, from 0.5 to 1.
 */
export function getConfidencePpm(
  verdict: Verdict,
  stated: number,
  calibration: Calibration = CALIBRATION,
): number {
  const table = calibration[verdict];
  const bin = table.bins[findBin(stated, table)];
  return Math.min(table.most, Math.max(table.least, bin?.ppm ?? table.least));
}

function findBin(stated: number, { bins }: CalibrationTable): number {
  // The epsilon corrects rounding of means.
  return bins.findLastIndex(({ from }) => from <= stated + 1e-9);
}
