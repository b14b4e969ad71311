import {
  type Address,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  pad,
  type TransactionReceipt,
} from "viem";
import { toChecksumAddress } from "@/server/lib/wallet";

/** One `Transfer` log of the USDC contract. */
export interface UsdcTransfer {
  /** As the receipt spells it, not as the request did. */
  txHash: Hex;
  /** Position of the log within its transaction; a reorg does not change it. */
  logIndex: number;
  from: string;
  to: string;
  amountMicro: bigint;
  blockNumber: bigint;
  blockHash: Hex;
  /** Nonce of the sender's EIP-3009 authorization that made the transfer, if one did. */
  authorizationNonce?: Hex;
}

/** keccak256("Transfer(address,address,uint256)") */
export const TRANSFER_TOPIC = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** keccak256("AuthorizationUsed(address,bytes32)"), of EIP-3009. */
export const AUTHORIZATION_TOPIC =
  "0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5";

/**
 * Returns all transfers that the USDC contract itself emitted; other contracts can emit the same
 * log.
 */
export function extractTransfers(
  { usdcAddress }: { usdcAddress: Address },
  receipt: TransactionReceipt,
): UsdcTransfer[] {
  const { transactionHash: txHash, blockNumber, blockHash } = receipt;
  return receipt.logs.flatMap(({ address, topics, data }, logIndex) => {
    const [event, from, to, ...others] = topics;
    if (!isAddressEqual(address, usdcAddress) || event !== TRANSFER_TOPIC) return [];
    if (!from || !to || others.length > 0 || data.length !== 66) return [];
    const [sender, recipient] = [decodeAddress(from), decodeAddress(to)];
    if (!sender || !recipient) return [];
    const amountMicro = hexToBigInt(data);
    const authorizationNonce = findNonce(usdcAddress, receipt.logs[logIndex - 1], sender);
    return {
      ...{ txHash, logIndex, from: sender, to: recipient, amountMicro, blockNumber, blockHash },
      ...(authorizationNonce && { authorizationNonce }),
    };
  });
}

/**
 * Returns the nonce of an EIP-3009 authorization of `sender` that was used in the log before a transfer:
 * USDC emits `AuthorizationUsed` directly before its `Transfer`.
 */
function findNonce(
  usdcAddress: Address,
  log: TransactionReceipt["logs"][number] | undefined,
  sender: string,
): Hex | undefined {
  if (!log || !isAddressEqual(log.address, usdcAddress)) return undefined;
  const [event, authorizer = "0x", nonce, ...others] = log.topics;
  const isUse = event === AUTHORIZATION_TOPIC && others.length === 0;
  return isUse && decodeAddress(authorizer) === sender ? nonce : undefined;
}

export function decodeAddress(topic: Hex): string | null {
  const address = `0x${topic.slice(-40)}` as const;
  return pad(address) === topic ? toChecksumAddress(address) : null;
}
