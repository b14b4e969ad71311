import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { GET } from "@/app/api/health/route";
import { checkSandbox } from "@/server/judging/checks/code/sandbox/execute-code";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { type FaultyDatabase, startFaultyDatabase } from "@/server/testing/faulty-database";
import { parsePrometheus } from "@/server/testing/http/prometheus";
import { startTestService, type TestService } from "@/server/testing/service";
import { createHealthCheck } from "./health";
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
      sandbox: { status: "ok", javascript: true, python: true },
      work: { status: "ok", stalled: { outcomes: 0, payouts: 0, runs: 0 } },
      clocks: { status: "ok" },
    });
  });

  test("compares the clocks of database and chain with this process's", async () => {
    for (const skewMs of [5 * MINUTE_MS, -5 * MINUTE_MS]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + skewMs });
      const found = await waitFor(async () => {
        const health = await (await GET()).json();
        return Math.round(health.database.clockAheadMs / -skewMs) === 1 && health;
      });
      vi.useRealTimers();
      expect(found).toMatchObject({ status: "degraded", clocks: { status: "differ" } });
      expect(Math.round(found.chain.clockAheadMs / -skewMs)).toBe(1);
    }
    await waitFor(async () => (await (await GET()).json()).status === "ok");
  });

  test("queries the node once a second", async () => {
    const asked = vi.spyOn(service.runtime.core.chain.client, "getBlock");
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

test("a sandbox that can't start is shown at the start, in the log, in health and metrics", async () => {
  const METRICS_TOKEN = "a-token-of-the-test";
  const logFile = join(await mkdtemp(join(tmpdir(), "standing-sandbox-")), "log");
  const { execPath } = process;
  process.execPath = "/work/no-node";
  const lines: string[] = [];
  const service = await startTestService({
    logFile,
    env: { METRICS_TOKEN, LOG_LEVEL: "error" },
    stage: async (name, work, format) => {
      const result = await work();
      lines.push(`${name}: ${format(result)}`);
      return result;
    },
  });
  setRuntime(service.runtime);
  expect(lines).toContain("Sandbox: CANNOT START: delivered code is not executed");
  const answer = await GET();
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    status: "degraded",
    sandbox: { status: "unavailable", javascript: false },
  });
  const readMetric = async () => {
    const { body } = await service.runtime.metrics(`Bearer ${METRICS_TOKEN}`);
    return parsePrometheus(body).get('standing_sandbox_up{interpreter="javascript"}');
  };
  expect(await readMetric()).toBe(0);
  process.execPath = execPath;
  expect(await checkSandbox()).toBeNull();
  await waitFor(async () => (await (await GET()).json()).status === "ok");
  expect(await readMetric()).toBe(1);
  await service.close();
  expect(await readFile(logFile, "utf8")).toMatch(/"error":"[^"]*no-node.*sandbox cannot start/);
});

describe("the check of a database", () => {
  let database: TestDatabase;
  let faulty: FaultyDatabase;
  let health: ReturnType<typeof createHealthCheck>;
  beforeEach(async () => {
    database = await createTestDatabase();
    faulty = await startFaultyDatabase(database.url);
    health = createHealthCheck({
      core: createTestCore(database),
      databaseUrl: faulty.url,
      engine: async () => ({}),
      judge: async () => ({}),
      work: async () => ({}),
      log: { state: { status: "ok", droppedLines: 0 } },
      eventLoop: { read: () => ({ p99Ms: 0, maxMs: 0 }), stop: () => {} },
    });
    return async () => {
      await health.close();
      await faulty.close();
      await database.close();
    };
  });

  test("reports an outage at the third failure in a row, and when it is over", async () => {
    const recovers = () => waitFor(async () => (await health.check()).status === "ok");
    const failing = { status: "degraded", database: { status: "unavailable" } };
    expect(await health.check()).toMatchObject({ status: "ok", database: { status: "ok" } });
    faulty.setDown(true);
    expect(await health.check()).toMatchObject(failing);
    faulty.setDown(false);
    await recovers();
    faulty.setDown(true);
    for (let times = 0; times < 2; times++) expect(await health.check()).toMatchObject(failing);
    const down = await health.check();
    expect(down).toMatchObject({ ...failing, status: "unavailable" });
    expect(JSON.stringify(down)).not.toContain(new URL(faulty.url).port);
    faulty.setDown(false);
    await recovers();
  });

  test("does not wait for the connections of requests", async () => {
    const { max } = database.db.sql.options;
    const reserved = await Promise.all(
      Array.from({ length: max }, () => database.db.sql.reserve()),
    );
    expect(await health.check()).toMatchObject({ status: "ok" });
    for (const connection of reserved) connection.release();
  });
});
