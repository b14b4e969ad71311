import { encodeFunctionData, parseEther, toHex } from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import usdc from "@/contracts/TestUsdc.json";
import type { Chain } from "@/server/chain/client";
import type { UsdcTransfer } from "@/server/chain/payments/transfers";
import { waitForReceipt } from "@/server/local/contracts";
import type { PlannedAgent } from "./planned-events";

/** Pays test USDC between the simulated wallets, on a local chain. */
export interface Payments {
  /** Sends a transfer and waits until it is mined. */
  pay(payment: { from: string; to: string; micro: number }): Promise<UsdcTransfer>;
}

/** More than any agent spends in half a year. */
const MINTED_MICRO = 10n ** 12n;
const GAS = 150_000n;
const FEES = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 0n };

/** Gives every agent ether and test USDC, and returns the means to pay. */
export async function openPayments(chain: Chain, agents: PlannedAgent[]): Promise<Payments> {
  const { client, usdcAddress } = chain;
  const wallets = new Map<string, { account: PrivateKeyAccount; nonce: number }>();

  async function call(from: string, functionName: string, args: unknown[]) {
    const data = encodeFunctionData({ abi: usdc.abi, functionName, args });
    const wallet = wallets.get(from);
    if (!wallet) throw new Error(`${from} is not a simulated agent`);
    const raw = await wallet.account.signTransaction({
      type: "eip1559",
      chainId: chain.id,
      nonce: wallet.nonce++,
      to: usdcAddress,
      data,
      gas: GAS,
      ...FEES,
    });
    const hash = await client.sendRawTransaction({ serializedTransaction: raw });
    const receipt = await waitForReceipt(client, hash);
    if (receipt.status !== "success") throw new Error(`the test USDC reverted ${hash}`);
    return receipt;
  }

  for (const { privateKey, wallet } of agents) {
    const account = privateKeyToAccount(privateKey);
    await client.request({
      method: "anvil_setBalance" as never,
      params: [wallet, toHex(parseEther("1"))] as never,
    });
    wallets.set(wallet, { account, nonce: await client.getTransactionCount(account) });
    await call(wallet, "mint", [account.address, MINTED_MICRO]);
  }
  return {
    async pay({ from, to, micro }) {
      const receipt = await call(from, "transfer", [to, BigInt(micro)]);
      const { transactionHash, blockNumber, blockHash } = receipt;
      const place = { txHash: transactionHash, logIndex: 0, blockNumber, blockHash };
      return { ...place, from, to, amountMicro: BigInt(micro) };
    },
  };
}
