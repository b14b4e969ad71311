/**
 * Returns the URL of a path with a query of the values that are not empty. A `page` counts from 0 here and
 * from 1 in the URL, which omits the first.
 */
export function buildUrl(path: string, { page, ...values }: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  if (Number(page) > 0) query.set("page", String(Number(page) + 1));
  return query.size > 0 ? `${path}?${query}` : path;
}
