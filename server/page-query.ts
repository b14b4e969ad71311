import { z } from "zod";

/** The query of a page's address, as Next gives it. */
export type Query = Record<string, string | string[] | undefined>;

/**
 * The query read by the input schema of the procedure behind the page. A value that does not fit
 * is left out: an address that somebody mistyped still shows the page.
 */
export function readQuery<T extends z.ZodObject>(schema: T, query: Query): z.infer<T> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.shape)) {
    const text = [query[name]].flat()[0];
    if (!text) continue;
    const candidates = [text, Number(text)];
    const fitting = candidates.find((value) => z.safeParse(field, value).success);
    if (fitting !== undefined) values[name] = fitting;
  }
  return schema.parse(values) as z.infer<T>;
}

/** The address of `path` with `query` changed by `change`, empty values left out. */
export function addressWith(path: string, query: Record<string, unknown>, change: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, ...change })) {
    if (value !== undefined && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}
