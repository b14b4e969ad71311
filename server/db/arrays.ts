import type postgres from "postgres";

/** A type in the database. */
export type ElementType =
  | "text"
  | "uuid"
  | "boolean"
  | "integer"
  | "bigint"
  | "float8"
  | "json"
  | "jsonb"
  | "timestamptz";

/**
 * Returns an array parameter. Its elements are sent as text, which PostgreSQL converts: the driver
 * takes the type of an array from its first element, which may be null, sends an array of booleans,
 * big integers or times as a single value, and writes the text "true" as false. One text of the
 * statement for any number of elements keeps it prepared. Texts and ids alone need no helper in a
 * statement of drizzle: `${sql.param(ids)}::uuid[]`.
 */
export const array = (sql: postgres.ISql, type: ElementType, values: readonly unknown[]) => {
  const texts = values.map((value) => toText(type, value));
  return sql`${texts}::text[]::${sql.unsafe(type)}[]`;
};

/**
 * Returns the columns of `rows` as arrays for `unnest`, in the order of `types`. An undefined value is
 * null.
 */
export const columns = <Row extends object>(
  sql: postgres.ISql,
  rows: readonly Row[],
  types: { [K in keyof Row]?: ElementType },
): postgres.Fragment[] =>
  (Object.entries(types) as [keyof Row, ElementType][]).map(([name, type], index) => {
    const values = rows.map((row) => row[name]);
    const column = array(sql, type, values);
    return index === 0 ? column : sql`, ${column}`;
  });

function toText(type: ElementType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (type === "json" || type === "jsonb") return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : String(value);
}
