import { setTimeout as pause } from "node:timers/promises";
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeDeployData,
  type Hex,
  http,
  type TestClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { type Chain, openChain } from "@/server/chain/client";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import type { ChainInfo } from "@/server/lib/context";
import { type LocalChain, startAnvil } from "@/server/local/anvil";

export interface TestChain {
  chain: Chain;
  rpcUrl: string;
  /** Pauses blocks, triggers reorgs, sets fees. */
  node: TestClient<"anvil">;
  close(): Promise<void>;
}

/** Starts a separate real chain with the contracts and funded keys. */
export async function startTestChain(
  options: { confirmations?: number; blockTime?: number } = {},
): Promise<TestChain> {
  const anvil = await startAnvil(options.blockTime ? { blockTime: options.blockTime } : {});
  const node = createTestClient({ chain: foundry, mode: "anvil", transport: http(anvil.rpcUrl) });
  await setClock(node);
  return {
    chain: await openChain({ ...anvil, confirmations: options.confirmations, isLocal: true }),
    rpcUrl: anvil.rpcUrl,
    node,
    close: anvil.stop,
  };
}

/**
 * Sets the node's clock to ours. It is behind by the time that the node took to start, and after going
 * back to a snapshot by the age of that.
 */
export const setClock = (node: TestClient<"anvil">): Promise<unknown> =>
  node.request<{ Method: "evm_setTime"; Parameters: [number]; ReturnType: unknown }>({
    method: "evm_setTime",
    params: [Math.ceil(Date.now() / 1_000)],
  });

/** Reads all records from the chain, without the service. */
export async function readChainLedger({
  rpcUrl,
  registryAddress,
}: Pick<LocalChain, "rpcUrl" | "registryAddress">) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const logs = await client.getLogs({ address: registryAddress, fromBlock: 0n });
  return decodeRecords(logs, registryAddress).map(({ record }) => record);
}

/** Records `records` with the recorder's key, bypassing the sender and its database. */
export function recordDirectly(
  chain: Chain,
  records: Parameters<typeof encodeRecords>[0],
  from: PrivateKeyAccount = chain.recorder,
): Promise<TransactionReceipt> {
  return sendDirectly(chain, from, { to: chain.registryAddress, ...encodeRecords(records) });
}

/** Sends a transaction and waits; the returned receipt may be of a reverted transaction. */
export async function sendDirectly(
  { client }: Pick<ChainInfo, "client">,
  account: PrivateKeyAccount,
  call: { to?: Hex; data: Hex; gas?: bigint },
): Promise<TransactionReceipt> {
  const wallet = createWalletClient({
    account,
    chain: foundry,
    transport: http(client.chain?.rpcUrls.default.http[0]),
  });
  // A given gas limit prevents viem from rejecting in advance what would revert.
  const hash = await wallet.sendTransaction({ gas: 300_000n, ...call });
  return waitForReceipt(client, hash);
}

/** Deploys a compiled contract with the recorder's ether. Returns its address. */
export async function deployContract(
  chain: Chain,
  contract: { abi: readonly unknown[]; bytecode: string },
  args: readonly unknown[],
): Promise<Hex> {
  const data = encodeDeployData({ ...contract, args } as Parameters<typeof encodeDeployData>[0]);
  const receipt = await sendDirectly(chain, chain.recorder, { data, gas: 5_000_000n });
  if (!receipt.contractAddress) throw new Error("nothing was deployed");
  return receipt.contractAddress;
}

const MINED_WITHIN_MS = 20_000;

/**
 * Polls for the receipt: viem waits for the next block if the first one does not have it, and a
 * chain that mines on demand may never mine another.
 */
async function waitForReceipt(client: ChainInfo["client"], hash: Hex): Promise<TransactionReceipt> {
  for (const end = Date.now() + MINED_WITHIN_MS; ; await pause(client.pollingInterval)) {
    try {
      return await client.getTransactionReceipt({ hash });
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || Date.now() > end) throw error;
    }
  }
}
