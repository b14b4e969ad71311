import { type AddressInfo, createServer } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { limitWaits } from "@/scripts/ops/limit-waits";
import { runOps } from "@/scripts/ops/run";
import { runCommand, runInProcess } from "@/scripts/testing/command";
import { openDatabase } from "@/server/db/client";
import { HOUR_MS } from "@/server/lib/time";
import { addApplicationName } from "@/server/operations/recovery/exclusive-database";
import { createEmptyDatabase, createTestDatabase } from "@/server/testing/database";
import { suspendSweeps } from "@/server/testing/engine/engine";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { buildChainEnv } from "@/server/testing/process/process-env";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let env: Record<string, string>;
beforeAll(async () => {
  service = await startTestService();
  env = {
    DATABASE_URL: service.database.url,
    SECRET_KEY: "0".repeat(64),
    ...buildChainEnv(service.chain),
  };
});
afterAll(() => service.close());

const ops = (...args: string[]) => runInProcess(runOps, args, env);

test("shows and requeues a stalled outcome, which the running service then resolves", async () => {
  // Otherwise the service could requeue it between the commands.
  await suspendSweeps(service.database);
  const agent = await service.agent();
  const stalled = await insertPendingOutcome({ db: service.database.db }, agent, {
    submittedAt: new Date(Date.now() - HOUR_MS),
  });
  const shown = await runCommand("ops", ["status"], env);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(/^ {2}outcomes +1 waiting, 1 stalled, the oldest for 60 min$/m);
  expect(shown.stdout).toContain(stalled.id);
  expect(shown.stdout).toMatch(/^ {2}recorder +0x[0-9a-fA-F]{40} [\d.]+ ETH$/m);

  expect(await ops("retry", "outcomes", stalled.id)).toMatchObject({
    code: 0,
    stdout: "Retrying outcomes: 1 requeued.\n",
  });
  await service.waitForResolved(stalled.id);
  const status = JSON.parse((await ops("status", "--json")).stdout);
  const outcomes = status.stalled.find(({ kind }: { kind: string }) => kind === "outcomes");
  expect(outcomes).toMatchObject({ waiting: 0, stalled: 0, ids: [] });
  expect(status.chain).toMatchObject({
    registryRecords: 1,
    accounts: { recorder: { mayRecord: true } },
  });
  expect(await ops("retry", "outcomes")).toMatchObject({
    stdout: "There are no pending outcomes.\n",
  });
});

test("status says that the clocks of database and chain differ from this machine's", async () => {
  const skewed = { NODE_OPTIONS: "--import ./scripts/chaos/skew.mjs", CLOCK_SKEW_MS: "-300000" };
  const shown = await runCommand("ops", ["status"], { ...env, ...skewed });
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(
    /^ {2}warning +the database's clock is \d+ s ahead of this machine's/m,
  );
  expect(shown.stdout).toMatch(/^ {2}warning +the latest block is \d+ s ahead of this machine's/m);
  expect((await ops("status")).stdout).toMatch(/^ {2}database +-?\d+ ms ahead of this machine$/m);
});

test("status asks for a rebuild if the database lacks records of the registry", async () => {
  const agent = await service.agent();
  await service.waitForResolved(await service.submit(agent));
  const healthy = await ops("status");
  expect(healthy.stdout).not.toContain("rebuild");
  expect(healthy.code).toBe(0);
  const empty = await createTestDatabase();
  const shown = await runInProcess(runOps, ["status"], { ...env, DATABASE_URL: empty.url });
  expect(shown.stdout).toMatch(
    /^ {2}warning +a rebuild is due: the database lacks [1-9]\d* records of the registry/m,
  );
  expect(shown.code).toBe(1);
  await empty.close();
});

test.each([["status"], ["backup", "/tmp/never-written"]])(
  "%s on a database without the service's schema says so in one sentence",
  async (...args) => {
    const url = await createEmptyDatabase(inject("postgresUrl"));
    expect(await runInProcess(runOps, args, { ...env, DATABASE_URL: url })).toMatchObject({
      code: 2,
      stdout: "",
      stderr:
        "The database has no tables of the service: start the service once, or fix DATABASE_URL.\n",
    });
  },
);

test("waits for a lock for a limited time, and names its holder", async () => {
  const url = (await createTestDatabase()).url;
  const holder = postgres(url, { max: 1, onnotice: () => {} });
  await holder.begin(async (tx) => {
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await tx`lock table outcomes`;
    const handle = openDatabase(addApplicationName(url, "standing-command"), 1);
    const reading = handle.db.sql`select from outcomes`.execute();
    await expect(limitWaits(url, () => reading, 1_000)).rejects.toThrow(
      `The command has waited for a lock for 1 s. PostgreSQL's process ${pid} holds it`,
    );
    await tx`select pg_cancel_backend(pid) from pg_stat_activity where pid <> ${pid}
      and datname = current_database()`;
    await reading.catch(() => {});
    await handle.close();
  });
  await holder.end();
});

test("gives up on a database that does not respond", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  const { port } = silent.address() as AddressInfo;
  const url = `postgres://a:b@127.0.0.1:${port}/c`;
  const forever = new Promise(() => {});
  await expect(limitWaits(url, () => forever, 500)).rejects.toThrow(
    "The database has not responded for 0.5 s.",
  );
  silent.close();
});

test("names an outcome that a fault keeps from being judged, and has it judged again", async () => {
  const faulty = await insertPendingOutcome({ db: service.database.db }, await service.agent(), {
    faultedAt: new Date(Date.now() - HOUR_MS),
    fault: "TypeError: a fault",
  });
  const shown = await ops("status");
  expect(shown.code).toBe(1);
  expect(shown.stdout).toMatch(/^ {2}faults +1 waiting, 1 stalled, the oldest for 60 min$/m);
  expect(shown.stdout).toContain(`  fault         ${faulty.id} TypeError: a fault\n`);
  expect(await ops("retry", "faults", faulty.id)).toMatchObject({
    code: 0,
    stdout: "Retrying faults: 1 requeued.\n",
  });
  await service.waitForResolved(faulty.id);
  const status = JSON.parse((await ops("status", "--json")).stdout);
  expect(status.faults).toEqual([]);
});
