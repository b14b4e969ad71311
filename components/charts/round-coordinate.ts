/** Rounds an SVG coordinate to 0.1 units: finer isn't visible, and each page carries it twice. */
export const roundCoordinate = (value: number): number => Math.round(value * 10) / 10;
