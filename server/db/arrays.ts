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
export const array = (sql: postgres.ISql, type: ElementType, values: readonly unknown[]) =>
  sql(getTemplate([type]), toTexts(type, values));

/**
 * Returns the columns of `rows` as arrays for `unnest`, in the order of `types`. An undefined value is
 * null.
 */
export function columns<Row extends object>(
  sql: postgres.ISql,
  rows: readonly Row[],
  types: { [K in keyof Row]?: ElementType },
): postgres.Fragment {
  const fields = Object.entries(types) as [keyof Row, ElementType][];
  const template = getTemplate(fields.map(([, type]) => type));
  const values = fields.map(([name, type]) =>
    toTexts(
      type,
      rows.map((row) => row[name]),
    ),
  );
  return sql(template, ...values);
}

const templates = new Map<string, TemplateStringsArray>();

/**
 * Returns what the driver gets of a tagged template of such arrays, separated by commas. One fragment
 * for all arrays: each is a promise with closures, and hot statements have dozens of arrays. It is kept
 * because the driver remembers every template that it has seen.
 */
function getTemplate(types: ElementType[]): TemplateStringsArray {
  const key = types.join();
  const known = templates.get(key);
  if (known) return known;
  const casts = types.map((type) => `::text[]::${type}[]`);
  const strings = [
    "",
    ...casts.map((cast, index) => (index < casts.length - 1 ? `${cast}, ` : cast)),
  ];
  const template = Object.assign(strings, { raw: strings });
  templates.set(key, template);
  return template;
}

const toTexts = (type: ElementType, values: readonly unknown[]) =>
  values.map((value) => toText(type, value));

function toText(type: ElementType, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (type === "json" || type === "jsonb") return JSON.stringify(value);
  return value instanceof Date ? value.toISOString() : String(value);
}
