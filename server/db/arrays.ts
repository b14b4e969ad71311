import type postgres from "postgres";

/** How an array is sent, by the type of its elements in the database. */
const CASTS = {
  text: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]`,
  uuid: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::uuid[]`,
  boolean: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::boolean[]`,
  integer: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::integer[]`,
  bigint: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::bigint[]`,
  json: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::json[]`,
  jsonb: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::jsonb[]`,
  timestamptz: (sql: postgres.ISql, texts: Texts) => sql`${texts}::text[]::timestamptz[]`,
};

type Texts = (string | null)[];
export type ElementType = keyof typeof CASTS;

/**
 * Returns an array parameter. Its elements are sent as text, which PostgreSQL converts: the driver
 * takes the type of an array from its first element, which may be null, sends an array of booleans,
 * big integers or times as a single value, and writes the text "true" as false. One text of the
 * statement for any number of elements keeps it prepared.
 */
export const array = (sql: postgres.ISql, type: ElementType, values: readonly unknown[]) =>
  CASTS[type](
    sql,
    values.map((value) => toText(type, value)),
  );

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
    const column = array(
      sql,
      type,
      rows.map((row) => row[name]),
    );
    return index === 0 ? column : sql`, ${column}`;
  });

function toText(type: ElementType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (type === "json" || type === "jsonb") return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : String(value);
}
