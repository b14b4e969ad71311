import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request,
  type ServerResponse,
} from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { listen } from "./listen";

interface Upstream {
  port: number;
  isHealthy: boolean;
  /** Requests forwarded to it whose responses are incomplete. */
  open: number;
  completed: number;
  agent: Agent;
}

export interface ReverseProxy {
  url: string;
  /**
   * Resolves when `port` receives requests, or, for `out`, when it no longer does and has completed
   * its own.
   */
  waitUntil(port: number, state: "in" | "out"): Promise<void>;
  /** Returns the number of requests it has completed so far. */
  countCompleted(port: number): number;
  close(): Promise<void>;
}

const HEALTH_CHECK_MS = 100;
const POLL_MS = 20;
const IDEMPOTENT = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"];
/** Hop-by-hop headers, valid for one connection only (RFC 9110, 7.6.1). */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding"];

/**
 * Starts a reverse proxy in front of several processes: checks the health of each and forwards
 * requests to the healthy ones, round robin, over keep-alive connections. Waits if none is healthy.
 * A request whose connection was refused goes to another process if its method is idempotent; any
 * other failure is returned to the client as 502.
 */
export async function startReverseProxy(ports: number[]): Promise<ReverseProxy> {
  const upstreams = ports.map(
    (port): Upstream => ({
      port,
      isHealthy: false,
      open: 0,
      completed: 0,
      agent: new Agent({ keepAlive: true }),
    }),
  );
  const closing = new AbortController();
  const checks = upstreams.map((upstream) => checkHealth(upstream, closing.signal));

  let next = 0;
  async function chooseUpstream(): Promise<Upstream> {
    for (; ; await pause(POLL_MS, undefined, { signal: closing.signal })) {
      const healthy = upstreams.filter(({ isHealthy }) => isHealthy);
      const chosen = healthy[next++ % healthy.length];
      if (chosen) return chosen;
    }
  }

  async function handle(req: IncomingMessage, res: ServerResponse, body: Buffer): Promise<void> {
    const upstream = await chooseUpstream();
    upstream.open += 1;
    try {
      await forward(upstream, req, res, body);
      upstream.completed += 1;
    } catch (error) {
      const refused = (error as NodeJS.ErrnoException).code === "ECONNREFUSED";
      if (refused && IDEMPOTENT.includes(req.method ?? "")) {
        upstream.isHealthy = false;
        return handle(req, res, body);
      }
      if (res.headersSent) res.destroy();
      else res.writeHead(502).end(String(error));
    } finally {
      upstream.open -= 1;
    }
  }

  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    await handle(req, res, Buffer.concat(chunks)).catch(() => res.destroy());
  });
  server.keepAliveTimeout = 0;
  const { url, close } = await listen(server);
  const find = (port: number) => upstreams.find((upstream) => upstream.port === port) as Upstream;
  return {
    url,
    async waitUntil(port, state) {
      const upstream = find(port);
      const isReached = () =>
        state === "in" ? upstream.isHealthy : !upstream.isHealthy && upstream.open === 0;
      while (!isReached()) await pause(POLL_MS);
    },
    countCompleted: (port) => find(port).completed,
    async close() {
      closing.abort();
      await Promise.all(checks);
      await close();
      for (const { agent } of upstreams) agent.destroy();
    },
  };
}

async function checkHealth(upstream: Upstream, signal: AbortSignal): Promise<void> {
  const url = `http://127.0.0.1:${upstream.port}/api/health`;
  while (!signal.aborted) {
    upstream.isHealthy = await fetch(url, { signal }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    await pause(HEALTH_CHECK_MS, undefined, { signal }).catch(() => {});
  }
}

/** Forwards a request. Resolves when the whole response was passed on. */
function forward(
  { port, agent }: Upstream,
  req: IncomingMessage,
  res: ServerResponse,
  body: Buffer,
): Promise<void> {
  const headers = { ...omitHopByHop(req.headers), "content-length": String(body.length) };
  const options: RequestOptions = { port, agent, method: req.method, path: req.url, headers };
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", ...options }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, omitHopByHop(answer.headers));
      answer.pipe(res);
      answer.on("end", resolve).on("error", reject);
    });
    outgoing.on("error", reject).end(body);
  });
}

const omitHopByHop = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
