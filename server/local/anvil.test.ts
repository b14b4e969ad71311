import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createTestClient, http } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openChain } from "@/server/chain/client";
import { readGateSigner } from "@/server/chain/score-gate";
import { recordDirectly } from "@/server/testing/chain/chain";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import { type LocalChain, startAnvil } from "./anvil";
import { isAlive } from "./process";

let folder: string;
const started: LocalChain[] = [];
const messages: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "standing-anvil-test-"));
  messages.length = 0;
});
afterEach(async () => {
  for (const chain of started.splice(0)) await chain.stop();
  await rm(folder, { recursive: true, force: true });
});

async function start(options: Parameters<typeof startAnvil>[0] = { folder }) {
  const chain = await startAnvil({ notify: (message) => messages.push(message), ...options });
  started.push(chain);
  return chain;
}

/** Returns the number of the recorder's transactions on the chain. */
async function records(local: LocalChain): Promise<number> {
  const { client, recorder } = await openChain(local);
  return client.getTransactionCount({ address: recorder.address });
}

let seed = 9_000;
async function record(local: LocalChain) {
  const receipt = await recordDirectly(await openChain(local), sampleOutcomes(1, seed++));
  expect(receipt.status).toBe("success");
}

async function kill(local: LocalChain) {
  process.kill(local.pid, "SIGKILL");
  while (isAlive(local.pid)) await pause(5);
}

test("a stop keeps the state and the addresses", async () => {
  const first = await start();
  await record(first);
  await first.stop();
  expect(isAlive(first.pid)).toBe(false);
  const second = await start();
  expect(second.pid).not.toBe(first.pid);
  expect(second.registryAddress).toBe(first.registryAddress);
  expect(second.usdcAddress).toBe(first.usdcAddress);
  expect(await records(second)).toBe(1);
  await record(second);
  expect(messages).toEqual([]);
});

test("data of a version with another registry is refused, with what to delete", async () => {
  const first = await start();
  const transport = http(first.rpcUrl);
  const node = createTestClient({ chain: foundry, mode: "anvil", transport });
  const bytecode =
    (await (await openChain(first)).client.getCode({ address: first.usdcAddress })) ?? "0x";
  await node.setCode({ address: first.registryAddress, bytecode });
  await first.stop();
  await expect(start()).rejects.toThrow(
    /^The local chain has the registry of an earlier version.*delete the data folder.*DATA_DIR.*database of DATABASE_URL/,
  );
});

test("another statement key gets its own gate of the same registry", async () => {
  const first = await start();
  const statementKey = generatePrivateKey();
  const second = await start({ folder, statementKey });
  const third = await start({ folder, statementKey });
  expect(second.scoreGateAddress).not.toBe(first.scoreGateAddress);
  expect(third).toMatchObject({
    registryAddress: first.registryAddress,
    scoreGateAddress: second.scoreGateAddress,
  });
  const { client, scoreGate } = await openChain(third);
  expect(await readGateSigner(client, third.scoreGateAddress)).toBe(scoreGate?.signer);
});

test("a chain that an earlier process left running is reused", async () => {
  const first = await start();
  await record(first);
  const second = await start();
  expect(second.pid).toBe(first.pid);
  expect(await records(second)).toBe(1);
});

test("keeps the written state and the contracts after a kill", async () => {
  const first = await start({ folder, stateInterval: 1 });
  await record(first);
  const state = join(folder, "state.json");
  const before = (await stat(state).catch(() => null))?.mtimeMs ?? 0;
  // Two writes later the file contains the record, whenever the first of them began.
  for (let writes = 0, last = before; writes < 2; await pause(50)) {
    const now = (await stat(state).catch(() => null))?.mtimeMs ?? 0;
    if (now !== last) writes++;
    last = now;
  }
  await kill(first);
  const second = await start();
  expect(await records(second)).toBe(1);
  expect(second.registryAddress).toBe(first.registryAddress);
  await record(second);
});

test("starts over at the same addresses if killed before any write", async () => {
  const first = await start({ folder, stateInterval: 3_600 });
  await record(first);
  await kill(first);
  const second = await start();
  expect(second.registryAddress).toBe(first.registryAddress);
  expect(await records(second)).toBe(0);
  await record(second);
});

test("a damaged state is moved aside and reported", async () => {
  const first = await start();
  await first.stop();
  const state = join(folder, "state.json");
  const whole = await readFile(state, "utf8");
  await writeFile(state, whole.slice(0, whole.length / 2));
  const second = await start();
  expect(await records(second)).toBe(0);
  expect(messages).toEqual([expect.stringContaining("was moved to")]);
  const aside = (await readdir(folder)).find((name) => name.includes("damaged"));
  expect((await readFile(join(folder, aside ?? ""), "utf8")).length).toBe(
    Math.floor(whole.length / 2),
  );
});

test("a process file that names an unrelated process is ignored", async () => {
  const other = await start({});
  const port = Number(new URL(other.rpcUrl).port);
  for (const known of [
    { pid: process.pid, port, instanceId: "0xanother" },
    { pid: process.pid, port: 9, instanceId: "0xanother" },
    { pid: 0, port },
  ]) {
    await writeFile(join(folder, "anvil.json"), JSON.stringify(known));
    const mine = await start();
    expect(mine.rpcUrl).not.toBe(other.rpcUrl);
    await mine.stop();
  }
  expect(isAlive(other.pid)).toBe(true);
});

test("mines at an interval if configured, otherwise on demand", async () => {
  const periodic = await openChain(await start({ blockTime: 0.05 }));
  const at = await periodic.client.getBlockNumber();
  while ((await periodic.client.getBlockNumber()) < at + 3n) await pause(20);
  const { client } = await openChain(await start({}));
  const first = await client.getBlock({ blockNumber: 1n, includeTransactions: true });
  const deployer = first.transactions[0]?.from ?? "0x";
  const deployments = await client.getTransactionCount({ address: deployer });
  expect(await client.getBlockNumber()).toBe(BigInt(deployments));
});

test("a temporary chain ends when it is stopped", async () => {
  const chain = await start({});
  await chain.stop();
  expect(isAlive(chain.pid)).toBe(false);
});
