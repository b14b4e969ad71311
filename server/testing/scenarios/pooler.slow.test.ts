import postgres from "postgres";
import { expect, inject, onTestFinished, test } from "vitest";
import { openRuntime } from "@/server/bootstrap/boot";
import { parseEnv } from "@/server/lib/env";
import { createEmptyDatabase } from "@/server/testing/database";
import { startPgbouncer } from "@/server/testing/process/pgbouncer";
import { startTestService } from "@/server/testing/service";

async function openPooler(url: string, settings?: Record<string, string | number>) {
  const pooler = await startPgbouncer(url, settings);
  onTestFinished(pooler.close);
  return pooler;
}

const IGNORED = {
  ignore_startup_parameters:
    "idle_in_transaction_session_timeout,tcp_keepalives_idle,tcp_keepalives_interval",
};
const TRANSACTION = { pool_mode: "transaction" };

test.each<[string, Record<string, string | number>, number]>([
  ["without further settings", TRANSACTION, 0],
  ["with startup parameters ignored", { ...TRANSACTION, ...IGNORED }, 0],
  ["whose sessions are all open", TRANSACTION, 6],
  ["that takes its sessions in turn", { ...TRANSACTION, server_round_robin: 1 }, 6],
  ["that resets them", { ...TRANSACTION, server_reset_query_always: 1 }, 0],
  ["of which two sessions are open", { ...TRANSACTION, server_round_robin: 1 }, 2],
  ["that pools by statement", { pool_mode: "statement" }, 3],
])(
  "a pooler in transaction mode is refused before any change: one %s",
  async (_, settings, open) => {
    const url = await createEmptyDatabase(inject("postgresUrl"));
    const pooler = await openPooler(url, settings);
    const clients = postgres(pooler.url, { max: open || 1, fetch_types: false });
    const sleeps = Array.from({ length: open }, () => clients.unsafe("select pg_sleep(0.3)"));
    await Promise.all(sleeps);
    await clients.end();
    const started = openRuntime(parseEnv({ LOG_LEVEL: "silent" }), {
      databaseUrl: pooler.url,
      chain: {
        rpcUrl: "http://127.0.0.1:9",
        chainId: 8453,
        registryAddress: "0x",
        usdcAddress: "0x",
        recorderKey: "0x",
        stakeKey: "0x",
        confirmations: 1,
      },
      secretKey: "0".repeat(64),
      local: { database: false, chain: false },
      describe: { database: "", chain: "" },
      stop: async () => {},
    });
    await expect(started).rejects.toThrow(
      /^DATABASE_URL leads to a pooler in transaction mode, [^.]+\.$/,
    );
    const direct = postgres(url, { max: 1 });
    expect(await direct`select from pg_namespace where nspname = 'drizzle'`).toHaveLength(0);
    expect(
      await direct`select from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
    ).toHaveLength(0);
    await direct.end();
  },
);

test("a pooler in session mode needs no settings: a whole service works behind it, twice", async () => {
  let poolerUrl = "";
  const service = await startTestService({
    getDatabaseUrl: async ({ url }) => {
      poolerUrl = (await openPooler(url)).url;
      return poolerUrl;
    },
  });
  const agent = await service.agent();
  await service.waitForResolved(await service.submit(agent));
  const { call } = service;
  await expect
    .poll(async () => (await call("GET", `/reputation/${agent.wallet}`)).body)
    .toMatchObject({
      totalOutcomes: 1,
    });
  expect((await service.runtime.health()).status).toBe("ok");
  const next = await startTestService({
    sharedWith: service,
    getDatabaseUrl: async () => poolerUrl,
  });
  await service.runtime.stop();
  await next.waitForResolved(await next.submit(await next.agent()));
  await next.close();
});
