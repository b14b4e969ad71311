import { inWorker, type LimitedResult } from "@/server/lib/process/worker-pool";
import { recomputeText, sumRowsText } from "./recompute";

/** Texts that the main thread computes in less than about 10 ms; longer ones go to a worker thread. */
const MAX_INLINE_CHARACTERS = 150_000;

const recomputeInWorker = inWorker<
  Parameters<typeof recomputeText>,
  ReturnType<typeof recomputeText>
>("server/reputation/evidence/recompute.ts", "recomputeText", { pool: "scores" });

const sumInWorker = inWorker<Parameters<typeof sumRowsText>, ReturnType<typeof sumRowsText>>(
  "server/reputation/evidence/recompute.ts",
  "sumRowsText",
  { pool: "scores" },
);

/** As `recomputeText`, without blocking the event loop for a long ledger. */
export const recomputeInWorkerIfLong = inWorkerIfLong(recomputeText, recomputeInWorker);

/** As `sumRowsText`, without blocking the event loop for many rows. */
export const sumRowsInWorkerIfLong = inWorkerIfLong(sumRowsText, sumInWorker);

/** Wraps `compute` so that long texts are computed in a worker thread. */
export function inWorkerIfLong<A extends unknown[], R>(
  compute: (text: string, ...args: A) => R,
  computeInWorker: (text: string, ...args: A) => Promise<LimitedResult<R>>,
): (text: string, ...args: A) => Promise<R> {
  return async (text, ...args) => {
    const lengths = [text, ...args].map((one) => (typeof one === "string" ? one.length : 0));
    const characters = lengths.reduce((sum, length) => sum + length, 0);
    if (characters <= MAX_INLINE_CHARACTERS) return compute(text, ...args);
    const result = await computeInWorker(text, ...args);
    // A score must be computed however long it takes.
    return result.ok ? result.value : compute(text, ...args);
  };
}
