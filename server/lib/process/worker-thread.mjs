import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { join } from "node:path";
import { workerData } from "node:worker_threads";

/** Above 0 is less urgent, so that the main thread never waits for this one on two cores. */
const NICENESS = 5;

// Before anything is loaded: with ordinary texts, loading takes most of this thread's time.
const systemId = lowerPriority();
/** Modules by path, since `import` would resolve the path at each call. */
const modules = new Map();
/** Functions that this thread has called to warm up. */
const warm = new Set();
/** Whether this thread can load TypeScript. */
let isRegistered = false;

/**
 * Runs in a worker thread: calls an exported function of a module below the project's folder. Stores the
 * system's id of this thread, or -1, and the id of the call in `workerData` as soon as the call begins,
 * after a call with `warmUp` if that is given and this is the function's first call in this thread. A
 * function that exhausts the stack, or the length of a string or array, is reported as `exhausted`, not as
 * an error.
 */
export default async function run({ module, name, args, warmUp, id }) {
  const { [name]: called } = modules.get(module) ?? (await load(module));
  if (!called) throw new Error(`${module} does not export ${name}`);
  if (warmUp && !warm.has(called)) {
    await called(...warmUp);
    warm.add(called);
  }
  Atomics.store(workerData, 0, systemId);
  Atomics.store(workerData, 1, id);
  try {
    return { value: await called(...args) };
  } catch (error) {
    if (error instanceof RangeError) return { exhausted: true };
    throw error;
  }
}

async function load(module) {
  if (module.endsWith(".ts")) await registerTypeScript();
  const loaded = await import(join(process.cwd(), module));
  modules.set(module, loaded);
  return loaded;
}

/**
 * Registers tsx, whose hooks a process registers for its main thread only. Compiled modules do not
 * need it, and an install without development dependencies does not have it.
 */
async function registerTypeScript() {
  if (isRegistered) return;
  const { register } = await import("tsx/esm/api");
  register();
  isRegistered = true;
}

/** Lowers the priority of this thread alone. Only Linux has thread priorities and thread ids. */
function lowerPriority() {
  try {
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(id, NICENESS);
    return id;
  } catch {
    return -1;
  }
}
