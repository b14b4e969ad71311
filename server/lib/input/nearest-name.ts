/** Up to this many edits, a name counts as a misspelling of another. */
const MAX_EDITS = 2;

/**
 * Returns the known name that `name` misspells: the nearest one within two edits (insertions,
 * deletions, replacements), apart from letter case and separators, so that `min_score` finds
 * `minScore`. Of equally near names, the first. Null if every name differs in more than that, or in
 * every letter.
 */
export function findNearestName(name: string, known: readonly string[]): string | null {
  const wanted = normalize(name);
  let nearest: string | null = null;
  let fewest = MAX_EDITS + 1;
  for (const candidate of known) {
    const normalized = normalize(candidate);
    if (Math.abs(normalized.length - wanted.length) > MAX_EDITS) continue;
    const edits = countEdits(wanted, normalized);
    if (edits < fewest && edits < normalized.length) [nearest, fewest] = [candidate, edits];
  }
  return nearest;
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

/** Returns the Levenshtein distance, row by row (Wagner and Fischer, 1974). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 0; i < from.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (row[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
