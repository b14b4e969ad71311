import { type Address, type Hex, hexToBigInt, pad } from "viem";
import type { Chain } from "./client";
import { TRANSFER } from "./payment";
import { readLogs } from "./read-logs";

interface Asked {
  /** EIP-55 form. */
  from: string;
  to: string;
  sinceBlock: bigint;
}

/**
 * Returns every USDC transfer from one account to another since a block, according to the node's
 * logs; amounts in millionths. Throws if the node is unreachable or lacks logs of that time.
 */
export async function transfersBetween(
  { client, usdcAddress }: Pick<Chain, "client" | "usdcAddress">,
  { from, to, sinceBlock }: Asked,
): Promise<{ txHash: Hex; amountMicro: bigint }[]> {
  const logs = await readLogs(client, {
    filter: { address: usdcAddress, topics: [TRANSFER, pad(from as Address), pad(to as Address)] },
    from: sinceBlock,
    to: await client.getBlockNumber({ cacheTime: 0 }),
  });
  return logs.map(({ transactionHash, data }) => ({
    txHash: transactionHash,
    amountMicro: hexToBigInt(data),
  }));
}
