/** Seconds since `since`, a reading of `performance.now()`, as the beginning of a line. */
export const elapsed = (since: number): string =>
  `${((performance.now() - since) / 1000).toFixed(0).padStart(4)} s`;
