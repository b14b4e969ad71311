/**
 * `read`, answered from what it told before while that is younger than `ms`; who asks meanwhile waits
 * for the same answer. A failure is not kept.
 */
export function readFor<T>(ms: number, read: () => Promise<T>, clock = Date.now): () => Promise<T> {
  let kept: { at: number; answer: Promise<T> } | null = null;
  return () => {
    if (kept && clock() - kept.at < ms) return kept.answer;
    const fresh = { at: clock(), answer: read() };
    kept = fresh;
    fresh.answer.catch(() => {
      if (kept === fresh) kept = null;
    });
    return fresh.answer;
  };
}
