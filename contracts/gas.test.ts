import { createWalletClient, encodeFunctionData, type Hex, hexToBytes, http } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutcomeRecord } from "@/bench/workload";
import scoreGate from "@/contracts/ScoreGate.json";
import type { Chain } from "@/server/chain/client";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import { waitForReceipt } from "@/server/local/contracts";
import { EXAMPLE_STATEMENT } from "@/server/reputation/statement/router";
import { buildDomain, toTypedData } from "@/server/reputation/statement/typed-data";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.close());

/**
 * Gas of one EAS `attest`, measured on Base's contract. Its event does not even contain the
 * verdict.
 */
const EAS_ATTEST_GAS = 347_000;

test("a verdict costs a fifth of an EAS attestation, and a tenth in a batch", async () => {
  // A registry's first record costs more, because its head and count change from zero.
  await measureRecordGas(local.chain, 1);
  const single = await measureRecordGas(local.chain, 1);
  expect(single).toBeLessThan(66_000);
  expect(single).toBeLessThan(EAS_ATTEST_GAS / 5);
  expect(await measureRecordGas(local.chain, 10)).toBeLessThan(10 * 37_000);
  // The capacity table of docs/operations.md has this limit.
  expect(await measureRecordGas(local.chain, 50)).toBeLessThan(50 * 33_500);
});

test("a contract verifies a statement for less than 10,000 gas", async () => {
  expect(await measureStatementGas(local.chain)).toBeLessThan(10_000);
});

/** Returns the gas of `requireScore` without the transaction's base fee and calldata. */
async function measureStatementGas(chain: Chain): Promise<number> {
  const { scoreGate: gate, statementSigner } = chain;
  if (!gate || !statementSigner) throw new Error("the chain has no score gate");
  const issuedAt = Math.floor(Date.now() / 1000);
  const statement = { ...EXAMPLE_STATEMENT.message, issuedAt, expiresAt: issuedAt + 86_400 };
  const typedData = toTypedData(buildDomain(chain.id, gate.address), statement);
  const signature = await statementSigner.signTypedData(typedData);
  const data = encodeFunctionData({
    abi: scoreGate.abi,
    functionName: "requireScore",
    args: [typedData.message, signature, 7_000],
  });
  const receipt = await send(chain, { to: gate.address, data });
  if (receipt.status !== "success") throw new Error("The gate rejected the statement");
  return Number(receipt.gasUsed) - computeIntrinsicGas(data);
}

/** Returns what a transaction costs before it executes anything (EIP-2028). */
const computeIntrinsicGas = (data: Hex) =>
  hexToBytes(data).reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 21_000);

/** Returns the gas of a transaction with `size` records. */
async function measureRecordGas(chain: Chain, size: number): Promise<number> {
  const records = Array.from({ length: size }, (_, i) => createOutcomeRecord(i));
  const receipt = await send(chain, { to: chain.registryAddress, ...encodeRecords(records) });
  if (receipt.status !== "success") throw new Error(`Recording ${size} verdicts was refused`);
  return Number(receipt.gasUsed);
}

async function send(chain: Chain, call: { to: Hex; data: Hex; gas?: bigint }) {
  const wallet = createWalletClient({
    account: chain.recorder,
    chain: chain.client.chain,
    transport: http(chain.client.chain?.rpcUrls.default.http[0]),
  });
  const hash = await wallet.sendTransaction({ chain: wallet.chain, ...call });
  return waitForReceipt(chain.client, hash);
}
