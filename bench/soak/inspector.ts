import { once } from "node:events";
import { WebSocket } from "undici";

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
