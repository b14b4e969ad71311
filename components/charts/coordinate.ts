/** A place in a drawing, to a tenth of its unit: finer is not seen, and every page carries it twice. */
export const coordinate = (value: number): number => Math.round(value * 10) / 10;
