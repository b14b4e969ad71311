import { createPublicClient, http, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { Env } from "@/server/lib/env";
import { createCallerFactory } from "@/server/lib/trpc";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import {
  type FaultyNode,
  type NodeLimit,
  OVER_RATE_LIMIT,
  startFaultyNode,
} from "@/server/testing/chain/faulty-node";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { type Chain, openChain } from "./client";
import { networkRouter } from "./router";
import { getWalletConnectors } from "./wallet-connectors";

const [recorderKey, stakeKey] = [`0x${"11".repeat(32)}`, `0x${"22".repeat(32)}`] as const;

let local: TestChain;
let database: TestDatabase;
beforeAll(async () => {
  [local, database] = await Promise.all([startTestChain(), createTestDatabase()]);
});
afterAll(async () => {
  await local.close();
  await database.close();
});

const options = () => ({
  rpcUrl: local.rpcUrl,
  registryAddress: local.chain.registryAddress.toLowerCase(),
  usdcAddress: local.chain.usdcAddress,
  recorderKey,
  stakeKey,
});

describe("openChain", () => {
  test("asks the node which chain it is on", async () => {
    const chain = await openChain(options());
    expect(chain).toMatchObject({
      id: 31_337,
      isLocal: true,
      confirmations: 1,
      registryAddress: local.chain.registryAddress,
      recorder: { address: privateKeyToAccount(recorderKey).address },
      stakeAddress: privateKeyToAccount(stakeKey).address,
    });
  });

  test("rejects another chain, and an address without a contract", async () => {
    await expect(openChain({ ...options(), chainId: 8453 })).rejects.toThrow(
      "on chain 31337, not 8453",
    );
    await expect(openChain({ ...options(), registryAddress: zeroAddress })).rejects.toThrow(
      "no contract",
    );
  });

  test("requires a score gate for this registry to sign statements", async () => {
    const { scoreGate } = local.chain;
    const statementKey = `0x${"33".repeat(32)}`;
    const configure = (scoreGateAddress?: string, registryAddress?: string) =>
      openChain({
        ...options(),
        statementKey,
        scoreGateAddress,
        ...(registryAddress ? { registryAddress } : {}),
      });
    const signer = privateKeyToAccount(`0x${"33".repeat(32)}`).address;
    expect(await configure(scoreGate?.address)).toMatchObject({
      scoreGate: { address: scoreGate?.address, signer },
      statementSigner: { address: signer },
    });
    expect(await configure(undefined)).toMatchObject({ scoreGate: null, statementSigner: null });
    for (const address of [zeroAddress, local.chain.usdcAddress]) {
      await expect(configure(address)).rejects.toThrow(
        `SCORE_GATE_ADDRESS ${address} is not a ScoreGate for the registry`,
      );
    }
    await expect(configure(scoreGate?.address, local.chain.usdcAddress)).rejects.toThrow(
      "is not a ScoreGate for the registry",
    );
  });

  test("starts without the node if the chain id is configured", async () => {
    const rpcUrl = "http://127.0.0.1:9";
    await expect(openChain({ ...options(), rpcUrl })).rejects.toThrow("CHAIN_ID");
    expect(await openChain({ ...options(), rpcUrl, chainId: 8453 })).toMatchObject({
      id: 8453,
      name: "Base",
      isLocal: false,
      explorerUrl: "https://basescan.org",
      confirmations: 5,
    });
    expect(await openChain({ ...options(), rpcUrl, chainId: 84_532 })).toMatchObject({
      name: "Base Sepolia",
      explorerUrl: "https://sepolia.basescan.org",
    });
  });
});

describe("a node that limits requests", () => {
  let node: FaultyNode;
  let client: Chain["client"];
  beforeAll(async () => {
    node = await startFaultyNode(local.rpcUrl);
    client = (await openChain({ ...options(), rpcUrl: node.url })).client;
  });
  afterEach(() => node.setBehavior("answer"));
  afterAll(() => node.close());

  /** Has the node refuse calls until it has refused `count` of them. */
  async function refuse(count: number, limit: NodeLimit, methods?: string[]) {
    const before = node.requestedMethods.length;
    node.setBehavior(limit, methods);
    await expect.poll(() => node.requestedMethods.length).toBeGreaterThanOrEqual(before + count);
    node.setBehavior("answer");
  }

  const error = (code: number, message: string) =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code, message } });

  test.each<[string, NodeLimit]>([
    ["Base", OVER_RATE_LIMIT],
    ["Base, with a status", { ...OVER_RATE_LIMIT, status: 429 }],
    ["a proxy", { status: 429, body: "<h1>Too Many Requests</h1>" }],
    ["a proxy that names the time", { status: 429, body: "", retryAfter: "1" }],
    ["Infura", { status: 200, body: error(-32005, "daily request count exceeded") }],
    ["QuickNode", { status: 200, body: error(-32007, "50/second request limit reached") }],
    ["Alchemy", { status: 200, body: error(429, "compute units per second capacity") }],
    ["Ankr", { status: 200, body: error(-32000, "Too many requests, call rate limit exhausted") }],
  ])("is asked again: %s", async (_, limit) => {
    const [height] = await Promise.all([client.getBlockNumber({ cacheTime: 0 }), refuse(2, limit)]);
    expect(height).toBeGreaterThan(0n);
  });

  test("is not asked before the time it names, and the caller learns of the limit", async () => {
    const { client } = await openChain({ ...options(), rpcUrl: node.url });
    node.setBehavior({ status: 429, body: "", retryAfter: "30" });
    const before = node.requestedMethods.length;
    for (let calls = 0; calls < 3; calls++) {
      await expect(client.getBlockNumber({ cacheTime: 0 })).rejects.toThrow(
        "The node limits requests.",
      );
    }
    expect(node.requestedMethods.length).toBe(before + 1);
  });

  test.each([
    ["a contract that reverts with such words", error(3, "execution reverted: over rate limit")],
    ["too many logs", error(-32005, "query returned more than 10000 results")],
  ])("is not seen in %s", async (_, body) => {
    node.setBehavior({ status: 200, body });
    const failure = await client
      .call({ to: zeroAddress, data: "0x12345678" })
      .then(() => null, String);
    expect(failure).not.toBeNull();
    expect(failure).not.toContain("limits requests");
  });
});

describe("GET /network", () => {
  function network(chain: Chain, env: Partial<Env> = {}) {
    const { context } = createTestContext(createTestCore(database, { chain, env }));
    return createCallerFactory(networkRouter)(context).get();
  }

  test("returns what a wallet and an auditor need", async () => {
    expect(await network(await openChain(options()))).toEqual({
      chainId: 31_337,
      chainName: "Local chain",
      explorerUrl: null,
      registryAddress: local.chain.registryAddress,
      usdcAddress: local.chain.usdcAddress,
      usdc: { address: local.chain.usdcAddress, name: "USD Coin", version: "1", decimals: 6 },
      stakeAddress: privateKeyToAccount(stakeKey).address,
      statements: null,
      erc8004: null,
      erc8004Note: "ERC8004_IDENTITY_ADDRESS and ERC8004_REPUTATION_ADDRESS are not set.",
      escrows: null,
      stakeUsdc: "0.50",
      disputeReview: "checks-only",
      judge: "built-in",
      judgeNote: expect.stringContaining("No language model is configured"),
      confirmations: 1,
      policyVersion: "qc-4",
    });
  });

  test("names neither name nor version of a USDC that has none", async () => {
    const { registryAddress } = local.chain;
    const { usdc } = await network(await openChain({ ...options(), usdcAddress: registryAddress }));
    expect(usdc).toEqual({ address: registryAddress, name: null, version: null, decimals: 6 });
  });

  test("reads the USDC in the background if the node did not respond at the start", async () => {
    const chain = {
      ...(await openChain(options())),
      client: createPublicClient({ transport: http(local.rpcUrl) }),
    };
    expect((await network(chain)).usdc).toMatchObject({ name: null, version: null });
    await vi.waitFor(async () => expect((await network(chain)).usdc.version).toBe("1"));
  });

  test("returns who signs statements, which contract verifies them, and for how long", async () => {
    const { scoreGate } = local.chain;
    expect((await network(local.chain, { STATEMENT_TTL: 3_600_000 })).statements).toEqual({
      gateAddress: scoreGate?.address,
      signer: scoreGate?.signer,
      validSeconds: 3_600,
    });
  });

  test.each<[string, Partial<Env>]>([
    ["a key", { OPENAI_API_KEY: "a-key", JUDGE_MODEL: "a-model" }],
    ["an endpoint", { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", JUDGE_MODEL: "a-model" }],
  ])("says that a model reviews disputes if the environment has %s", async (_, env) => {
    const { disputeReview } = await network(await openChain(options()), env);
    expect(disputeReview).toBe("model");
  });

  test.each<[string, string | undefined, string]>([
    ["single-model", undefined, "JUDGE_ESCALATION_MODEL"],
    ["single-model", "a-model", "0.75"],
    ["two-models", "another", "both models"],
  ])("says how many models judge, and why: %s", async (setup, second, why) => {
    const { judge, judgeNote } = await network(local.chain, {
      OPENAI_API_KEY: "a-key",
      JUDGE_MODEL: "a-model",
      ...(second ? { JUDGE_ESCALATION_MODEL: second } : {}),
    });
    expect(judge).toBe(setup);
    expect(judgeNote).toContain(why);
  });

  test("returns the node's URL in local mode only: any other URL may contain a key", async () => {
    const chain = await openChain({ ...options(), isLocal: true });
    expect(await network(chain)).toMatchObject({ rpcUrl: local.rpcUrl });
  });
});

const WALLETCONNECT_PROJECT_ID = "0123456789abcdef0123456789abcdef";

test("WalletConnect is offered on any chain, a Base Account only on Base chains, if configured", () => {
  expect(getWalletConnectors({ BASE_ACCOUNT: false }, 8453)).toEqual({
    walletConnectProjectId: null,
    baseAccount: false,
  });
  const env = { WALLETCONNECT_PROJECT_ID, BASE_ACCOUNT: true };
  const offered = (chainId: number) => getWalletConnectors(env, chainId);
  const walletConnectProjectId = WALLETCONNECT_PROJECT_ID;
  expect(offered(8453)).toEqual({ walletConnectProjectId, baseAccount: true });
  expect(offered(84_532)).toEqual({ walletConnectProjectId, baseAccount: true });
  expect(offered(31_337)).toEqual({ walletConnectProjectId, baseAccount: false });
});
