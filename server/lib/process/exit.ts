import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";

const THREAD_POOL_TIMEOUT_MS = 1_000;

/**
 * Ends the process. `process.exit` waits for the thread pool: with a file operation or lookup that
 * hangs, such as a log line to a pipe that is not read, it would never return.
 */
export async function exitProcess(code: number): Promise<never> {
  const isBusy = () => process.getActiveResourcesInfo().some((one) => /^FSReq|AddrInfo/.test(one));
  for (let waited = 0; isBusy(); waited += 50) {
    if (waited >= THREAD_POOL_TIMEOUT_MS) {
      process.kill(process.pid, "SIGKILL");
      // The first process of a container ignores that signal of its own.
      process.abort();
    }
    await pause(50);
  }
  process.exit(code);
}

/** Ends the process after `ms`; if its event loop is blocked, a thread kills it two seconds later. */
export function exitProcessAfter(ms: number): void {
  setTimeout(() => exitProcess(1), ms).unref();
  const code = `setTimeout(() => process.kill(process.pid, "SIGKILL"), ${ms + 2_000})`;
  new Worker(code, { eval: true, execArgv: [] }).on("error", () => {}).unref();
}
