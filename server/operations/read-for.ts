import { keepFor } from "@/server/lib/keep-for";

/**
 * `read`, answered from what it told before while that is younger than `ms`; who asks meanwhile waits
 * for the same answer. A failure is not kept.
 */
export function readFor<T>(ms: number, read: () => Promise<T>, clock = Date.now): () => Promise<T> {
  const kept = keepFor<T>({ ms, most: 1 }, clock);
  return () => kept("", read);
}
