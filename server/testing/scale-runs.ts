/**
 * Returns how many random cases a property is tried with: `runs` in `npm test`, and ten times as many in
 * `npm run test:slow`, for the files that `vitest.config.ts` lists.
 */
export const scaleRuns = (runs: number): number => runs * Number(process.env.RUNS_FACTOR ?? 1);
