/**
 * What `make` made for a key, told again while that is younger than `ms`; who asks meanwhile waits for
 * the same. At most `most` are kept, and the oldest go first. A failure is not kept.
 */
export function keepFor<T>(
  { ms, most }: { ms: number; most: number },
  clock = Date.now,
): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { endsAt: number; made: Promise<T> }>();
  return (key, make) => {
    const now = clock();
    const known = kept.get(key);
    if (known && known.endsAt > now) return known.made;
    kept.delete(key);
    // In order of insertion is in order of age: all are kept for equally long.
    for (const [oldest, { endsAt }] of kept) {
      if (endsAt > now && kept.size < most) break;
      kept.delete(oldest);
    }
    const fresh = { endsAt: now + ms, made: make() };
    kept.set(key, fresh);
    fresh.made.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key);
    });
    return fresh.made;
  };
}
