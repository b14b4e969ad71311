/** Returns `text` without NUL and lone surrogates, which Postgres rejects. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}
