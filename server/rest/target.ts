/** A dot segment, also an escaped one, or a backslash, which URL parsers take for a slash. */
const CROOKED = /\\|\/(?:\.|%2e)/i;

/**
 * The request target as URL parsers read it: without dot segments. Next finds its pages by that, so
 * one that only then names a door of ours would get there by way of Next, where nobody knows who
 * asks or counts what they send.
 */
export function straightened(target: string): string {
  const path = target.split("?", 1)[0] ?? "";
  if (!target.startsWith("/") || !CROOKED.test(path)) return target;
  const { pathname, search } = new URL(`http://localhost${target}`);
  return pathname + search;
}

/** Whether a path can be made of a request target: one that nobody can read is nobody's page. */
export function isReadable(target: string): boolean {
  const path = target.split("?", 1)[0] ?? "";
  if (!path.startsWith("/") && !(/^https?:/i.test(path) && URL.canParse(path))) return false;
  if (!path.includes("%")) return true;
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
