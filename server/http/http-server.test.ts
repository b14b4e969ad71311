import { EventEmitter, once } from "node:events";
import {
  Agent,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { waitFor } from "@/server/testing/engine/engine";
import { readOperations } from "@/server/testing/fuzz/contract";
import { connectIdleClients, measureMemory } from "@/server/testing/http/idle-clients";
import { exchange, type Listening, listen } from "@/server/testing/http/listen";
import { startTestService, type TestService } from "@/server/testing/service";
import { createHttpServer, makeDrainable } from "./http-server";
import { createRequestHandler } from "./request-handler";

const MIB = 1_048_576;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

async function listening(
  listener: RequestListener,
  limits?: Parameters<typeof createHttpServer>[1],
): Promise<number> {
  const { port, close } = await listen(createHttpServer(listener, limits));
  cleanups.push(close);
  return port;
}

test("an idle connection is kept for longer than proxies keep theirs", async () => {
  const port = await listening((_req, res) => res.end());
  const { headers } = await fetch(`http://127.0.0.1:${port}`);
  expect(headers.get("keep-alive")).toBe("timeout=75");
});

describe("a slow connection", () => {
  const quick = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
  const echo: RequestListener = (req, res) => {
    req.on("error", () => {}).on("end", () => res.end("done"));
    req.resume();
  };

  test.each([
    ["sends nothing", ""],
    ["never ends its head", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "],
    ["never ends its body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nx"],
  ])("is closed with a 408 if it %s", async (_, sends) => {
    const received = await exchange(await listening(echo, quick), sends);
    expect(received.slice(0, 12)).toBe("HTTP/1.1 408");
  });

  test("is closed even if it sends byte by byte", async () => {
    const port = await listening(echo, quick);
    const received = await exchange(port, "GET / HTTP/1.1\r\nX-Slow: ", (socket) => {
      const drip = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(drip));
    });
    expect(received.slice(0, 12)).toBe("HTTP/1.1 408");
  });

  test("is closed if it does not read its response", async () => {
    const connections = new EventEmitter();
    const cut = once(connections, "cut");
    const port = await listening(
      (_req, res) => {
        res.on("close", () => connections.emit("cut"));
        const pour = () => {
          while (!res.destroyed && res.write("x".repeat(65_536)));
        };
        res.on("drain", pour);
        pour();
      },
      { stalledTimeout: 300 },
    );
    const socket = connect(port, "127.0.0.1", () => {
      socket.pause();
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    });
    socket.on("error", () => {});
    await cut;
    socket.destroy();
  });

  test("may be silent during a call of an Inngest server", async () => {
    const held: ServerResponse[] = [];
    const transports = { inngest: async () => new Response() } as unknown as Parameters<
      typeof createRequestHandler
    >[0];
    const pages = async (_req: unknown, res: ServerResponse) => void held.push(res);
    const port = await listening(createRequestHandler(transports, pages), { stalledTimeout: 300 });
    const head = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
    const call = exchange(port, head("/api/inngest?fnId=standing-a&stepId=step"));
    await waitFor(async () => held.length === 1);
    // The later request is not such a call and was silent for too long.
    expect(await exchange(port, head("/"))).toBe("");
    held[0]?.end("done");
    expect(await call).toContain("done");
  });

  test("is refused when all connections are in use, without closing others", async () => {
    const port = await listening(echo, { maxConnections: 2 });
    const asked = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    const kept: Socket[] = [];
    const first = exchange(port, asked, (socket) => kept.push(socket));
    const second = exchange(port, asked, (socket) => kept.push(socket));
    await waitFor(async () => kept.length === 2);
    expect(await exchange(port, asked)).toBe("");
    for (const socket of kept) socket.end();
    expect((await first) + (await second)).toContain("done");
    await waitFor(
      async () => (await exchange(port, `${asked.slice(0, -2)}Connection: close\r\n\r\n`)) !== "",
    );
  });
});

test("refuses a head that is too long and serves the next request", async () => {
  const port = await listening((_req, res) => void res.end("done"));
  const long = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`;
  expect((await exchange(port, long)).slice(0, 12)).toBe("HTTP/1.1 431");
  const many = `GET / HTTP/1.1\r\nHost: x\r\n${"X-Many: x\r\n".repeat(5_000)}\r\n`;
  expect((await exchange(port, many)).slice(0, 12)).toBe("HTTP/1.1 431");
  expect(await exchange(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")).toContain(
    "done",
  );
});

describe("an invalid request line or Host", () => {
  const pages = async (_req: unknown, res: ServerResponse) => void res.end("a page");
  const ask = async (head: string) => {
    const transports = {} as unknown as Parameters<typeof createRequestHandler>[0];
    const received = await exchange(await listening(createRequestHandler(transports, pages)), head);
    const [headers = "", body = ""] = received.split("\r\n\r\n");
    return { status: headers.slice(9, 12), headers, body };
  };

  test.each([
    ["two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["one host twice", "GET / HTTP/1.1\r\nHost: a\r\nhOST: a\r\n\r\n"],
    ["two hosts by HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"],
    ["two hosts in one line", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"],
    ["no host", "GET / HTTP/1.1\r\nAccept: */*\r\n\r\n"],
    ["an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"],
    ["a host that is a path", "GET / HTTP/1.1\r\nHost: a/../b\r\n\r\n"],
    ["a host with a user", "GET / HTTP/1.1\r\nHost: a@b\r\n\r\n"],
    ["a port out of range", "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"],
    ["no version", "GET /\r\n\r\n"],
    ["no version, but a host", "GET /\r\nHost: a\r\n\r\n"],
    ["version 0.9", "GET / HTTP/0.9\r\nHost: a\r\n\r\n"],
    ["version 2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n"],
    ["a path that cannot be decoded", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n"],
  ])("responds to %s with a problem and closes the connection", async (_, head) => {
    const { status, headers, body } = await ask(head);
    expect(status).toBe("400");
    expect(headers).toMatch(/content-type: application\/problem\+json/i);
    expect(headers).toMatch(/connection: close/i);
    expect(JSON.parse(body)).toMatchObject({ code: "invalid-request", status: 400 });
  });

  test.each([
    ["an unknown version", "GET / HTTP/1.2\r\nHost: a\r\n\r\n"],
    ["no request line", "hello\r\n\r\n"],
    ["two lengths", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ])("responds to %s, which the parser refuses, with an empty 400", async (_, head) => {
    expect(await ask(head)).toMatchObject({ status: "400", body: "" });
  });

  test.each([
    "GET / HTTP/1.1\r\nHost: localhost:3000\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: [::1]:3000\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: my_host.example\r\nConnection: close\r\n\r\n",
    "GET / HTTP/1.0\r\n\r\n",
  ])("serves %j", async (head) => {
    expect(await ask(head)).toMatchObject({ status: "200" });
  });
});

describe("the whole service", { timeout: 180_000 }, () => {
  let service: TestService;
  let port: number;
  let server: Listening;
  beforeAll(async () => {
    service = await startTestService();
    const health: Parameters<typeof createRequestHandler>[1] = async (_req, res) => {
      const { status } = await service.runtime.health();
      res.writeHead(status === "ok" ? 200 : 503).end();
    };
    // Far above any delay of a slow machine: the timeouts are tested above.
    const longTimeouts = { headersTimeout: 600_000, requestTimeout: 600_000 };
    const handler = createRequestHandler(service.runtime, health);
    server = await listen(createHttpServer(handler, longTimeouts));
    port = server.port;
  });
  afterAll(async () => {
    await server.close();
    await service.close();
  });

  const at = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const post = (path: string, body: string, key?: string, method = "POST") =>
    at(`/api/v1${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...(key ? { "X-API-Key": key } : {}) },
      body,
    });

  test("refuses deeply nested bodies on every operation", async () => {
    const { apiKey } = await service.agent({ proven: true });
    const operations = readOperations((await service.call("GET", "/openapi.json")).body);
    const taking = operations.filter(({ body }) => body);
    expect(taking.length).toBeGreaterThan(4);
    const [arrays, objects] = [
      "[".repeat(MIB / 2) + "]".repeat(MIB / 2),
      `${'{"a":'.repeat(150_000)}1${"}".repeat(150_000)}`,
    ];
    for (const { method, path } of taking) {
      for (const body of [arrays, objects, `{"name":${arrays.slice(10, -10)}}`]) {
        const target = path.replace(/\{\w+\}/, crypto.randomUUID());
        const answer = await post(target, body, apiKey, method);
        const { code, errors } = await answer.json();
        // Refused because of the body before it is parsed, not by an operation's own limits.
        expect(code === "rate-limited" ? code : errors?.[0]?.code, path).toMatch(
          /^(rate-limited|too-deep)$/,
        );
      }
    }
  });

  test("keeps responding with bounded memory during thousands of open connections", async () => {
    expect((await at("/api/health")).status).toBe(200);
    const before = measureMemory();
    const idle = await connectIdleClients(port, 2_500, "");
    const begun = await connectIdleClients(
      port,
      500,
      "GET /api/v1/network HTTP/1.1\r\nHost: x\r\nX-Slow: ",
    );
    expect(await idle.countConnected()).toBe(2_500);
    expect((await at("/api/health")).status).toBe(200);
    expect((await at("/api/v1/network")).status).toBe(200);
    expect(measureMemory() - before).toBeLessThan(150 * MIB);
    await Promise.all([idle.disconnect(), begun.disconnect()]);
  });

  test("accepts small bodies in bounded memory while many large ones arrive", async () => {
    const wallet = "0x52908400098527886E0F7030069857D2E4169EE7";
    const small = () => post("/reputation/bulk", JSON.stringify([wallet]));
    const large = () => post("/reputation/bulk", JSON.stringify([wallet]) + " ".repeat(900_000));
    expect((await large()).status).toBe(200);
    const before = measureMemory();
    const head = `POST /api/v1/reputation/bulk HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MIB}\r\n\r\n`;
    const crowd = await connectIdleClients(port, 200, head + " ".repeat(1_000_000));

    const refused = await waitFor(async () => {
      const answer = await large();
      return answer.status === 503 && answer;
    });
    expect(refused.headers.get("Retry-After")).toBe("5");
    expect(await refused.json()).toMatchObject({ code: "unavailable" });
    expect((await small()).status).toBe(200);
    expect((await at("/api/health")).status).toBe(200);
    expect(measureMemory() - before).toBeLessThan(128 * MIB);

    await crowd.disconnect();
    await waitFor(async () => (await large()).status === 200);
  });
});

/**
 * Starts a server whose requests to `/held` wait, and a client that keeps its connections alive.
 */
async function setUp() {
  const held: ServerResponse[] = [];
  const server = createServer((req, res) => {
    if (req.url === "/held") held.push(res);
    else res.end("at once");
  });
  const draining = makeDrainable(server);
  const { port } = await listen(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanups.push(() => agent.destroy());
  const ask = async (path: string, through = agent) => {
    const response = await new Promise<IncomingMessage>((answered, failed) => {
      request({ port, path, agent: through }, answered).on("error", failed).end();
    });
    return { connection: response.headers.connection, text: await text(response) };
  };
  const skipWait = new AbortController();
  return { ask, held, agent, skipWait, drain: (ms: number) => draining.drain(ms, skipWait.signal) };
}

const FOREVER = 2_000_000_000;
/** Creates an agent with its own connection. */
function createAgent(): Agent {
  const agent = new Agent({ keepAlive: true });
  cleanups.push(() => agent.destroy());
  return agent;
}

test("serves requests while it drains, with Connection: close", async () => {
  const { ask, held, drain, skipWait } = await setUp();
  expect((await ask("/")).connection).toBe("keep-alive");
  const pending = ask("/held", createAgent());
  await waitFor(async () => held.length === 1);
  const drained = drain(FOREVER);
  expect(await ask("/")).toEqual({ connection: "close", text: "at once" });
  expect(await ask("/")).toEqual({ connection: "close", text: "at once" });
  held[0]?.end("later");
  expect(await pending).toEqual({ connection: "close", text: "later" });
  skipWait.abort();
  await drained;
});

test("accepts no connections after draining and finishes open requests", async () => {
  const { ask, held, drain } = await setUp();
  const pending = ask("/held");
  await waitFor(async () => held.length === 1);
  let ended = false;
  const drained = drain(0).then(() => {
    ended = true;
  });
  await waitFor(() =>
    ask("/", createAgent()).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    ),
  );
  expect(ended).toBe(false);
  held[0]?.end("later");
  expect((await pending).text).toBe("later");
  await drained;
});

test("closes idle connections", async () => {
  const { ask, agent, drain } = await setUp();
  await ask("/");
  const kept = Object.values(agent.freeSockets).flat()[0];
  expect(kept?.destroyed).toBe(false);
  await drain(0);
  await waitFor(async () => kept?.destroyed);
});
