import { createWalletClient, encodeFunctionData, type Hex, hexToBytes, http } from "viem";
import scoreGate from "@/contracts/ScoreGate.json";
import type { Chain } from "@/server/chain/client";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import { waitForReceipt } from "@/server/local/contracts";
import { EXAMPLE_STATEMENT } from "@/server/reputation/statement/router";
import { buildDomain, toTypedData } from "@/server/reputation/statement/typed-data";
import { createOutcomeRecord } from "./workload";

/**
 * Gas of one EAS `attest`, measured on Base's contract. Its event does not even contain the
 * verdict.
 */
export const EAS_ATTEST_GAS = 347_000;

/**
 * Measures gas per verdict, alone and in batches, on a registry that already has records; and what
 * verifying a statement adds to a transaction that has it in its calldata.
 */
export async function measureGas(chain: Chain) {
  // A registry's first record costs more, because its head and count change from zero.
  await measureRecordGas(chain, 1);
  const perVerdict = async (size: number) =>
    Math.round((await measureRecordGas(chain, size)) / size);
  return {
    "gas.single": await perVerdict(1),
    "gas.batch10": await perVerdict(10),
    "gas.batch50": await perVerdict(50),
    "gas.statement": await measureStatementGas(chain),
  };
}

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
