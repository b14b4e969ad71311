import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isNativeError } from "node:util/types";
import { Piscina } from "piscina";
import { IS_PRODUCTION } from "@/server/lib/env";
import { FairQueue, type QueueKey } from "./fair-queue";

/** One call of `worker-thread.mjs`. */
interface ThreadCall {
  module: string;
  name: string;
  args: unknown[];
  warmUp: unknown[] | null;
  id: number;
}
type ThreadResult = { value: unknown } | { exhausted: true };

/**
 * The result of a function in a worker thread: its value, or the limit of time or memory that ended
 * it. In that case the text counts as unchecked.
 */
export type LimitedResult<T> = { ok: true; value: T } | { ok: false; limit: "time" | "memory" };

/**
 * Three threads. `quick` takes texts of usual length and request bodies; `heavy` takes long
 * texts, so that slow ones delay only each other; `scores` takes long ledgers, whose transactions
 * must not wait for any text.
 */
type PoolName = "quick" | "heavy" | "scores";

/** Longer texts go to the thread `heavy`. */
export const QUICK_CHARACTERS = 32_768;
/** The way to a thread and back takes longer than a linear function of this many characters. */
const SHORT_CHARACTERS = 4_096;
const HEAP_MB: Record<PoolName, number> = { quick: 192, heavy: 384, scores: 512 };
/** CPU time in milliseconds that one call may use. */
const TIME_MS: Record<PoolName, number> = { quick: 1_000, heavy: 3_000, scores: 60_000 };
/**
 * A thread on a busy processor may take this many times its limit in wall-clock time. Its priority
 * is low, and a thread that is ended too early costs a new one that loads everything again.
 */
const MAX_WALL_TIME_FACTOR = 20;
const CHECK_INTERVAL_MS = 250;

interface Pool {
  /** Calls wait here and not in Piscina, whose queue is first in, first out. */
  queue: FairQueue;
  piscina: Piscina<ThreadCall, ThreadResult>;
  /** Unfinished calls by id. */
  watched: Map<number, WatchedCall>;
  timer: NodeJS.Timeout;
}

interface WatchedCall {
  timeMs: number;
  timeout: AbortController;
  start?: { clock: number; computed: number | null };
}

const pools = new Map<PoolName, Pool>();
let lastId = 0;

/** A function that runs in a worker thread. */
interface InWorker<A extends unknown[], R> {
  (...args: A): Promise<LimitedResult<Awaited<R>>>;
  /** Returns the function with calls that alternate with those of other submitters. */
  for(queueKey: QueueKey | undefined): (...args: A) => Promise<LimitedResult<Awaited<R>>>;
}

/**
 * Wraps an exported function of a module so that each call runs in a worker thread, under limits of
 * time and memory. Use it for computations on untrusted text that might take more than 20 ms.
 * Arguments and result are copied. The wrapped call resolves to the limit that ended it, and
 * rejects with what the function throws.
 * @param module Path below the project's folder. The build must compile it (`scripts/lib/compile.mjs`).
 * @param options.warmUp Arguments of a call that each thread makes first, outside the limits, for
 *   functions whose first call takes long because it compiles many patterns.
 * @param options.forShort The function itself, if a text of 4,096 characters takes it at most a few
 *   milliseconds: such short arguments then stay in this thread.
 * @param options.pool By default `quick` for arguments of at most 32,768 characters, else `heavy`.
 */
export function inWorker<A extends unknown[], R>(
  module: string,
  name: string,
  options: { pool?: PoolName; timeMs?: number; warmUp?: A; forShort?: (...args: A) => R } = {},
): InWorker<A, R> {
  const { forShort } = options;
  let path: string | undefined;
  const call = async (queueKey: QueueKey | undefined, args: A) => {
    if (forShort && countCharacters(args) <= SHORT_CHARACTERS) {
      return { ok: true as const, value: await forShort(...args) };
    }
    path ??= resolveModule(module);
    const pool = options.pool ?? choosePool(args);
    const result = await runWithinLimits(
      pool,
      queueKey,
      { module: path, name, args, warmUp: options.warmUp ?? null },
      options.timeMs ?? TIME_MS[pool],
    );
    return "value" in result
      ? { ok: true as const, value: result.value as Awaited<R> }
      : { ok: false as const, limit: result.limit };
  };
  return Object.assign((...args: A) => call(undefined, args), {
    for:
      (queueKey: QueueKey | undefined) =>
      (...args: A) =>
        call(queueKey, args),
  });
}

/** Returns the path of the build's output for `module` in production, else `module` itself. */
function resolveModule(module: string): string {
  const compiled = join("dist", module.replace(/\.ts$/, ".mjs"));
  return IS_PRODUCTION && existsSync(join(process.cwd(), compiled)) ? compiled : module;
}

/** Ends the threads once their calls have finished; a later call starts new ones. */
export async function closeWorkerPool(): Promise<void> {
  const open = [...pools.values()];
  pools.clear();
  await Promise.all(
    open.map(async ({ piscina, timer }) => {
      await piscina.close();
      clearInterval(timer);
    }),
  );
}

async function runWithinLimits(
  name: PoolName,
  queueKey: QueueKey | undefined,
  task: Omit<ThreadCall, "id">,
  timeMs: number,
): Promise<{ value: unknown } | { limit: "time" | "memory" }> {
  const { piscina, queue, watched } = getPool(name);
  const release = await queue.acquire(queueKey);
  const timeout = new AbortController();
  // An integer of 32 bits, as the thread stores it.
  lastId = (lastId + 1) | 0;
  const id = lastId;
  watched.set(id, { timeMs, timeout });
  try {
    const result = await piscina.run({ ...task, id }, { signal: timeout.signal });
    return "value" in result ? result : { limit: "memory" };
  } catch (error) {
    if (timeout.signal.aborted) return { limit: "time" };
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
      return { limit: "memory" };
    }
    // What no thread can receive arrives as an error without a message.
    if (isNativeError(error) && error.message) throw error;
    throw new Error(`${task.name} in ${task.module} returned or threw what no thread can receive`);
  } finally {
    watched.delete(id);
    release();
  }
}

function getPool(name: PoolName): Pool {
  const running = pools.get(name);
  if (running) return running;
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const piscina = new Piscina<ThreadCall, ThreadResult>({
    // Relative to the project's folder and not to this file, which Next bundles.
    filename: join(process.cwd(), "server/lib/process/worker-thread.mjs"),
    execArgv: [],
    // Empty, since the environment holds keys.
    env: {},
    workerData: state,
    // With fewer, a call queued behind an aborted one would wait forever.
    minThreads: 1,
    maxThreads: 1,
    // A call may take this long before its limit ends it.
    closeTimeout: MAX_WALL_TIME_FACTOR * TIME_MS[name],
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB[name], maxYoungGenerationSizeMb: 32 },
  });
  const watched: Pool["watched"] = new Map();
  const timer = setInterval(() => checkTime(state, watched), CHECK_INTERVAL_MS).unref();
  const pool = { piscina, queue: new FairQueue(1), watched, timer };
  pools.set(name, pool);
  return pool;
}

function choosePool(args: unknown[]): PoolName {
  return countCharacters(args) > QUICK_CHARACTERS ? "heavy" : "quick";
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + countCharacters(member), 0);
}

/**
 * Ends the call that a thread says in `state` to run if it takes too long; time in the queue does not
 * count. Measures CPU time, so that the same text gets the same result on a busy machine.
 */
function checkTime(state: Int32Array, watched: Pool["watched"]): void {
  const call = watched.get(Atomics.load(state, 1));
  if (!call) return;
  const { timeMs, timeout } = call;
  const computed = readCpuTimeMs(Atomics.load(state, 0));
  call.start ??= { clock: performance.now(), computed };
  const { start } = call;
  const elapsed = performance.now() - start.clock;
  const used = computed === null || start.computed === null ? elapsed : computed - start.computed;
  if (used >= timeMs || elapsed >= timeMs * MAX_WALL_TIME_FACTOR) timeout.abort();
}

/** Returns the CPU time in milliseconds of a thread so far; null if Linux does not report it. */
function readCpuTimeMs(thread: number): number | null {
  if (thread < 0) return null;
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    return null;
  }
}
