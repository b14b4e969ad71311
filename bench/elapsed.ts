/** Formats the seconds since `since`, a reading of `performance.now()`, as a line prefix. */
export const elapsed = (since: number): string =>
  `${((performance.now() - since) / 1000).toFixed(0).padStart(4)} s`;
