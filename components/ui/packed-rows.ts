/** Rows for the browser, whose keys are sent once instead of in every row. */
export interface PackedRows<Row extends object> {
  keys: (keyof Row)[];
  /** The values of each row, in the order of the keys; null for a missing one. */
  rows: (Row[keyof Row] | null)[][];
}

/** Packs rows of values other than null. */
export function packRows<Row extends object>(rows: Row[]): PackedRows<Row> {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row) as (keyof Row)[]))];
  return { keys, rows: rows.map((row) => keys.map((key) => row[key] ?? null)) };
}

/** Returns the rows that `packRows` got. */
export const unpackRows = <Row extends object>({ keys, rows }: PackedRows<Row>): Row[] =>
  rows.map((values) => {
    const fields = keys.map((key, n) => [key, values[n]]).filter(([, value]) => value !== null);
    return Object.fromEntries(fields) as Row;
  });
