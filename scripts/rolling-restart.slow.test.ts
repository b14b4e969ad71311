import { eq } from "drizzle-orm";
import { createPublicClient, http } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { type ServiceProcess, startInstance } from "@/scripts/testing/npm-start";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { findFreePort } from "@/server/local/process";
import { outcomes } from "@/server/outcomes/tables";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { type ReverseProxy, startReverseProxy } from "@/server/testing/http/reverse-proxy";
import { startTraffic } from "@/server/testing/process/traffic";
import { webhookAttempts, webhookDeliveries } from "@/server/webhooks/tables";

/** The first start may have to build, and the machine may be busy. */
const TIMEOUT_MS = 600_000;
/** Longer than any proxy takes. A second signal ends the drain early. */
const ENV = { DRAIN_SECONDS: "600" };

let database: TestDatabase;
let chain: LocalChain;
let receiver: Receiver;
let proxy: ReverseProxy;
const running = new Map<number, ServiceProcess>();

beforeAll(async () => {
  await ensureBuild();
  [database, chain, receiver] = await Promise.all([
    createTestDatabase(),
    startAnvil(),
    startReceiver(),
  ]);
  const ports = [await findFreePort(), await findFreePort()];
  for (const port of ports) {
    running.set(port, startInstance(port, database.url, chain, ENV));
    // Sequential, because the first start may have to build.
    await running.get(port)?.waitForOutput("Stop: Ctrl-C.");
  }
  proxy = await startReverseProxy(ports);
  for (const port of ports) await proxy.waitUntil(port, "in");
}, TIMEOUT_MS);

afterAll(async () => {
  for (const service of running.values()) await end(service);
  await proxy.close();
  await receiver.close();
  await chain.stop();
  await database.close();
}, TIMEOUT_MS);

/** Sends SIGTERM until the process ends; a repeated signal skips the drain. */
async function end({ child, ended }: ServiceProcess): Promise<number | null> {
  await waitFor(async () => {
    child.kill("SIGTERM");
    return child.exitCode !== null || child.signalCode !== null;
  });
  return ended;
}

const getHealth = (port: number) =>
  fetch(`http://127.0.0.1:${port}/api/health`).then(async (response) => ({
    code: response.status,
    status: (await response.json()).status,
  }));

/** Stops the process behind `port` and starts a replacement. */
async function replace(port: number): Promise<void> {
  const old = running.get(port);
  if (!old) throw new Error(`no process has port ${port}`);
  old.child.kill("SIGTERM");
  await proxy.waitUntil(port, "out");
  expect(await getHealth(port)).toEqual({ code: 503, status: "stopping" });
  // Requests during the drain succeed, but their connection is closed.
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/explore/leaderboard`);
  expect(response.status).toBe(200);
  expect(response.headers.get("connection")).toBe("close");
  expect(await end(old)).toBe(0);
  running.set(port, startInstance(port, database.url, chain, ENV));
  await proxy.waitUntil(port, "in");
}

test(
  "replaces every process in turn under load without a failed request, lost or repeated work",
  async () => {
    const traffic = startTraffic({ base: proxy.url, database, webhookUrl: receiver.url });
    const waitForRequests = () => {
      const before = traffic.requests();
      return waitFor(async () => traffic.requests() > before + 20);
    };
    await waitForRequests();
    for (const port of [...running.keys()]) {
      const before = proxy.countCompleted(port);
      await replace(port);
      // The replacement serves its share of the requests.
      await waitFor(async () => proxy.countCompleted(port) > before + 10);
    }
    await traffic.stop();
    expect(traffic.failures).toEqual([]);

    const ids = traffic.acknowledged.map(({ outcomeId }) => outcomeId);
    expect(new Set(ids).size).toBe(ids.length);
    await waitFor(async () => {
      const [row] = await database.db.sql<{ pending: number }[]>`
        select count(*)::int as pending from outcomes where status <> 'RESOLVED'`;
      return row?.pending === 0;
    });
    const stored = await database.db.select({ id: outcomes.id }).from(outcomes);
    expect(stored.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect((await listRecordedOutcomes()).sort()).toEqual([...ids].sort());

    await waitFor(async () => {
      const deliveries = await database.db
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(eq(webhookDeliveries.status, "delivered"));
      return deliveries.length === ids.length;
    });
    const delivered = receiver.requests.map(
      ({ body }) => JSON.parse(body.toString()).data.outcomeId,
    );
    expect([...new Set(delivered)].sort()).toEqual([...ids].sort());
    // A delivery is repeated only if it timed out, and each attempt is stored.
    const attempts = await database.db.select({ id: webhookAttempts.id }).from(webhookAttempts);
    expect(delivered).toHaveLength(attempts.length);

    await expectSameReputations([
      ...new Set(traffic.acknowledged.map(({ contractor }) => contractor)),
    ]);
  },
  TIMEOUT_MS,
);

/** Returns the ids of the outcomes on chain, one entry per record. */
async function listRecordedOutcomes(): Promise<string[]> {
  const client = createPublicClient({ transport: http(chain.rpcUrl) });
  const address = chain.registryAddress;
  const logs = await client.getLogs({ address, fromBlock: 0n });
  return decodeRecords(logs, address).flatMap(({ record }) =>
    record.type === "outcome" ? [record.id] : [],
  );
}

/** Expects both processes to return the same reputation for every wallet. */
async function expectSameReputations(wallets: string[]): Promise<void> {
  for (const wallet of wallets) {
    const stored = await database.db.select().from(outcomes).where(eq(outcomes.contractor, wallet));
    const reputations = await Promise.all(
      [...running.keys()].map((port) =>
        waitFor(async () => {
          const response = await fetch(`http://127.0.0.1:${port}/api/v1/reputation/${wallet}`);
          const body = await response.json();
          return body.totalOutcomes === stored.length && body;
        }),
      ),
    );
    expect(reputations[1]).toEqual(reputations[0]);
  }
}
