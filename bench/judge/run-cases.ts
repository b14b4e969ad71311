/**
 * Runs `work` on each of `items`, at most `width` at once. Returns the results in the order of
 * `items`. After the first error or `signal` no further items start; the error is thrown once those
 * in progress are done.
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
