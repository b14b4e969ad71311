/**
 * Takes each measurement once a round, in turn, and answers the medians. What slows the machine for
 * a while then slows the figure and its yardstick alike, and one bad round moves neither. Every
 * other round goes backwards, so that nobody always comes second.
 */
export async function inTurn<K extends string>(
  rounds: number,
  measurements: Record<K, () => Promise<number>>,
): Promise<Record<K, number>> {
  const order = Object.entries(measurements) as [K, () => Promise<number>][];
  const taken = new Map<K, number[]>(order.map(([name]) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, measure] of round % 2 ? order.toReversed() : order) {
      taken.get(name)?.push(await measure());
    }
  }
  return Object.fromEntries(
    [...taken].map(([name, values]) => [name, percentile(values, 50)]),
  ) as Record<K, number>;
}

/** The smallest of `values` that `percent` of them do not exceed. */
export function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const found = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (found === undefined) throw new Error("Nothing was measured");
  return found;
}
