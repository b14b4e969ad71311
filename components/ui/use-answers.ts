"use client";

import { useEffect, useState } from "react";

interface Answers<T> {
  /** The newest answer; none before the first. */
  data?: T;
  /** When it came, ISO 8601. */
  at?: string;
  /** Whether the newest question was not answered. */
  isError: boolean;
}

/**
 * Asks at once and then every `everyMs`, while somebody looks at the page and as soon as they look
 * again. `ask` has to stay the same between renders, or it is all begun anew.
 */
export function useAnswers<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
): Answers<T> {
  const [answers, setAnswers] = useState<Answers<T>>({ isError: false });
  useEffect(() => {
    const left = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let waits = false;
    const next = async () => {
      if (waits || document.visibilityState === "hidden") return;
      clearTimeout(timer);
      waits = true;
      const answer = await ask(left.signal).then(
        (data) => ({ data, at: new Date().toISOString(), isError: false }),
        () => ({ isError: true }),
      );
      if (left.signal.aborted) return;
      setAnswers((before) => ({ ...before, ...answer }));
      waits = false;
      timer = setTimeout(next, everyMs);
    };
    void next();
    document.addEventListener("visibilitychange", next);
    return () => {
      left.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", next);
    };
  }, [ask, everyMs]);
  return answers;
}
