import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { type ServiceProcess, startBuiltService } from "@/scripts/testing/npm-start";
import { findFreePort } from "@/server/local/process";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import {
  type InngestExecutor,
  startInngestExecutor,
} from "@/server/testing/engine/inngest-executor";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";

/** The start may have to build, and the machine may be busy. */
const TIMEOUT_MS = 600_000;

let folder: string;
let database: TestDatabase;
let executorDatabase: TestDatabase;
let executor: InngestExecutor;
let base: string;
let service: ServiceProcess;
beforeAll(async () => {
  await ensureBuild();
  folder = mkdtempSync(join(tmpdir(), "standing-status-test-"));
  chmodSync(folder, 0o755);
  [database, executorDatabase] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  const log = pino({ level: "silent" });
  executor = await startInngestExecutor({ databaseUrl: executorDatabase.url, log });
  const port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  // Its chain is a local one, so that its pages have the banner of local mode.
  service = startBuiltService({
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    DATABASE_URL: database.url,
    ...executor.env,
    INNGEST_SERVE_ORIGIN: base,
  });
  await service.waitForOutput("Stop: Ctrl-C.");
}, TIMEOUT_MS);
afterAll(async () => {
  service.child.kill("SIGTERM");
  await service.ended;
  await database.close();
  await executorDatabase.close();
  rmSync(folder, { recursive: true, force: true });
}, TIMEOUT_MS);

const getHealth = async () => {
  const response = await fetch(`${base}/api/health`);
  return { code: response.status, health: await response.json() };
};
const getStatusPage = async () => {
  const response = await fetch(`${base}/status`);
  const [, main = ""] = /<main[^>]*>(.*)<\/main>/s.exec(await response.text()) ?? [];
  return { code: response.status, shown: main.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ") };
};

test("an Inngest server that does not answer, and the outcomes that wait for it, are shown", {
  timeout: TIMEOUT_MS,
}, async () => {
  const before = await getStatusPage();
  expect(before.shown).toContain("All systems operational");
  await executor.close();
  const agent = await createTestAgent(database);
  const submittedAt = new Date(Date.now() - 90_000);
  await insertPendingOutcome({ db: database.db }, agent, { submittedAt });
  await insertPendingOutcome({ db: database.db }, agent);
  const { code, health } = await waitFor(async () => {
    const answer = await getHealth();
    return answer.health.engine.status !== "ok" && answer;
  });
  expect(code).toBe(200);
  expect(health).toMatchObject({
    status: "degraded",
    engine: { status: "unavailable", kind: "inngest", server: "unavailable", delayedOutcomes: 1 },
  });
  const { shown } = await getStatusPage();
  expect(shown).toContain("Some systems are down");
  expect(shown).toContain("Its server doesn&#x27;t answer");
  expect(shown).toContain("1 job over a minute");
});

test("without a database the status page is rendered, and says so at once", {
  timeout: TIMEOUT_MS,
}, async () => {
  const name = new URL(database.url).pathname.slice(1);
  const admin = postgres(inject("postgresUrl"), { max: 1 });
  // Rendered just before, so that a cached page would still say that it is up.
  expect((await getStatusPage()).shown).toMatch(/PostgreSQL 18.* Up /);
  await admin.unsafe(`alter database ${name} with allow_connections false`);
  await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await waitFor(async () => (await getHealth()).code === 503);
  const { code, shown } = await getStatusPage();
  expect(code).toBe(200);
  expect(shown).toContain("Some systems are down");
  expect(shown).toContain("Not responding");
  await admin.unsafe(`alter database ${name} with allow_connections true`);
  await waitFor(async () => (await getHealth()).code === 200);
  expect((await getStatusPage()).code).toBe(200);
  await admin.end();
});
