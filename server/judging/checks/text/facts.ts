/** Returns counts with what they count, such as "2 found, 1 missing", without those that are zero. */
export const joinCounts = (counts: readonly (readonly [count: number, of: string])[]): string =>
  counts.flatMap(([count, of]) => (count === 0 ? [] : [`${count} ${of}`])).join(", ");

const MAX_DETAIL = 2_000;

/** Joins entries up to 2,000 characters, and says how many others there are. */
export function joinWithin(entries: readonly string[], separator: string): string {
  let shown = entries.length;
  while (shown > 1 && entries.slice(0, shown).join(separator).length > MAX_DETAIL) shown -= 1;
  const text = entries.slice(0, shown).join(separator).slice(0, MAX_DETAIL);
  const others = entries.length - shown;
  return others === 0 ? text : `${text}${separator}and ${others} more`;
}
