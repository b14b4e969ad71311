import {
  type Address,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  hashTypedData,
  http,
  parseAbi,
  parseEventLogs,
  publicActions,
  walletActions,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Config } from "wagmi";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import type { Network } from "./network";
import {
  fundTestWallet,
  getFunds,
  getUsdcBalance,
  PaymentError,
  payUsdc,
  waitForPayment,
} from "./pay-usdc";
import { connectMockWallet } from "./testing/connect-mock-wallet";

const STAKE_ADDRESS: Address = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

let anvil: LocalChain;
let network: Network;
beforeAll(async () => {
  anvil = await startAnvil();
  network = {
    chainId: anvil.chainId,
    chainName: "Local chain",
    explorerUrl: null,
    registryAddress: anvil.registryAddress,
    usdcAddress: anvil.usdcAddress,
    usdc: { address: anvil.usdcAddress, name: "USD Coin", version: "1", decimals: 6 },
    stakeAddress: STAKE_ADDRESS,
    statements: null,
    erc8004: null,
    escrows: null,
    stakeUsdc: "0.50",
    disputeReview: "model",
    judge: "two-models",
    judgeNote: "",
    confirmations: 1,
    policyVersion: "1",
    rpcUrl: anvil.rpcUrl,
  };
});
afterAll(() => anvil.stop());

const account = () => privateKeyToAccount(generatePrivateKey());
const node = () =>
  createTestClient({ chain: foundry, mode: "anvil", transport: http(anvil.rpcUrl) })
    .extend(publicActions)
    .extend(walletActions);

let payer: Address;
let config: Config;
beforeEach(async () => {
  payer = account().address;
  await node().impersonateAccount({ address: payer });
  config = await connectMockWallet(network, payer);
});

const payment = (from = payer) => ({ from, to: STAKE_ADDRESS, amountUsdc: "0.50" });

describe("paying USDC", () => {
  test("moves exactly the amount from the wallet to the recipient", async () => {
    await fundTestWallet(network, payer);
    await node().impersonateAccount({ address: payer });
    const before = await getUsdcBalance(config, network, STAKE_ADDRESS);
    const hash = await payUsdc(config, network, payment());
    expect(await waitForPayment(config, network, hash)).toBe(hash);
    expect((await getUsdcBalance(config, network, STAKE_ADDRESS)) - before).toBe(500_000n);
    expect(await getUsdcBalance(config, network, payer)).toBe(99_500_000n);
  });

  test("does not prompt the wallet if the payment cannot be made", async () => {
    await expect(payUsdc(config, network, payment())).rejects.toThrow("has 0 USDC on Local chain");
    await fundTestWallet(network, payer);
    const signedIn = account().address;
    await expect(payUsdc(config, network, payment(signedIn))).rejects.toThrow(
      `account ${signedIn}`,
    );
    expect(await getUsdcBalance(config, network, payer)).toBe(100_000_000n);
  });

  test("does not prompt a wallet without ether for gas", async () => {
    await fundTestWallet(network, payer);
    expect(await getFunds(config, network, payer)).toEqual({ usdc: 100_000_000n, hasGas: true });
    await node().setBalance({ address: payer, value: 1_000n });
    expect(await getFunds(config, network, payer)).toMatchObject({ hasGas: false });
    await expect(payUsdc(config, network, payment())).rejects.toThrow("too little ether");
    expect(await getUsdcBalance(config, network, payer)).toBe(100_000_000n);
    // Others can pay the gas of a contract wallet.
    await node().setCode({ address: payer, bytecode: "0x00" });
    expect(await getFunds(config, network, payer)).toMatchObject({ hasGas: true });
  });
});

describe("a payment that signs", () => {
  /** An account whose key the node has, so that it signs typed data. */
  const signer: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
  const describeTerms = (termsHash: string) => ({
    domain: {
      name: "Standing",
      version: "1",
      chainId: network.chainId,
      verifyingContract: network.registryAddress as Address,
    },
    types: { Agreement: [{ name: "termsHash", type: "bytes32" }] },
    primaryType: "Agreement",
    message: { termsHash },
  });

  test("uses the digest as nonce, and can't be made twice or after its end", async () => {
    const wallet = await connectMockWallet(network, signer);
    await fundTestWallet(network, signer);
    const { timestamp } = await node().getBlock();
    const typedData = describeTerms(`0x${"1".repeat(64)}`);
    const signs = { typedData, before: Number(timestamp) + 600 };
    const hash = await payUsdc(wallet, network, { ...payment(signer), signs });
    await waitForPayment(wallet, network, hash);
    const { logs } = await node().getTransactionReceipt({ hash });
    const abi = parseAbi([
      "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)",
    ]);
    expect(parseEventLogs({ abi, logs }).map(({ args }) => args)).toEqual([
      { authorizer: signer, nonce: hashTypedData(typedData as never) },
    ]);
    const again = payUsdc(wallet, network, { ...payment(signer), signs });
    await expect(again).rejects.toThrow("has sent this payment already");
    const late = { typedData: describeTerms(`0x${"2".repeat(64)}`), before: Number(timestamp) };
    const lateHash = await payUsdc(wallet, network, { ...payment(signer), signs: late });
    await expect(waitForPayment(wallet, network, lateHash)).rejects.toThrow(PaymentError);
  });
});

describe("waiting for a payment", () => {
  async function sendReverting() {
    const poor = account();
    await node().setBalance({ address: poor.address, value: 10n ** 18n });
    const wallet = createWalletClient({
      account: poor,
      chain: foundry,
      transport: http(anvil.rpcUrl),
    });
    const args = [STAKE_ADDRESS, 500_000n] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args });
    return wallet.sendTransaction({ to: anvil.usdcAddress, data, gas: 300_000n });
  }

  test("rejects if the transaction reverted", async () => {
    await expect(waitForPayment(config, network, await sendReverting())).rejects.toThrow(
      PaymentError,
    );
  });
});
