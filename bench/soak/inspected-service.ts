import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "undici";
import { isServing } from "@/bench/environment";
import { spawnService } from "@/scripts/lib/spawn-service";
import { findFreePort } from "@/server/local/process";

/** V8 discards code that was not run lately, which would change the heap by megabytes. */
const STEADY = "--no-flush-bytecode";
const POLL_MS = 100;
/** Number of last output characters to show if the process ends too early. */
const SHOWN = 4_000;

/**
 * Starts the built service as `npm start` does, with an inspector on a loopback port. Resolves when
 * it serves. Throws with its last output if it ends before that.
 */
export async function startInspected(env: Record<string, string>) {
  const port = await findFreePort();
  const nodeArgs = ["--inspect=127.0.0.1:0", STEADY];
  const child = spawnService({ port, env, nodeArgs, output: "pipe" });
  const exited = once(child, "exit");
  let output = "";
  let debuggerUrl: string | undefined;
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-SHOWN);
      debuggerUrl ??= /Debugger listening on (ws:\S+)/.exec(output)?.[1];
    });
  }
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  while (!(debuggerUrl && (await isServing(url)))) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended before it served:\n${output}`);
    }
    await pause(POLL_MS);
  }
  const inspector = await openInspector(debuggerUrl);
  return { ...inspector, url, stop };
}

export interface Memory {
  /** Live objects of the main isolate, in bytes. */
  heap: number;
  /** Memory that V8 objects hold outside the heap, in bytes. */
  external: number;
  /** Resident memory of the process with its worker threads, in bytes. */
  rss: number;
}

/** Repeated because each collection may run finalizers, which release more. */
const COLLECTIONS = 4;

/** Connects to the inspector of a Node process at `url`, as its `--inspect` prints it. */
async function openInspector(url: string) {
  const socket = new WebSocket(url);
  await once(socket, "open");
  const ended = once(socket, "close").then(() => {
    throw new Error("the inspected process has ended");
  });
  ended.catch(() => {});

  /** Calls one method at a time; without an enabled domain, the only message is its response. */
  async function call(method: string, params: object = {}) {
    socket.send(JSON.stringify({ id: 1, method, params }));
    const [{ data }] = await Promise.race([once(socket, "message"), ended]);
    const { result, error } = JSON.parse(data);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  return {
    /** Collects garbage until that frees nothing more, and returns the memory still in use. */
    async measure(): Promise<Memory> {
      let least: Memory | null = null;
      for (let collection = 0; collection < COLLECTIONS; collection++) {
        await call("HeapProfiler.collectGarbage");
        const expression = "process.memoryUsage()";
        const { result } = await call("Runtime.evaluate", { expression, returnByValue: true });
        const { heapUsed: heap, external, rss } = result.value as NodeJS.MemoryUsage;
        if (!least || heap < least.heap) least = { heap, external, rss };
      }
      if (!least) throw new Error("nothing was measured");
      return least;
    },
    close: () => socket.close(),
  };
}
