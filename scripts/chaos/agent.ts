import { setTimeout as pause } from "node:timers/promises";
import {
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseEther,
  parseGwei,
  publicActions,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { foundry } from "viem/chains";
import usdc from "@/contracts/TestUsdc.json";
import type { Random } from "@/scripts/lib/random";
import { STAKE_MICRO } from "@/server/lib/usdc";
import type { LocalChain } from "@/server/local/anvil";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import type { Client } from "./client";
import { type FaultyReceiver, startFaultyReceiver } from "./faulty-endpoints";
import type { History } from "./history";

/** A registered agent with a funded wallet, and a webhook for every event. */
export interface Agent {
  address: Hex;
  isVerified: boolean;
  apiKey: string;
  account: PrivateKeyAccount;
  wallet: Wallet;
  receiver: FaultyReceiver;
  webhook: { webhookId: string; secret: string };
}

const EVENTS = ["outcome.resolved", "score.updated", "dispute.opened", "dispute.resolved"];

/**
 * Registers an agent and its webhook, and funds its wallet. Must run before any fault.
 */
export async function registerAgent(
  client: Client,
  options: WalletOptions,
  { name, isVerified }: { name: string; isVerified: boolean },
): Promise<Agent> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { address } = account;
  const registered = await client.retry(address, {
    method: "POST",
    path: "/agents/register",
    body: {
      agentAddress: address,
      name,
      walletProof: isVerified ? await createProof(client, account) : undefined,
    },
  });
  if (registered.status !== 201) throw new Error(`${name} cannot register: ${registered.text}`);
  const { apiKey } = registered.body;
  const receiver = await startFaultyReceiver();
  const created = await client.retry(address, {
    method: "POST",
    path: "/webhooks",
    apiKey,
    body: { url: receiver.url, events: EVENTS },
  });
  if (created.status !== 201) throw new Error(`${name} cannot add a webhook: ${created.text}`);
  const wallet = await openWallet(options, account);
  return { address, isVerified, apiKey, account, wallet, receiver, webhook: created.body };
}

/** Creates a wallet proof. A proof can be used once, so a repeated request needs a new one. */
export async function createProof(client: Client, account: PrivateKeyAccount) {
  const nonce = await client.retry(account.address, { method: "POST", path: "/auth/nonce" });
  return signProof(account, nonce.body);
}

/**
 * Returns a generator of unique amounts of at least `min`, in millionths of USDC. Each identifies a
 * payment.
 */
export function createAmountGenerator(): (min: bigint) => bigint {
  let next = 0n;
  return (min) => {
    next += 1n;
    return min + next;
  };
}

/** Upper limit of the time that the service needs to find a payment. */
const VISIBLE_WITHIN_MS = 45_000;

/** Shared by all agents of a run. */
export interface Load {
  client: Client;
  random: Random;
  agents: Agent[];
  stakeAddress: Hex;
  chain: LocalChain;
  createAmount: (min: bigint) => bigint;
  /** Returns whether no new work may start. */
  isClosing: () => boolean;
  /** Returns whether all requests must end. */
  isOver: () => boolean;
  count: (event: "submitted" | "resolved" | "disputed" | "refunded") => void;
}

/** Polls random processes until the resource is resolved. Returns null if the run ends first. */
export async function waitUntilResolved(load: Load, actor: string, path: string) {
  while (!load.isOver()) {
    const { status, body } = await load.client.send(actor, { method: "GET", path });
    if (status === 200 && body.status === "RESOLVED") return body;
    await pause(load.random.between(800, 2_500));
  }
  return null;
}

/**
 * Pays and submits a stake; again with a new payment if the wallet withdrew the first. Returns the
 * last response.
 */
export async function submitStake(
  { client, stakeAddress, createAmount, isClosing }: Load,
  { address, apiKey, wallet }: Agent,
  path: string,
  body: (stakePaymentTxHash: Hex) => object,
) {
  for (;;) {
    const hash = await wallet.pay(stakeAddress, createAmount(STAKE_MICRO), "stake");
    const paidAt = Date.now();
    const isLost = () => wallet.isWithdrawn(hash) && Date.now() - paidAt > VISIBLE_WITHIN_MS;
    const request = { method: "POST", path, apiKey, body: body(hash) };
    const response = await client.retry(address, request, isLost);
    const { status, retryAfterMs } = response;
    const isFinal = status === null || status === 429 || retryAfterMs === null;
    if (isFinal || !isLost() || isClosing()) return response;
  }
}

/** A wallet that sends lost transactions again, but sometimes withdraws a lost stake instead. */
interface Wallet {
  /** Sends millionths of USDC. Resolves to the transaction's hash once mined or withdrawn. */
  pay(to: Hex, micro: bigint, purpose: "payment" | "stake"): Promise<Hex>;
  /** Calls a contract. Resolves once the call is mined, which may have reverted. */
  call(to: Hex, data: Hex): Promise<Hex>;
  /** Returns whether this stake was withdrawn: another transaction has its nonce. */
  isWithdrawn(hash: Hex): boolean;
}

interface SentTransaction {
  hash: Hex;
  raw: Hex;
  purpose: "payment" | "stake" | "withdrawal";
  isMined: boolean;
}

const FEES = { maxFeePerGas: parseGwei("20"), maxPriorityFeePerGas: parseGwei("1"), gas: 500_000n };
const MINTED_MICRO = 100_000_000_000n;
const POLL_MS = 700;
const WITHDRAWAL_PROBABILITY = 0.4;

interface WalletOptions {
  rpcUrl: string;
  usdcAddress: Hex;
  random: Random;
  history: History;
  isOver: () => boolean;
}

/** Funds a wallet, and sends its transactions again when lost, until the run is over. */
async function openWallet(
  { rpcUrl, usdcAddress, random, history, isOver }: WalletOptions,
  account: PrivateKeyAccount,
): Promise<Wallet> {
  const transport = http(rpcUrl, { retryCount: 0, timeout: 5_000 });
  const node = createTestClient({ chain: foundry, mode: "anvil", transport }).extend(publicActions);
  const { address } = account;
  await node.setBalance({ address, value: parseEther("1000") });
  /** Transactions by nonce; undefined until signed. */
  const sent: (SentTransaction | undefined)[] = [];
  const withdrawn = new Set<Hex>();

  async function resendLost(): Promise<void> {
    const next = await node.getTransactionCount({ address });
    for (const [nonce, transaction] of sent.entries()) {
      // The later ones wait until this one is signed.
      if (!transaction) return;
      const isLost = transaction.isMined && nonce >= next;
      transaction.isMined = nonce < next;
      if (transaction.isMined) continue;
      if (isLost && transaction.purpose === "stake" && random.chance(WITHDRAWAL_PROBABILITY)) {
        withdrawn.add(transaction.hash);
        history.recordNote("stake withdrawn", transaction.hash);
        sent[nonce] = await sign(account, "withdrawal", { nonce, to: address });
      } else if (isLost) {
        history.recordNote("payment sent again", transaction.hash);
      }
      const serializedTransaction = (sent[nonce] ?? transaction).raw;
      await node.sendRawTransaction({ serializedTransaction }).catch(() => {});
    }
  }

  async function send(purpose: SentTransaction["purpose"], to: Hex, data: Hex) {
    const nonce = sent.push(undefined) - 1;
    const transaction = await sign(account, purpose, { nonce, to, data });
    sent[nonce] = transaction;
    while (!transaction.isMined && !withdrawn.has(transaction.hash) && !isOver()) await pause(200);
    return transaction.hash;
  }

  const callUsdc = (purpose: SentTransaction["purpose"], functionName: string, args: unknown[]) =>
    send(purpose, usdcAddress, encodeFunctionData({ abi: usdc.abi, functionName, args }));

  void (async () => {
    for (; !isOver(); await pause(POLL_MS)) await resendLost().catch(() => {});
  })();
  await callUsdc("payment", "mint", [address, MINTED_MICRO]);
  return {
    pay: (to, micro, purpose) => callUsdc(purpose, "transfer", [to, micro]),
    call: (to, data) => send("payment", to, data),
    isWithdrawn: (hash) => withdrawn.has(hash),
  };
}

async function sign(
  account: PrivateKeyAccount,
  purpose: SentTransaction["purpose"],
  call: { nonce: number; to: Hex; data?: Hex },
): Promise<SentTransaction> {
  const request = { chainId: foundry.id, type: "eip1559", ...call, ...FEES } as const;
  const raw = await account.signTransaction(request);
  return { raw, hash: keccak256(raw), purpose, isMined: false };
}
