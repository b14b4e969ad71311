import { open } from "node:fs/promises";
import { devNull } from "node:os";

const INTERVAL_MS = 5_000;

/**
 * Calls `report` when this process has run out of file descriptors, and when it has some again. Nothing
 * else would show it: connections that cannot be accepted are closed without an error. Returns a
 * function that ends the watch.
 */
export function watchFileDescriptors(
  report: (areExhausted: boolean) => void,
  intervalMs = INTERVAL_MS,
): () => void {
  let wereExhausted = false;
  const timer = setInterval(async () => {
    const areExhausted = await open(devNull).then(
      (file) => file.close().then(() => false),
      ({ code }) => code === "EMFILE" || code === "ENFILE",
    );
    if (areExhausted !== wereExhausted) report(areExhausted);
    wereExhausted = areExhausted;
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}
