import { cacheLoads } from "@/server/lib/cache-loads";

/**
 * Returns `read` with its result cached for `ms`. Concurrent callers share one promise; failures
 * are not cached.
 */
export function readFor<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  const cached = cacheLoads<T>({ ttlMs: ms, max: 1 });
  return () => cached("", read);
}
