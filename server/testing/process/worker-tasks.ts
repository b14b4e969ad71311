import { threadId } from "node:worker_threads";

/** Functions that tests of the worker pool run in its threads. */

export const echo = (value: unknown): unknown => value;

export function spin(): never {
  for (;;);
}

export function fill(): never {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => at + 0.5));
}

export function nest(): never {
  return nest();
}

export function fail(): never {
  throw new TypeError("a fault of the code");
}

/** Returns what cannot be cloned between threads. */
export const returnFunction = () => () => {};

/** Throws what cannot be cloned between threads. */
export function throwFunction(): never {
  throw () => {};
}

/** Identifies the thread that calls it. */
export const getThreadId = (_text: string): number => threadId;

export const listVariables = (): string[] => Object.keys(process.env);

let isCompiled = false;

/** Takes 700 ms the first time: the pool measures time every 250 ms. */
export function compileOnce(): string {
  for (const end = performance.now() + 700; !isCompiled && performance.now() < end; );
  isCompiled = true;
  return "done";
}
