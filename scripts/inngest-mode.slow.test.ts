import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { type ServiceProcess, startInstance } from "@/scripts/testing/npm-start";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { findFreePort } from "@/server/local/process";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import {
  type InngestExecutor,
  startInngestExecutor,
} from "@/server/testing/engine/inngest-executor";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { ASSESSED_WORK, buildSubmission } from "@/server/testing/fixtures/outcome";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";

/** The start may have to build, and the machine may be busy. */
const TIMEOUT_MS = 600_000;

let database: TestDatabase;
/** Database of the Inngest executor, separate from the service's. */
let executorDatabase: TestDatabase;
let chain: LocalChain;
let receiver: Receiver;
let executor: InngestExecutor;
let base: string;
let standing: ServiceProcess;
beforeAll(async () => {
  await ensureBuild();
  [database, executorDatabase, chain, receiver] = await Promise.all([
    createTestDatabase(),
    createTestDatabase(),
    startAnvil(),
    startReceiver(),
  ]);
  executor = await startInngestExecutor({
    databaseUrl: executorDatabase.url,
    log: pino({ level: "silent" }),
  });
  const port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  standing = startInstance(port, database.url, chain, {
    ...executor.env,
    INNGEST_SERVE_ORIGIN: base,
  });
  await standing.waitForOutput("Stop: Ctrl-C.");
}, TIMEOUT_MS);
afterAll(async () => {
  await executor.close();
  standing.child.kill("SIGTERM");
  await standing.ended;
  await receiver.close();
  await chain.stop();
  await database.close();
  await executorDatabase.close();
}, TIMEOUT_MS);

async function api(method: string, path: string, apiKey?: string, body?: object) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(apiKey ? { "X-API-Key": apiKey } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: await response.json() };
}

test(
  "an outcome is submitted, judged, recorded, settled and announced through Inngest's protocol",
  async () => {
    const health = await (await fetch(`${base}/api/health`)).json();
    expect(health.engine.kind).toBe("inngest");
    expect((await fetch(`${base}/api/inngest`, { method: "POST", body: "{}" })).status).toBe(401);
    await executor.sync(`${base}/api/inngest`);

    const { wallet, apiKey } = await createTestAgent(database);
    const hook = { url: receiver.url, events: ["outcome.resolved", "score.updated"] };
    expect((await api("POST", "/webhooks", apiKey, hook)).status).toBe(201);
    const submitted = await api("POST", "/outcome", apiKey, {
      ...buildSubmission(wallet),
      ...ASSESSED_WORK,
    });
    expect(submitted.status).toBe(202);
    const { outcomeId } = submitted.body;
    const resolved = await waitFor(async () => {
      const { body } = await api("GET", `/outcome/${outcomeId}`);
      return body.status === "RESOLVED" && body;
    });
    expect(resolved).toMatchObject({ verdict: "SUCCESS", onChainTx: expect.stringMatching(/^0x/) });
    const requests = await receiver.waitFor(2);
    const payloads = requests.map(({ body }) => JSON.parse(body.toString()));
    expect(payloads.map(({ event }) => event).sort()).toEqual([
      "outcome.resolved",
      "score.updated",
    ]);
    expect(await api("GET", `/reputation/${wallet}`)).toMatchObject({ body: { totalOutcomes: 1 } });

    // The executor called the service for every step; the embedded engine ran nothing.
    const expected = ["judge-outcome", "record-verdicts", "deliver-webhook"];
    await waitFor(async () => {
      const called = executor.exchanges.map(({ url }) => new URL(url).searchParams.get("fnId"));
      return expected.every((name) => called.includes(`standing-${name}`));
    });
    const [embedded] = await database.db.sql`select count(*)::int as runs from engine_runs
      where function_id like 'standing-%'`;
    expect(embedded?.runs).toBe(0);
  },
  TIMEOUT_MS,
);
