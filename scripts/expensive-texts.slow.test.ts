import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { type ServiceProcess, startInstance } from "@/scripts/testing/npm-start";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { findFreePort } from "@/server/local/process";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { EXPENSIVE_TEXTS } from "@/server/testing/model/expensive-texts";

/** The first start may have to build, and the machine may be busy. */
const TIMEOUT_MS = 600_000;
const POLL_MS = 100;
/**
 * Checks are sent at a steady rate, whether or not earlier ones were answered. If a text blocks the
 * service, they pile up.
 */
const MAX_UNANSWERED = 100;

let database: TestDatabase;
let chain: LocalChain;
let service: ServiceProcess;
let port: number;

beforeAll(async () => {
  await ensureBuild();
  [database, chain, port] = await Promise.all([createTestDatabase(), startAnvil(), findFreePort()]);
  service = startInstance(port, database.url, chain);
  await service.waitForOutput("Stop: Ctrl-C.");
}, TIMEOUT_MS);

afterAll(async () => {
  service.signalAll("SIGKILL");
  await service.ended;
  await chain.stop();
  await database.close();
}, TIMEOUT_MS);

const check = async (path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  await response.text();
};

/**
 * Sends checks until `done` resolves, and waits for their answers. Returns the largest number of
 * checks that were unanswered at the same time.
 */
async function countUnanswered(done: Promise<unknown>): Promise<number> {
  const checks: Promise<void>[] = [];
  let unanswered = 0;
  let most = 0;
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  done.then(end, end);
  while (!isDone) {
    for (const path of ["/api/health", "/api/v1"]) {
      unanswered += 1;
      checks.push(
        check(path).then(() => {
          unanswered -= 1;
        }),
      );
    }
    most = Math.max(most, unanswered);
    await pause(POLL_MS);
  }
  await Promise.all([done, ...checks]);
  return most;
}

async function submitAll(): Promise<void> {
  for (const { task, text } of EXPENSIVE_TEXTS) {
    // One agent each, because the rate limit of a key is lower than the number of texts.
    const agent = await createTestAgent(database);
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/outcome`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": agent.apiKey },
      body: JSON.stringify({
        contractorAgentAddress: agent.wallet,
        requesterAgentAddress: `0x${"1".repeat(40)}`,
        taskDescription: task,
        taskCategory: "code-review",
        deliverableContent: text(),
        valueUsdc: 1,
      }),
    });
    expect(response.status).toBe(202);
  }
}

const waitUntilJudged = () =>
  waitFor(async () => {
    const [row] = await database.db.sql<{ pending: number }[]>`
      select count(*)::int as pending from outcomes where judged_at is null`;
    return row?.pending === 0;
  });

test("health checks are answered while expensive texts are judged, also after a crash", {
  timeout: TIMEOUT_MS,
}, async () => {
  expect(await countUnanswered(submitAll())).toBeLessThan(MAX_UNANSWERED);
  service.signalAll("SIGKILL");
  await service.ended;
  service = startInstance(port, database.url, chain);
  await waitFor(() =>
    check("/api/health").then(
      () => true,
      () => false,
    ),
  );
  expect(await countUnanswered(waitUntilJudged())).toBeLessThan(MAX_UNANSWERED);
});
