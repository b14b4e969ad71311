import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestClient, createWalletClient, http, publicActions } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startAnvil } from "@/server/local/anvil";
import { findFreePort } from "@/server/local/process";
import { isCompleteState } from "./chain-node";

interface Block {
  header: { number: string };
  transactions: object[];
}

let folder: string;
let written: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "standing-chain-state-"));
  const chain = await startAnvil({ folder, port: await findFreePort() });
  const transport = http(chain.rpcUrl);
  const node = createTestClient({ mode: "anvil", transport }).extend(publicActions);
  const wallet = createWalletClient({ transport });
  const [from, to] = await wallet.getAddresses();
  if (!from || !to) throw new Error("the node has no accounts");
  for (let sent = 0; sent < 3; sent += 1) {
    const hash = await wallet.sendTransaction({ account: from, to, value: 1n, chain: null });
    await node.waitForTransactionReceipt({ hash });
  }
  await chain.stop();
  written = await readFile(join(folder, "state.json"), "utf8");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test("the state of a stopped node is complete; a truncated one is not", () => {
  expect(isCompleteState(written)).toBe(true);
  expect(isCompleteState(written.slice(0, -10))).toBe(false);
});

test("a state without its last block is not complete", () => {
  const state = JSON.parse(written);
  const full: Block[] = state.blocks.filter((block: Block) => block.transactions.length > 0);
  const last = full.toSorted((a, b) => Number(a.header.number) - Number(b.header.number)).at(-1);
  state.blocks = state.blocks.filter((block: Block) => block !== last);
  expect(isCompleteState(JSON.stringify(state))).toBe(false);
});
