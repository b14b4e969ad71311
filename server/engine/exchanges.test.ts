import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseEnv } from "@/server/lib/env";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import {
  actions,
  buildCall,
  define,
  EXCHANGES,
  hash,
} from "@/server/testing/engine/inngest-exchanges";
import { deriveBearer, signCall } from "@/server/testing/engine/inngest-signature";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { openEngine } from "./engine";

const KEY = `signkey-test-${"5".repeat(64)}`;
const log = pino({ level: "silent" });
beforeEach(() => {
  actions.length = 0;
});

interface Endpoint {
  post(query: string, body: string): Promise<Response>;
  close(): Promise<void>;
}

let server: Receiver;
let checkpointStatus = 200;
let database: TestDatabase;

/** Returns the handler that an Inngest server calls, over HTTP and signed. */
async function openMounted(): Promise<Endpoint> {
  const env = parseEnv({
    INNGEST_BASE_URL: new URL(server.url).origin,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: KEY,
    INNGEST_SERVE_ORIGIN: "https://standing.example",
  });
  const engine = openEngine({ env, databaseUrl: database.url, log, functions: define() });
  await engine.start(undefined);
  const listening: Listening = await serveHandler(
    async (request) => (await engine.handle?.(request)) as Response,
  );
  return {
    post: (query, body) =>
      fetch(`${listening.url}/api/inngest${query}`, {
        method: "POST",
        headers: { "x-inngest-signature": signCall(body, KEY), "content-type": "application/json" },
        body,
      }),
    async close() {
      await listening.close();
      await engine.stop();
    },
  };
}

beforeAll(async () => {
  [database, server] = await Promise.all([
    createTestDatabase(),
    startReceiver({
      answer: () => (response) => response.writeHead(checkpointStatus).end("{}"),
    }),
  ]);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

describe("the endpoint that an Inngest server calls", () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await openMounted();
  });
  afterAll(() => endpoint.close());

  test.each(EXCHANGES)(
    "$name",
    async ({ call, status, noRetry, retryAfter, answer, actions: done }) => {
      const response = await endpoint.post(...buildCall(call));
      const body = await response.json();
      expect(response.status, JSON.stringify(body)).toBe(status);
      if (Array.isArray(answer)) expect(body).toHaveLength(answer.length);
      expect({ body }).toMatchObject({ body: answer });
      if (noRetry) expect(response.headers.get("x-inngest-no-retry")).toBe(noRetry);
      expect(response.headers.get("retry-after")).toBe(retryAfter ?? null);
      if (status < 500) expect(response.headers.get("x-inngest-req-version")).toBe("2");
      expect(actions).toEqual(done);
    },
  );
});

describe("a run with checkpoints", () => {
  let endpoint: Endpoint;
  beforeAll(async () => {
    endpoint = await openMounted();
  });
  afterAll(() => endpoint.close());
  const ctx = { fn_id: "a-function", qi_id: "an-item" };

  test("stores each step through the server's API, authenticated by the key, and ends", async () => {
    const response = await endpoint.post(...buildCall({ fn: "two", n: 1, ctx }));
    expect(response.status).toBe(206);
    expect(await response.json()).toMatchObject([
      { op: "RunComplete", data: ["first of 1", "second"] },
    ]);
    const saved = server.requests.map(({ url, method, headers, body }) => {
      expect({ url, method }).toEqual({
        url: "/v1/checkpoint/01JD0000000000000000000000/async",
        method: "POST",
      });
      expect(headers.authorization).toBe(deriveBearer(KEY));
      return JSON.parse(body.toString());
    });
    expect(saved.map(({ steps }) => steps[0]?.id)).toEqual(["first", "second"].map(hash));
    for (const { qi_id, run_id, fn_id } of saved) {
      expect({ qi_id, run_id, fn_id }).toEqual({
        qi_id: "an-item",
        run_id: "01JD0000000000000000000000",
        fn_id: "a-function",
      });
    }
  });

  test("stops when the server reports that another worker has the run", async () => {
    checkpointStatus = 409;
    const response = await endpoint.post(...buildCall({ fn: "two", ctx }));
    expect(actions).toEqual(["first of 0"]);
    expect(response.status).toBe(400);
    checkpointStatus = 200;
  });
});
