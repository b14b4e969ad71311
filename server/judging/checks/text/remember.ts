/** Texts of this many characters together are kept, and the last two however long they are. */
const MAX_CHARACTERS = 65_536;

/**
 * Remembers the results of a pure function for its last `max` texts, since many checks read the same
 * task and deliverable. The results are shared, so callers must not change them.
 */
export function remember<T>(compute: (text: string) => T, max = 12): (text: string) => T {
  const results = new Map<string, { value: T }>();
  let characters = 0;
  return (text) => {
    const known = results.get(text);
    if (known) return known.value;
    const value = compute(text);
    characters += text.length;
    for (const [oldest] of results) {
      if (results.size < 2 || (results.size < max && characters <= MAX_CHARACTERS)) break;
      results.delete(oldest);
      characters -= oldest.length;
    }
    results.set(text, { value });
    return value;
  };
}
