import { open } from "node:fs/promises";
import { devNull } from "node:os";

const INTERVAL_MS = 5_000;

/** As closed connections free some, a process out of descriptors has a few at most moments. */
const SPARE = 16;

/**
 * Calls `report` when this process has (almost) run out of file descriptors, and when it has some again. Nothing
 * else would show it: connections that cannot be accepted are closed without an error. Returns a
 * function that ends the watch.
 */
export function watchFileDescriptors(
  report: (areExhausted: boolean) => void,
  intervalMs = INTERVAL_MS,
): () => void {
  let wereExhausted = false;
  const timer = setInterval(async () => {
    const opened = await Promise.allSettled(Array.from({ length: SPARE }, () => open(devNull)));
    await Promise.all(opened.map((file) => file.status === "fulfilled" && file.value.close()));
    const areExhausted = opened.some(
      (file) => file.status === "rejected" && /^E[MN]FILE$/.test(file.reason.code),
    );
    if (areExhausted !== wereExhausted) report(areExhausted);
    wereExhausted = areExhausted;
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
