/** An amount that a sentence demands; both bounds are inclusive, null means unbounded. */
export interface Bounds {
  min: number | null;
  max: number | null;
}

/** Describes bounds with a noun: "At least 3 paragraphs", "Exactly 1 heading". */
export function describeBounds(
  { min, max }: Bounds,
  singular: string,
  plural = `${singular}s`,
): string {
  const noun = (count: number | null) => (count === 1 ? singular : plural);
  if (max === 0) return `No ${plural}`;
  if (min === max) return `Exactly ${min} ${noun(min)}`;
  if (max === null) return `At least ${min} ${noun(min)}`;
  if (min === null) return `At most ${max} ${noun(max)}`;
  return `${min} to ${max} ${plural}`;
}
