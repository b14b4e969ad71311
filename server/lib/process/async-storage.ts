import { AsyncLocalStorage } from "node:async_hooks";

/** Longer than what a page still does after its response, or after its visitor left. */
const IDLE_MS = 1_000;

/** Storages in use since the last time that all were disabled. */
const entered = new Set<AsyncLocalStorage<unknown>>();
let uses = 0;
let timer: NodeJS.Timeout | undefined;

const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (this: AsyncLocalStorage<unknown>, ...args: unknown[]) {
  entered.add(this);
  return Reflect.apply(run, this, args);
} as typeof run;

/**
 * Returns `work` as a function that may use instances of `AsyncLocalStorage`, also through packages: a
 * second after the last such call has ended, all instances are disabled. Up to Node 22 each
 * instance in use makes Node call hooks for every promise of the process
 * (`docs/decisions/async-hooks.md`).
 */
export function withAsyncStorage<A extends unknown[], R>(
  work: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    uses += 1;
    clearTimeout(timer);
    try {
      return await work(...args);
    } finally {
      uses -= 1;
      if (uses === 0) timer = setTimeout(disableAll, IDLE_MS).unref();
    }
  };
}

function disableAll(): void {
  for (const storage of entered) storage.disable();
  entered.clear();
}
