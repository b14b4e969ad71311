/**
 * `work` on each of `items`, at most `width` at once, answered in the order of `items`. The first
 * error, or `signal`, keeps further ones from starting; it is thrown when those under way are done.
 */
export async function runAll<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
  signal?: AbortSignal,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  let failed: { error: unknown } | null = null;
  const worker = async () => {
    while (next < items.length && !failed && !signal?.aborted) {
      const index = next++;
      try {
        results[index] = await work(items[index] as T);
      } catch (error) {
        failed ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  signal?.throwIfAborted();
  if (failed) throw (failed as { error: unknown }).error;
  return results;
}
