import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "undici";
import { spawnService } from "@/scripts/lib/spawn-service";
import { findFreePort } from "@/server/local/process";

export interface InspectedService extends Inspector {
  url: string;
  stop(): Promise<void>;
}

/** V8 discards code that was not run lately, which would change the heap by megabytes. */
const STEADY = "--no-flush-bytecode";
const POLL_MS = 100;
/** Number of last output characters to show if the process ends too early. */
const SHOWN = 4_000;

/**
 * Starts the built service as `npm start` does, with an inspector on a loopback port. Resolves when
 * it serves. Throws with its last output if it ends before that.
 */
export async function startInspected(env: Record<string, string>): Promise<InspectedService> {
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

const isServing = (url: string): Promise<boolean> =>
  fetch(`${url}/api/health`).then(
    ({ ok }) => ok,
    () => false,
  );

export interface Memory {
  /** Live objects of the main isolate, in bytes. */
  heap: number;
  /** Memory that V8 objects hold outside the heap, in bytes. */
  external: number;
  /** Resident memory of the process with its worker threads, in bytes. */
  rss: number;
}

export interface Inspector {
  /** Collects garbage until that frees nothing more, and returns the memory still in use. */
  measure(): Promise<Memory>;
  close(): void;
}

interface Response {
  id: number;
  result?: unknown;
  error?: { message: string };
}

/** Repeated because each collection may run finalizers, which release more. */
const COLLECTIONS = 4;

/** Connects to the inspector of a Node process at `url`, as its `--inspect` prints it. */
export async function openInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  const responses = new Map<number, (response: Response) => void>();
  socket.addEventListener("message", ({ data }) => {
    const response = JSON.parse(data);
    responses.get(response.id)?.(response);
    responses.delete(response.id);
  });
  await once(socket, "open");
  const ended = once(socket, "close").then(() => {
    throw new Error("the inspected process has ended");
  });
  ended.catch(() => {});
  let calls = 0;

  async function call<T>(method: string, params: object = {}): Promise<T> {
    const id = ++calls;
    const responding = new Promise<Response>((resolve) => responses.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await Promise.race([responding, ended]);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result as T;
  }

  return {
    async measure() {
      let least: Memory | null = null;
      for (let collection = 0; collection < COLLECTIONS; collection++) {
        await call("HeapProfiler.collectGarbage");
        const { result } = await call<{ result: { value: NodeJS.MemoryUsage } }>(
          "Runtime.evaluate",
          { expression: "process.memoryUsage()", returnByValue: true },
        );
        const { heapUsed: heap, external, rss } = result.value;
        if (!least || heap < least.heap) least = { heap, external, rss };
      }
      if (!least) throw new Error("nothing was measured");
      return least;
    },
    close: () => socket.close(),
  };
}
