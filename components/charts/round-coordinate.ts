/** Rounds an SVG coordinate to 0.1 units; more digits aren't visible but enlarge the page. */
export const roundCoordinate = (value: number): number => Math.round(value * 10) / 10;
