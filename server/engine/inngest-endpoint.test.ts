import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { GET, POST, PUT } from "@/app/api/inngest/route";
import { type Runtime, setRuntime } from "@/server/bootstrap/runtime";
import { defineFunction } from "@/server/lib/background-function";
import { parseEnv } from "@/server/lib/env";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import {
  deriveBearer,
  isSignedResponse,
  signCall,
} from "@/server/testing/engine/inngest-signature";
import { type Listening, serveHandler } from "@/server/testing/http/listen";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { type Engine, openEngine } from "./engine";

const KEY = `signkey-test-${"5".repeat(64)}`;
const NEXT_KEY = `signkey-test-${"6".repeat(64)}`;
const log = pino({ level: "silent" });

/** Number of calls of the function. */
let calls = 0;
let database: TestDatabase;
let server: Receiver;
let engine: Engine<unknown>;
let listening: Listening;
beforeAll(async () => {
  database = await createTestDatabase();
  server = await startReceiver({
    answer: () => (response) =>
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ ok: true, status: 200, modified: true })),
  });
  const env = parseEnv({
    INNGEST_BASE_URL: new URL(server.url).origin,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: KEY,
    INNGEST_SIGNING_KEY_FALLBACK: NEXT_KEY,
    PUBLIC_URL: "https://standing.example",
  });
  const count = defineFunction(
    { id: "count", retries: 3, triggers: [{ event: "count" }] },
    () => ++calls,
  );
  engine = openEngine({ env, databaseUrl: database.url, log, functions: [count] });
  await engine.start(undefined);
  setRuntime({ inngest: engine.handle } as Runtime);
  const routes: Record<string, typeof GET> = { GET, POST, PUT };
  listening = await serveHandler(
    async (request) => (await routes[request.method]?.(request)) as Response,
  );
});
afterAll(async () => {
  await listening.close();
  await engine.stop();
  await server.close();
  await database.close();
});
beforeEach(() => {
  calls = 0;
});

const CALL = JSON.stringify({
  version: -1,
  event: { id: "1", name: "count", data: {}, ts: 1 },
  events: [{ id: "1", name: "count", data: {}, ts: 1 }],
  steps: {},
  ctx: { run_id: "a-run", attempt: 0, stack: { stack: [], current: 0 } },
});

async function sendRequest(
  method: string,
  signature: string | null,
  { body = "", query = "", headers = {} as Record<string, string> } = {},
) {
  const response = await fetch(`${listening.url}/api/inngest${query}`, {
    method,
    headers: { ...(signature ? { "x-inngest-signature": signature } : {}), ...headers },
    ...(body === "" ? {} : { body }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

const call = (signature: string | null, body = CALL) =>
  sendRequest("POST", signature, { body, query: "?fnId=standing-count&stepId=step" });

const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

describe("a call of a function", () => {
  test("signed with the key gets a signed response", async () => {
    const { status, text, headers } = await call(signCall(CALL, KEY));
    expect({ status, text, calls }).toEqual({ status: 200, text: "1", calls: 1 });
    expect(isSignedResponse(text, headers.get("x-inngest-signature"), KEY)).toBe(true);
    expect(isSignedResponse("2", headers.get("x-inngest-signature"), KEY)).toBe(false);
  });

  test("signed with the fallback key gets a signed response", async () => {
    const { status, text, headers } = await call(signCall(CALL, NEXT_KEY));
    expect(status).toBe(200);
    expect(isSignedResponse(text, headers.get("x-inngest-signature"), NEXT_KEY)).toBe(true);
  });

  const forged: [string, () => string | null][] = [
    ["not signed", () => null],
    ["signed with another key", () => signCall(CALL, `signkey-test-${"7".repeat(64)}`)],
    ["signed for another body", () => signCall(CALL.replace("a-run", "b-run"), KEY)],
    ["whose signature is six minutes old", () => signCall(CALL, KEY, minutesFromNow(-6))],
    ["whose signature is from the future", () => signCall(CALL, KEY, minutesFromNow(6))],
    ["with an old signature under a new time", () => withCurrentTime(minutesFromNow(-6))],
    ["whose signature has no timestamp", () => signCall(CALL, KEY).replace(/^t=\d+/, "t=")],
    ["whose signature is empty", () => `t=${Math.floor(Date.now() / 1_000)}&s=`],
  ];
  test.each(forged)("%s is refused without details, and nothing runs", async (_, signature) => {
    const { status, text, headers } = await call(signature());
    expect({ status, text, calls }).toEqual({
      status: 401,
      text: '{"message":"Unauthorized"}',
      calls: 0,
    });
    expect(headers.get("x-inngest-signature")).toBeNull();
    expect(headers.get("x-inngest-sdk")).toBeNull();
  });

  test("can be repeated with the same signature for five minutes", async () => {
    const signature = signCall(CALL, KEY, minutesFromNow(-4));
    expect((await call(signature)).status).toBe(200);
    expect((await call(signature)).status).toBe(200);
  });
});

/** Signs at `longAgo` and replaces the timestamp of the signature with the current time. */
function withCurrentTime(longAgo: Date): string {
  return signCall(CALL, KEY, longAgo).replace(/^t=\d+/, `t=${Math.floor(Date.now() / 1_000)}`);
}

describe("the description of the service", () => {
  test("is returned only for a signed request", async () => {
    const { status, text } = await sendRequest("GET", signCall("", KEY));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      app_id: "standing",
      mode: "cloud",
      authentication_succeeded: true,
      function_count: 1,
      serve_origin: "https://standing.example",
      serve_path: "/api/inngest",
    });
    expect(text).not.toContain("5".repeat(64));
    const refused = await sendRequest("GET", null);
    expect(refused).toMatchObject({ status: 401, text: '{"message":"Unauthorized"}' });
  });
});

describe("a registration", () => {
  const url = "https://standing.example/api/inngest";
  const body = JSON.stringify({ url });
  const headers = { "x-inngest-sync-kind": "in_band" };

  test("is returned only for a signed request", async () => {
    const { status, text } = await sendRequest("PUT", signCall(body, KEY), { body, headers });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ url, functions: [{ id: "standing-count" }] });
    expect((await sendRequest("PUT", null, { body, headers })).status).toBe(401);
  });

  test("is sent only to the server, with the configured address, if the request is unsigned", async () => {
    const { status } = await sendRequest("PUT", null, { headers: { host: "forged.example" } });
    expect(status).toBe(200);
    const [sent] = await server.waitFor(1);
    expect(sent).toMatchObject({ method: "POST", url: "/fn/register" });
    expect(sent?.headers.authorization).toBe(deriveBearer(KEY));
    const registered = JSON.parse(sent?.body.toString() ?? "");
    expect(registered).toMatchObject({ url, appName: "standing" });
    expect(sent?.body.toString()).not.toContain("forged.example");
    const signed = JSON.stringify({ url: "https://forged.example/api/inngest" });
    const inBand = await sendRequest("PUT", signCall(signed, KEY), { body: signed, headers });
    expect(inBand.text).not.toContain("forged.example");
  });
});

const opened: Engine<unknown>[] = [];
afterAll(async () => {
  for (const engine of opened) await engine.stop();
});

function open(variables: Record<string, string>): Engine<unknown> {
  const env = parseEnv(variables);
  const engine = openEngine({ env, databaseUrl: database.url, log, functions: [] });
  opened.push(engine);
  return engine;
}

const createUnsignedCall = () =>
  new Request("http://localhost:3000/api/inngest?fnId=standing-x", {
    method: "POST",
    headers: { host: "localhost:3000" },
    body: "{}",
  });

describe("openEngine", () => {
  test("opens the embedded engine, without an endpoint, if no variable is set", () => {
    const engine = open({});
    expect(engine.description).toMatch(/^embedded/);
    expect(engine.handle).toBeNull();
  });

  test("connects to an Inngest server given a base URL and keys, and requires signed calls", async () => {
    const engine = open({
      INNGEST_BASE_URL: "https://inngest.example",
      INNGEST_SERVE_ORIGIN: "https://standing.example",
      INNGEST_EVENT_KEY: "event-key",
      INNGEST_SIGNING_KEY: `signkey-test-${"0".repeat(64)}`,
    });
    expect(engine.description).toBe("Inngest at inngest.example");
    const getStatus = () => engine.handle?.(createUnsignedCall()).then(({ status }) => status);
    expect(await getStatus()).toBe(503);
    await engine.start(undefined);
    expect(await getStatus()).toBe(401);
  });

  test("connects to the local dev server if INNGEST_DEV is set and not 0", () => {
    expect(open({ INNGEST_DEV: "0" }).description).toMatch(/^embedded/);
    expect(open({ INNGEST_DEV: "1" }).description).toBe("Inngest at 127.0.0.1:8288");
  });
});
