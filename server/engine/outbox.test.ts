import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseEnv } from "@/server/lib/env";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { type Engine, openEngine } from "./engine";
import { readEngineStatus } from "./runs";

interface Received {
  id: string;
  name: string;
  data: unknown;
}

const log = pino({ level: "silent" });
const received: Received[] = [];
/** Every request body, byte for byte, including those that the server rejected. */
const bodies: { path: string; body: string }[] = [];
/**
 * A status, or a connection that breaks before (`broken`) or after (`response-lost`) the event is
 * accepted.
 */
let serverBehavior: number | "broken" | "response-lost" = 200;
let server: Server;
let database: TestDatabase;
let outbox: Engine;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    const events = JSON.parse(body) as Received[];
    bodies.push({ path: request.url ?? "", body });
    if (serverBehavior === 200 || serverBehavior === "response-lost") received.push(...events);
    if (typeof serverBehavior === "string") return void request.socket.destroy();
    response.writeHead(serverBehavior, { "content-type": "application/json" });
    response.end(JSON.stringify({ ids: events.map((event) => event.id), status: serverBehavior }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  database = await createTestDatabase();
  const env = parseEnv({
    INNGEST_BASE_URL: `http://127.0.0.1:${port}`,
    INNGEST_EVENT_KEY: "an-event-key",
    INNGEST_SIGNING_KEY: `signkey-test-${"5".repeat(64)}`,
    PUBLIC_URL: "https://standing.example",
  });
  outbox = openEngine({ env, databaseUrl: database.url, log, functions: [] });
  await outbox.start(undefined);
});
afterAll(async () => {
  await outbox.stop();
  await database.close();
  server.close();
});

const publish = (id: string, fail = false) =>
  database.db.transaction(async (tx) => {
    await outbox.publish(tx, [{ id, name: "published", data: { id } }]);
    if (fail) throw new Error("the change did not happen");
  });

test("an event is sent once its transaction is committed, under its own id", async () => {
  await expect(publish("undone", true)).rejects.toThrow("did not happen");
  await publish("first");
  await waitFor(async () => received.length > 0);
  expect(received).toMatchObject([{ id: "first", name: "published", data: { id: "first" } }]);
});

test.each([
  ["returns an error", 503, 1],
  ["disconnects", "broken", 1],
  ["accepts the event and disconnects", "response-lost", 2],
] as const)(
  "if the server %s, the event is stored and sent again unchanged",
  async (how, behavior, times) => {
    const { db } = database;
    serverBehavior = behavior;
    await publish(how);
    const [stored] = await waitFor(async () => {
      const jobs = await db.execute<{ seconds: number }>(sql`
        select extract(epoch from due_at - now())::float8 as seconds
        from engine_jobs where attempt = 1 and state = 'sleeping'`);
      return jobs.length > 0 && jobs;
    });
    // Ten seconds from the failure, which was before this check.
    expect(stored?.seconds).toBeLessThanOrEqual(10);
    expect(stored?.seconds).toBeGreaterThan(0);
    serverBehavior = 200;
    await db.execute(sql`update engine_jobs set due_at = now()`);
    const getReceived = () => received.filter((event) => event.id === how);
    await waitFor(async () => getReceived().length >= times);
    await waitFor(async () => {
      const { pending, running } = await readEngineStatus(db.sql);
      return pending + running === 0;
    });
    const sent = bodies.filter(({ body }) => body.includes(JSON.stringify(how)));
    // The server deduplicates by event id; the rest of the body must not differ either.
    expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
    expect(new Set(sent.map(({ path }) => path))).toEqual(new Set(["/e/an-event-key"]));
    expect(sent.length).toBeGreaterThan(1);
  },
);
