import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Env, parseEnv } from "@/server/lib/env";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { markFolder, openEnvironment, removeHistory, simulateHistory } from "./simulate";

vi.setConfig({ testTimeout: MINUTE_MS });

let env: Env;
beforeAll(async () => {
  // Postgres may run as another user, so the folder must not be inside one that only root can read.
  const folder = await mkdtemp(join(tmpdir(), "standing-environment-"));
  env = parseEnv({ DATA_DIR: folder, LOG_LEVEL: "silent" });
});
afterAll(() => rm(env.DATA_DIR, { recursive: true, force: true }));

const confirm = async () => true;

test("does not clear a folder without a simulated history", async () => {
  await expect(removeHistory(env, confirm)).rejects.toThrow(/no simulated history/);
});

test("removes a simulated history with its database and chain once confirmed", async () => {
  const environment = await openEnvironment(env);
  try {
    await markFolder(env, { seed: 1 });
    expect(environment.isServed).toBe(false);
  } finally {
    await environment.close();
  }
  expect(await removeHistory(env, async () => false)).toBe(false);
  expect(existsSync(join(env.DATA_DIR, "chain"))).toBe(true);
  expect(await removeHistory(env, confirm)).toBe(true);
  expect(readdirSync(env.DATA_DIR)).toEqual(["secret-key", "statement-key"]);
});

test("leaves a folder with data unchanged", async () => {
  const environment = await openEnvironment(env);
  await createTestAgent(environment.core);
  await environment.close();
  const before = readdirSync(env.DATA_DIR);
  await expect(simulateHistory(env, { seed: 1 })).rejects.toThrow(
    /needs an empty data folder.* has 1 agents and 0 records/,
  );
  expect(readdirSync(env.DATA_DIR)).toEqual(before);
});

test("neither simulates nor removes outside local mode", async () => {
  const configured = parseEnv({
    DATA_DIR: env.DATA_DIR,
    DATABASE_URL: "postgres://127.0.0.1:1/none",
  });
  await expect(openEnvironment(configured)).rejects.toThrow(/needs local mode/);
  await expect(removeHistory(configured, confirm)).rejects.toThrow(/needs local mode/);
});
