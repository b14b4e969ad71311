import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { GET } from "@/app/api/health/route";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { parsePrometheus } from "@/server/testing/http/prometheus";
import { startTestService, type TestService } from "@/server/testing/service";
import { checkHealth } from "./health";
import { setRuntime } from "./runtime";

describe("a whole service", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
    setRuntime(service.runtime);
  });
  afterAll(() => service.close());

  test("reports every part", async () => {
    const answer = await GET();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(await answer.json()).toMatchObject({
      status: "ok",
      database: { status: "ok" },
      chain: { status: "ok", chainId: 31_337 },
      engine: { status: "ok" },
      judge: { status: "ok" },
      work: { status: "ok", stalled: { outcomes: 0, payouts: 0, runs: 0 } },
    });
  });

  test("queries the node once a second", async () => {
    const asked = vi.spyOn(service.runtime.core.chain.client, "getBlockNumber");
    await Promise.all(Array.from({ length: 50 }, () => service.runtime.health()));
    // Two if the cached result expired in between.
    expect(asked.mock.calls.length).toBeLessThanOrEqual(2);
    asked.mockRestore();
  });

  test("returns 200 without the chain and reports it", async () => {
    await service.chain.stop();
    const { status, chain } = await waitFor(async () => {
      const answer = await GET();
      const { chain } = await answer.json();
      return chain.status !== "ok" && { status: answer.status, chain };
    });
    expect(status).toBe(200);
    expect(chain).toEqual({ status: "unavailable" });
  });

  test("returns 503 if its database connections are closed", async () => {
    await service.runtime.stop();
    const answer = await waitFor(async () => {
      const answer = await GET();
      return answer.status !== 200 && answer;
    });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      status: "unavailable",
      database: { status: "unavailable" },
      engine: { status: "unavailable" },
    });
  });
});

test("stays healthy without a log, reports it and counts the lost lines", async () => {
  const METRICS_TOKEN = "a-token-of-the-test";
  const env = { LOG_LEVEL: "debug", METRICS_TOKEN };
  const service = await startTestService({ logFile: "/dev/full", env });
  setRuntime(service.runtime);
  await service.call("GET", "/network");
  await waitFor(async () => (await (await GET()).json()).log.status === "unavailable");
  const answer = await GET();
  expect(answer.status).toBe(200);
  const { status, log } = await answer.json();
  expect(status).toBe("degraded");
  const { body } = await service.runtime.metrics(`Bearer ${METRICS_TOKEN}`);
  const dropped = parsePrometheus(body).get("standing_log_dropped_lines_total");
  expect(dropped).toBeGreaterThanOrEqual(log.droppedLines);
  await service.close();
});

// Without the engine: postgres.js ends the process when it loses a connection in the middle of a
// transaction, and `npm start` handles that.
test("notices when the database fails and returns, without revealing the error", async () => {
  const database = await createTestDatabase();
  const core = createTestCore(database);
  const check = () =>
    checkHealth({
      core,
      engine: async () => ({ jobs: await core.db.execute(sql`select 1`) }),
      judge: async () => ({}),
      work: async () => ({}),
      log: { state: { status: "ok", droppedLines: 0 } },
      eventLoop: { read: () => ({ p99Ms: 0, maxMs: 0 }), stop: () => {} },
    });
  const { pathname, port } = new URL(database.url);
  const admin = postgres(inject("postgresUrl"), { max: 1 });
  expect((await check()).status).toBe("ok");
  await admin.unsafe(`alter database ${pathname.slice(1)} with allow_connections false`);
  await admin`
    select pg_terminate_backend(pid) from pg_stat_activity where datname = ${pathname.slice(1)}`;
  const gone = await check();
  expect(gone).toMatchObject({ status: "unavailable", database: { status: "unavailable" } });
  expect(JSON.stringify(gone)).not.toContain(port);
  await admin.unsafe(`alter database ${pathname.slice(1)} with allow_connections true`);
  await waitFor(async () => (await check()).status === "ok");
  await admin.end();
  await database.close();
});
