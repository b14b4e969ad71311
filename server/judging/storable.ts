/** Text without NUL and lone surrogates, which Postgres refuses. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
