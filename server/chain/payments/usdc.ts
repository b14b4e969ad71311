import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  pad,
  parseAbi,
  parseEventLogs,
  type TransactionReceipt,
} from "viem";
import { type Chain, simulateCall } from "@/server/chain/client";
import { type RawLog, readLogs } from "@/server/chain/registry/read-logs";
import { TRANSFER_TOPIC } from "./transfers";

const usdcAbi = parseAbi([
  "function balanceOf(address account) view returns (uint256)",
  "function transfer(address to, uint256 value) returns (bool)",
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** A limit, not the cost: the real USDC, behind its proxy, uses about half of it. */
const TRANSFER_GAS = 120_000n;

/** A USDC transfer from the stake account. */
export interface OutgoingTransfer {
  /** EIP-55 form. */
  to: string;
  amountMicro: bigint;
}

/** Returns the calldata of the transfer, with its gas limit. */
export function encodeTransfer({ to, amountMicro }: OutgoingTransfer): { data: Hex; gas: bigint } {
  const args = [to as Address, amountMicro] as const;
  const data = encodeFunctionData({ abi: usdcAbi, functionName: "transfer", args });
  return { data, gas: TRANSFER_GAS };
}

/** Returns the balance of an account, in millionths. Throws if the node is unreachable. */
export function balanceOf(
  { client, usdcAddress }: Pick<Chain, "client" | "usdcAddress">,
  account: Address,
): Promise<bigint> {
  const functionName = "balanceOf";
  return client.readContract({ address: usdcAddress, abi: usdcAbi, functionName, args: [account] });
}

/**
 * Simulates a transfer and returns whether USDC would accept it now. Throws if the node is
 * unreachable.
 */
export async function canTransfer(chain: Chain, transfer: OutgoingTransfer): Promise<boolean> {
  const data = await simulateCall(chain.client, {
    account: chain.stake.address,
    to: chain.usdcAddress,
    ...encodeTransfer(transfer),
  });
  if (data === null || data === "0x") return false;
  return decodeFunctionResult({ abi: usdcAbi, functionName: "transfer", data });
}

/**
 * Checks if a receipt contains this payment from the account that sent the transaction, which may
 * be an earlier stake account if the key was replaced. Success alone proves nothing: a token may
 * return false.
 */
export function hasTransferred(
  { usdcAddress }: Pick<Chain, "usdcAddress">,
  { status, logs, from }: Pick<TransactionReceipt, "status" | "logs" | "from">,
  { to, amountMicro }: OutgoingTransfer,
): boolean {
  if (status !== "success") return false;
  const own = logs.filter(({ address }) => isAddressEqual(address, usdcAddress));
  return parseEventLogs({ abi: usdcAbi, eventName: "Transfer", logs: own }).some(
    ({ args }) =>
      isAddressEqual(args.from, from) &&
      isAddressEqual(args.to, to as Address) &&
      args.value === amountMicro,
  );
}

/**
 * Returns every USDC transfer from one account to another since a block, according to the node's
 * logs; amounts in millionths. Throws if the node is unreachable or lacks logs of that time.
 */
export async function findTransfersBetween(
  chain: Pick<Chain, "client" | "usdcAddress">,
  { from, to, sinceBlock }: { from: string; to: string; sinceBlock: bigint },
): Promise<{ txHash: Hex; amountMicro: bigint }[]> {
  const toBlock = await chain.client.getBlockNumber({ cacheTime: 0 });
  const range = { from: [from], to: [to], fromBlock: sinceBlock, toBlock };
  const logs = await readTransferLogs(chain, range);
  return logs.map(({ transactionHash, data }) => ({
    txHash: transactionHash,
    amountMicro: hexToBigInt(data),
  }));
}

/** Returns the logs of USDC transfers from any of some wallets to any of others, oldest first. */
export function readTransferLogs(
  { client, usdcAddress }: Pick<Chain, "client" | "usdcAddress">,
  options: { from: string[]; to: string[]; fromBlock: bigint; toBlock: bigint },
): Promise<RawLog[]> {
  const { from, to, fromBlock, toBlock } = options;
  const topics: (Hex | Hex[])[] = [TRANSFER_TOPIC, padUnique(from), padUnique(to)];
  const filter = { address: usdcAddress, topics };
  return readLogs(client, { filter, from: fromBlock, to: toBlock });
}

const padUnique = (wallets: string[]): Hex[] =>
  [...new Set(wallets)].map((wallet) => pad(wallet as Address));
