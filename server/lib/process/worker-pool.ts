import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Piscina } from "piscina";
import { IS_PRODUCTION } from "@/server/lib/env";

/** One call of `worker-thread.mjs`. */
interface ThreadCall {
  module: string;
  name: string;
  args: unknown[];
  warmUp: unknown[] | null;
  startedThread: Int32Array;
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
type Lane = "quick" | "heavy" | "scores";

const QUICK_CHARACTERS = 32_768;
/** The way to a thread and back takes longer than a linear function of this many characters. */
const SHORT_CHARACTERS = 4_096;
const HEAP_MB: Record<Lane, number> = { quick: 192, heavy: 384, scores: 512 };
/** CPU time in milliseconds that one call may use. */
const TIME_MS: Record<Lane, number> = { quick: 1_000, heavy: 3_000, scores: 60_000 };
/**
 * A thread on a busy processor may take this many times its limit in wall-clock time. Its priority
 * is low, and a thread that is ended too early costs a new one that loads everything again.
 */
const MAX_WALL_TIME_FACTOR = 20;
const CHECK_INTERVAL_MS = 250;

const pools = new Map<Lane, Piscina<ThreadCall, ThreadResult>>();

/**
 * Wraps an exported function of a module so that each call runs in a worker thread, under limits of
 * time and memory. Use it for computations on untrusted text that might take more than 20 ms.
 * Arguments and result are copied. The wrapped call resolves to the limit that ended it, and
 * rejects with what the function throws.
 * @param module Path below the project's folder.
 * @param options.warmUp Arguments of a call that each thread makes first, outside the limits, for
 *   functions whose first call takes long because it compiles many patterns.
 * @param options.forShort The function itself, if a text of 4,096 characters takes it at most a few
 *   milliseconds: such short arguments then stay in this thread.
 * @param options.lane By default `quick` for arguments of at most 32,768 characters, else `heavy`.
 */
export function inWorker<A extends unknown[], R>(
  module: string,
  name: string,
  options: { lane?: Lane; timeMs?: number; warmUp?: A; forShort?: (...args: A) => R } = {},
): (...args: A) => Promise<LimitedResult<Awaited<R>>> {
  return async (...args) => {
    const { forShort } = options;
    if (forShort && countCharacters(args) <= SHORT_CHARACTERS) {
      return { ok: true, value: await forShort(...args) };
    }
    const lane = options.lane ?? chooseLane(args);
    const result = await runWithinLimits(
      lane,
      { module: resolveModule(module), name, args, warmUp: options.warmUp ?? null },
      options.timeMs ?? TIME_MS[lane],
    );
    return "value" in result
      ? { ok: true, value: result.value as Awaited<R> }
      : { ok: false, limit: result.limit };
  };
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
  await Promise.all(open.map((pool) => pool.close()));
}

async function runWithinLimits(
  lane: Lane,
  task: Omit<ThreadCall, "startedThread">,
  timeMs: number,
): Promise<{ value: unknown } | { limit: "time" | "memory" }> {
  const startedThread = new Int32Array(new SharedArrayBuffer(4));
  const timeout = new AbortController();
  const stopWatching = watchTime(startedThread, timeMs, () => timeout.abort());
  try {
    const result = await getPool(lane).run({ ...task, startedThread }, { signal: timeout.signal });
    return "value" in result ? result : { limit: "memory" };
  } catch (error) {
    if (timeout.signal.aborted) return { limit: "time" };
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
      return { limit: "memory" };
    }
    throw error;
  } finally {
    stopWatching();
  }
}

function getPool(lane: Lane): Piscina<ThreadCall, ThreadResult> {
  const running = pools.get(lane);
  if (running) return running;
  const pool = new Piscina<ThreadCall, ThreadResult>({
    // Relative to the project's folder and not to this file, which Next bundles.
    filename: join(process.cwd(), "server/lib/process/worker-thread.mjs"),
    execArgv: [],
    // Empty, since the environment holds keys.
    env: {},
    // With fewer, a call queued behind an aborted one would wait forever.
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB[lane], maxYoungGenerationSizeMb: 32 },
  });
  pools.set(lane, pool);
  return pool;
}

function chooseLane(args: unknown[]): Lane {
  return countCharacters(args) > QUICK_CHARACTERS ? "heavy" : "quick";
}

function countCharacters(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, member) => sum + countCharacters(member), 0);
}

/**
 * Calls `onTimeout` once the call that set `startedThread` takes too long; time in the queue does not count.
 * Measures CPU time, so that the same text gets the same result on a busy machine. Returns a function that
 * stops watching.
 */
function watchTime(startedThread: Int32Array, timeMs: number, onTimeout: () => void): () => void {
  let start: { clock: number; computed: number | null } | undefined;
  const timer = setInterval(() => {
    const thread = Atomics.load(startedThread, 0);
    if (thread === 0) return;
    const computed = readCpuTimeMs(thread);
    start ??= { clock: performance.now(), computed };
    const elapsed = performance.now() - start.clock;
    const used = computed === null || start.computed === null ? elapsed : computed - start.computed;
    if (used >= timeMs || elapsed >= timeMs * MAX_WALL_TIME_FACTOR) onTimeout();
  }, CHECK_INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
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
