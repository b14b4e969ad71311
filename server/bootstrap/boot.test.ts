import { createTestClient, http, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseEnv } from "@/server/lib/env";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { OVER_RATE_LIMIT, startFaultyNode } from "@/server/testing/chain/faulty-node";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { openRuntime } from "./boot";
import type { ServiceParts } from "./parts";

const stakeKey = generatePrivateKey();

let database: TestDatabase;
let chain: LocalChain;
beforeAll(async () => {
  [database, chain] = await Promise.all([createTestDatabase(), startAnvil()]);
});
afterAll(async () => {
  await chain.stop();
  await database.close();
});

/** Opens a service with a database or a chain of its own, and stops it. Returns its environment. */
async function open(
  own: ServiceParts["local"],
  changes: Partial<ServiceParts["chain"]> = {},
  env: Record<string, string> = {},
  notify: (message: string) => void = () => {},
) {
  const runtime = await openRuntime(parseEnv({ LOG_LEVEL: "silent", ...env }), {
    databaseUrl: database.url,
    chain: { ...chain, chainId: undefined, stakeKey, confirmations: 1, ...changes },
    secretKey: "0".repeat(64),
    local: own,
    describe: { database: "", chain: "" },
    notify,
    stop: async () => {},
  });
  await runtime.stop();
  return runtime.core.env;
}

const CONFIGURED = { database: false, chain: false };

describe("calls to this machine", () => {
  test("are allowed by default only if the service started the chain itself", async () => {
    const isAllowed = async (own: ServiceParts["local"]) =>
      (await open(own)).OUTBOUND_ALLOW_LOOPBACK;
    expect(await isAllowed({ database: true, chain: false })).toBe(false);
    expect(await isAllowed({ database: false, chain: true })).toBe(true);
    const chosen = await open(CONFIGURED, {}, { OUTBOUND_ALLOW_LOOPBACK: "true" });
    expect(chosen.OUTBOUND_ALLOW_LOOPBACK).toBe(true);
  });
});

describe("a configured chain stops the start with one line", () => {
  test("if the registry does not let the recorder record", async () => {
    const recorderKey = generatePrivateKey();
    const { address } = privateKeyToAccount(recorderKey);
    await expect(open(CONFIGURED, { recorderKey })).rejects.toThrow(
      `does not let the address of RECORDER_KEY, ${address}, record: its owner must call setRecorder`,
    );
    const registryAddress = chain.usdcAddress;
    const other = { registryAddress, scoreGateAddress: undefined };
    await expect(open(CONFIGURED, other)).rejects.toThrow(
      `The registry ${registryAddress} does not let`,
    );
  });

  test("if the registry is of another version", async () => {
    const { registryAddress: address } = chain;
    const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(chain.rpcUrl) });
    const code = await node.extend(publicActions).getCode({ address });
    await node.setCode({ address, bytecode: `${code ?? "0x"}00` });
    await expect(open(CONFIGURED)).rejects.toThrow(
      `The registry ${address} is of another version: deploy one for this version`,
    );
    await node.setCode({ address, bytecode: code ?? "0x" });
    await open(CONFIGURED);
  });

  test("if there is no USDC", async () => {
    const { address: usdcAddress } = privateKeyToAccount(generatePrivateKey());
    await expect(open(CONFIGURED, { usdcAddress })).rejects.toThrow(
      `has no contract at USDC_ADDRESS ${usdcAddress}`,
    );
  });

  test("if the stake account is a contract, but not if it delegates its calls", async () => {
    const { address } = privateKeyToAccount(stakeKey);
    const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(chain.rpcUrl) });
    await node.setCode({ address, bytecode: `0xef0100${chain.usdcAddress.slice(2)}` });
    await open(CONFIGURED);
    await node.setCode({ address, bytecode: "0x6001600101" });
    await expect(open(CONFIGURED)).rejects.toThrow(
      `The address of STAKE_KEY, ${address}, is a contract`,
    );
    await node.setCode({ address, bytecode: "0x" });
  });

  test("but not if the node limits requests: the start says so, and waits", async () => {
    for (const chainId of [undefined, 31_337]) {
      const node = await startFaultyNode(chain.rpcUrl);
      node.setBehavior(OVER_RATE_LIMIT);
      const notices: string[] = [];
      const opened = open(CONFIGURED, { rpcUrl: node.url, chainId }, {}, (notice) =>
        notices.push(notice),
      );
      await expect.poll(() => notices).toContain("The start waits: the node limits requests.");
      node.setBehavior("answer");
      await opened;
      await node.close();
    }
  });

  test("but not if the node does not respond and the chain's id is known", async () => {
    await open(CONFIGURED, { rpcUrl: "http://127.0.0.1:9", chainId: 8453 });
  });
});
