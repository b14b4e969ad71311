import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createInngest } from "@/server/lib/inngest";
import { type TestDatabase, testDatabase } from "@/server/testing/database";
import { until } from "@/server/testing/engine";
import { createRelay, type Relay } from "./relay";

interface Received {
  id: string;
  name: string;
  data: unknown;
}

const log = pino({ level: "silent" });
const received: Received[] = [];
let answer = 200;
let server: Server;
let database: TestDatabase;
let relay: Relay;
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const events = (await json(request)) as Received[];
    if (answer === 200) received.push(...events);
    response.writeHead(answer, { "content-type": "application/json" });
    response.end(JSON.stringify({ ids: events.map((event) => event.id), status: answer }));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  database = await testDatabase();
  const baseUrl = `http://127.0.0.1:${port}`;
  const inngest = createInngest({ isDev: true, baseUrl, logger: log });
  relay = createRelay({ databaseUrl: database.url, inngest, log });
  await relay.start();
});
afterAll(async () => {
  await relay.stop();
  await database.close();
  server.close();
});

const publish = (id: string, fail = false) =>
  database.db.transaction(async (tx) => {
    await relay.publish(tx, [{ id, name: "told", data: { id } }]);
    if (fail) throw new Error("the change did not happen");
  });

test("an event is sent once its transaction is committed, under its own id", async () => {
  await expect(publish("undone", true)).rejects.toThrow("did not happen");
  await publish("first");
  await until(async () => received.length > 0);
  expect(received).toMatchObject([{ id: "first", name: "told", data: { id: "first" } }]);
});

test("while the server is away the event is kept, with the time it is sent again", async () => {
  const { db } = database;
  answer = 503;
  await publish("second");
  const [kept] = await until(async () => {
    const jobs = await db.execute<{ seconds: number }>(sql`
      select extract(epoch from run_at - created_at)::float8 as seconds
      from graphile_worker._private_jobs where (payload->>'failures')::int = 1`);
    return jobs.length > 0 && jobs;
  });
  expect(kept?.seconds).toBeCloseTo(10, 0);
  answer = 200;
  await db.execute(sql`update graphile_worker._private_jobs set run_at = now()`);
  await until(async () => received.some((event) => event.id === "second"));
  await until(async () => {
    const { pending, running } = await relay.status();
    return pending + running === 0;
  });
});
