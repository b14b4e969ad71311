import { eq } from "drizzle-orm";
import {
  type Address,
  BlockNotFoundError,
  type Hex,
  parseAbi,
  TransactionReceiptNotFoundError,
} from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { createSender, type Sender } from "@/server/chain/transactions/sender";
import { payouts } from "@/server/disputes/tables";
import { sendDirectly } from "@/server/testing/chain/chain";
import {
  createFundedAccount,
  encodeUsdcCall,
  fund,
  payUsdc,
} from "@/server/testing/chain/payments";
import { claimPaidStake, getUsdcBalance } from "@/server/testing/fixtures/dispute";
import { advanceOpenPayouts } from "@/server/testing/fixtures/payouts";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { advancePayout } from "./pay-out";
import { recheckPendingStakes } from "./watch-stakes";

const bench = await shareSettlementFixture();
let payer: PrivateKeyAccount;
beforeEach(async () => {
  payer = await createFundedAccount(local());
});

const AMOUNT = 750_000n;
const local = () => ({ chain: bench.core.chain, node: bench.control });
const finalise = () => bench.control.mine({ blocks: 2 });
const pay = (id: string, timeoutMs = 5_000) =>
  advancePayout(bench.core, bench.sender, id, timeoutMs);
const reconcile = () => advanceOpenPayouts(bench.core, bench.sender);

/** Inserts a payout that returns a payment of `payer`. */
async function owed(amountMicro = AMOUNT): Promise<string> {
  const transfer = await claimPaidStake(bench, payer, amountMicro, "unattached-stake");
  const [row] = await bench.core.db
    .insert(payouts)
    .values({
      purpose: "unattached-stake",
      transferId: transfer.id,
      to: payer.address,
      amountMicro,
    })
    .returning({ id: payouts.id });
  return row?.id ?? "";
}

/** Like `owed`, with the payment in a finalized block. */
async function due(amountMicro = AMOUNT): Promise<string> {
  const id = await owed(amountMicro);
  await finalise();
  return id;
}

/** Returns the amounts that the stake account paid to `payer`, according to the chain. */
async function payments(to: Address = payer.address): Promise<bigint[]> {
  const logs = await bench.core.chain.client.getContractEvents({
    address: bench.core.chain.usdcAddress,
    abi: parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]),
    eventName: "Transfer",
    args: { from: bench.core.chain.stakeAddress, to },
    fromBlock: 0n,
  });
  return logs.map(({ args }) => args.value ?? 0n);
}

const row = async (id: string) =>
  (await bench.core.db.select().from(payouts).where(eq(payouts.id, id)))[0];
const signedSoFar = async () => (await bench.core.db.select().from(chainTransactions)).length;

/** Returns a sender whose node has pruned one receipt and, if given, a block. */
function withPrunedNode(txHash = "", block?: bigint): Sender {
  const { client } = bench.core.chain;
  const pruned = {
    ...client,
    getTransactionReceipt: async ({ hash }: { hash: Hex }) => {
      if (hash === txHash) throw new TransactionReceiptNotFoundError({ hash });
      return client.getTransactionReceipt({ hash });
    },
    getBlock: (async (asked: { blockNumber?: bigint }) => {
      const { blockNumber } = asked;
      if (blockNumber === block && block) throw new BlockNotFoundError({ blockNumber });
      return client.getBlock(asked);
    }) as typeof client.getBlock,
  };
  return createSender({ ...bench.core, chain: { ...bench.core.chain, client: pruned } });
}

/** Signs the payout; its bytes are stored and no node has seen them. */
async function signOnly(id: string): Promise<void> {
  bench.node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
  await expect(pay(id, 0)).rejects.toThrow();
  bench.node.setBehavior("answer");
  expect(await row(id)).toMatchObject({ status: "signed" });
  expect(await payments()).toEqual([]);
}

/** Moves USDC out of the stake account without using its nonces. */
async function prepareTheft(): Promise<() => Promise<void>> {
  const spender = await createFundedAccount(local());
  const approve = encodeUsdcCall(local(), "approve", [spender.address, 10n ** 12n]);
  await sendDirectly(bench.core.chain, bench.core.chain.stake, approve);
  return async () => {
    const { stakeAddress } = bench.core.chain;
    const all = await getUsdcBalance(bench, stakeAddress);
    const call = encodeUsdcCall(local(), "transferFrom", [stakeAddress, spender.address, all]);
    const { status } = await sendDirectly(bench.core.chain, spender, call);
    expect(status).toBe("success");
  };
}

describe("a payout", () => {
  test("waits until the incoming payment is final, then returns all of it", async () => {
    const id = await owed();
    const before = await getUsdcBalance(bench, payer.address);
    expect(await pay(id)).toBe("waiting");
    await bench.control.mine({ blocks: 1 });
    expect(await pay(id)).toBe("waiting");
    expect(await signedSoFar()).toBe(0);
    await bench.control.mine({ blocks: 1 });
    expect(await pay(id)).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
    expect(await getUsdcBalance(bench, payer.address)).toBe(before + AMOUNT);
    const [sent] = await bench.core.db.select().from(chainTransactions);
    expect(await row(id)).toMatchObject({
      status: "paid",
      transactionId: sent?.id,
      txHash: sent?.hash,
      settledAt: expect.any(Date),
    });
    expect(sent).toMatchObject({ purpose: "payout", signer: bench.core.chain.stakeAddress });
  });

  test("is made if the node has pruned the receipt of the payment but has its block", async () => {
    const id = await due();
    const [transfer] = await bench.core.db.select().from(usedTransfers);
    expect(await advancePayout(bench.core, withPrunedNode(transfer?.txHash), id)).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
  });

  test("is made for a stake found final, even if the node has pruned it since", async () => {
    const { id: transferId, txHash, blockNumber } = await claimPaidStake(bench, payer, AMOUNT);
    const [owed] = await bench.core.db
      .insert(payouts)
      .values({ purpose: "stake-return", transferId, to: payer.address, amountMicro: AMOUNT })
      .returning({ id: payouts.id });
    await finalise();
    await recheckPendingStakes(bench.core);
    const node = withPrunedNode(txHash, blockNumber);
    expect(await advancePayout(bench.core, node, owed?.id ?? "")).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
  });

  test("is void if a reorganisation removed the payment, which is marked as gone", async () => {
    const before = await bench.control.snapshot();
    const id = await owed();
    await bench.control.revert({ id: before });
    expect(await pay(id)).toBe("waiting");
    await bench.control.mine({ blocks: 10 });
    expect(await pay(id)).toBe("void");
    expect(await bench.core.db.select().from(usedTransfers)).toMatchObject([
      { goneAt: expect.any(Date) },
    ]);
    await fund(local(), bench.core.chain.stakeAddress);
    expect(await pay(id)).toBe("void");
    expect(await reconcile()).toBe(0);
    expect(await payments()).toEqual([]);
  });

  test("is paid once, however often and concurrently it is requested", async () => {
    const id = await due();
    await due(500_000n);
    const asked = [pay(id), reconcile(), pay(id), reconcile(), pay(id)];
    await Promise.all(asked);
    await Promise.all([pay(id), reconcile()]);
    expect((await payments()).toSorted()).toEqual([500_000n, AMOUNT].toSorted());
    expect(await signedSoFar()).toBe(2);
  });

  test("waits without a transaction while USDC would refuse it", async () => {
    const steal = await prepareTheft();
    const id = await due();
    await steal();
    expect(await pay(id)).toBe("waiting");
    expect(await reconcile()).toBe(0);
    expect(await signedSoFar()).toBe(0);
    await fund(local(), bench.core.chain.stakeAddress);
    expect(await reconcile()).toBe(1);
    expect(await reconcile()).toBe(0);
    expect(await payments()).toEqual([AMOUNT]);
  });

  test("that can never be paid does not block others", async () => {
    const id = await due();
    await bench.core.db.update(payouts).set({ amountMicro: 10n ** 12n });
    const other = await due();
    expect(await reconcile()).toBe(1);
    expect([(await row(id))?.status, (await row(other))?.status]).toEqual(["waiting", "paid"]);
  });
});

describe("a transaction that paid nothing", () => {
  test("by reverting is replaced only once the revert is final", async () => {
    const steal = await prepareTheft();
    const id = await due();
    await signOnly(id);
    await steal();
    expect(await pay(id)).toBe("signed");
    await fund(local(), bench.core.chain.stakeAddress);
    // One block has been mined on top of it, and another is missing.
    expect(await pay(id)).toBe("signed");
    expect(await signedSoFar()).toBe(1);
    await finalise();
    expect(await pay(id)).toBe("waiting");
    expect(await pay(id)).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(2);
    await finalise();
    await bench.sender.resendOpen();
    await reconcile();
    expect(await payments()).toEqual([AMOUNT]);
  });

  test("but pays after a reorganisation is not replaced", async () => {
    const steal = await prepareTheft();
    const id = await due();
    await signOnly(id);
    const before = await bench.control.snapshot();
    await steal();
    expect(await pay(id)).toBe("signed");
    await bench.control.revert({ id: before });
    await bench.sender.resendOpen();
    expect(await pay(id)).toBe("paid");
    await finalise();
    await reconcile();
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(1);
  });

  test("that succeeded but returned false does not count as paid", async () => {
    const { usdcAddress: address, client } = bench.core.chain;
    const id = await due();
    const bytecode = (await client.getCode({ address })) ?? "0x";
    await signOnly(id);
    // PUSH0 PUSH0 MSTORE, then returns these 32 bytes: false.
    await bench.control.setCode({ address, bytecode: "0x5f5f5260205ff3" });
    expect(await pay(id)).toBe("signed");
    await finalise();
    expect(await pay(id)).toBe("waiting");
    expect(await pay(id)).toBe("waiting");
    expect(await signedSoFar()).toBe(1);
    await bench.control.setCode({ address, bytecode });
    expect(await pay(id)).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
  });

  test("because its nonce was taken is replaced once that is final", async () => {
    const id = await due();
    await signOnly(id);
    const { chain } = bench.core;
    await sendDirectly(
      chain,
      chain.stake,
      encodeUsdcCall(local(), "mint", [chain.stakeAddress, 1n]),
    );
    expect(await pay(id, 0)).toBe("signed");
    expect(await signedSoFar()).toBe(1);
    await finalise();
    expect(await pay(id, 0)).toBe("waiting");
    expect(await pay(id)).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
  });
});

describe("a node that prunes", () => {
  test("the receipt of a payout does not cause a second payment", async () => {
    const id = await due();
    await signOnly(id);
    // Sent and mined; the process dies before it sees the receipt.
    await bench.sender.resendOpen();
    await finalise();
    bench.node.setBehavior("forget", ["eth_getTransactionReceipt", "eth_getTransactionByHash"]);
    expect(await pay(id, 0)).toBe("signed");
    expect(await pay(id, 0)).toBe("signed");
    bench.node.setBehavior("answer");
    expect(await pay(id)).toBe("paid");
    await reconcile();
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(1);
  });

  test("logs since the incoming payment does not cause a second signature", async () => {
    const id = await due();
    await signOnly(id);
    const { chain } = bench.core;
    await sendDirectly(
      chain,
      chain.stake,
      encodeUsdcCall(local(), "mint", [chain.stakeAddress, 1n]),
    );
    await finalise();
    // Unknown if the node has no logs of that time.
    await bench.core.db.update(usedTransfers).set({ txHash: `0x${"ab".repeat(32)}` });
    expect(await pay(id, 0)).toBe("signed");
    expect(await signedSoFar()).toBe(1);
  });
});

test("a payout that the operator paid manually with the key is not paid again", async () => {
  const [id, other] = [await due(), await due()];
  await signOnly(id);
  await payUsdc(local(), bench.core.chain.stake, payer.address, AMOUNT);
  await finalise();
  expect(await pay(id, 0)).toBe("signed");
  expect(await payments()).toEqual([AMOUNT]);
  // A payment of the same amount by another payout's transaction does not count for it.
  expect(await pay(other)).toBe("paid");
  expect(await pay(id, 0)).toBe("signed");
  expect(await payments()).toEqual([AMOUNT, AMOUNT]);
});

describe("a payout that is paid but not final", () => {
  test("is resent with the same bytes if a reorganisation removes it", async () => {
    const id = await due();
    const before = await bench.control.snapshot();
    expect(await pay(id)).toBe("paid");
    await bench.control.revert({ id: before });
    expect(await payments()).toEqual([]);
    await reconcile();
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(1);
    expect((await row(id))?.status).toBe("paid");
  });

  test("is signed again if it then reverts for good", async () => {
    const steal = await prepareTheft();
    const id = await due();
    const before = await bench.control.snapshot();
    expect(await pay(id)).toBe("paid");
    await bench.control.revert({ id: before });
    await steal();
    // The next reconciliation resends it; a block later it is not final yet.
    await reconcile();
    await finalise();
    await reconcile();
    expect(await row(id)).toMatchObject({ status: "waiting", txHash: null, settledAt: null });
    await fund(local(), bench.core.chain.stakeAddress);
    expect(await reconcile()).toBe(1);
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(2);
  });

  test("is not repeated after the key changes", async () => {
    const id = await due();
    expect(await pay(id)).toBe("paid");
    await finalise();
    const stake = await createFundedAccount(local());
    const chain = { ...bench.core.chain, stake, stakeAddress: stake.address };
    const sender = { ...bench.sender, chain };
    const core = { ...bench.core, chain };
    expect(await advancePayout(core, sender, id, 0)).toBe("paid");
    expect(await advancePayout(core, sender, id, 0)).toBe("paid");
    expect(await signedSoFar()).toBe(1);
    expect(await getUsdcBalance(bench, payer.address)).toBeGreaterThan(0n);
  });

  test("is not checked once it is final", async () => {
    const id = await due();
    await pay(id);
    await finalise();
    await bench.sender.resendOpen();
    bench.node.requestedMethods.length = 0;
    expect(await reconcile()).toBe(0);
    expect(bench.node.requestedMethods).toEqual([]);
  });
});

describe("a crash", () => {
  test("between signing and sending: the same bytes are sent", async () => {
    const id = await due();
    await signOnly(id);
    expect(await reconcile()).toBe(1);
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(1);
  });

  test("between sending and confirming: no other bytes are sent", async () => {
    const id = await due();
    await signOnly(id);
    bench.node.setBehavior("hang-up", ["eth_getTransactionReceipt"]);
    await expect(pay(id)).rejects.toThrow();
    bench.node.setBehavior("answer");
    expect(await payments()).toEqual([AMOUNT]);
    expect((await row(id))?.status).toBe("signed");
    expect(await reconcile()).toBe(1);
    expect((await row(id))?.status).toBe("paid");
    expect(await payments()).toEqual([AMOUNT]);
    expect(await signedSoFar()).toBe(1);
  });

  test("after a crash at any node call: one payment, by one transaction", async () => {
    let died = 0;
    for (let calls = 0; ; calls++) {
      const [before, signed] = [(await payments()).length, await signedSoFar()];
      const id = await due();
      bench.node.dieAfter(calls);
      const survived = await pay(id, 0).then(
        (state) => state === "paid",
        () => false,
      );
      bench.node.setBehavior("answer");
      while ((await row(id))?.status !== "paid") await reconcile();
      await finalise();
      await reconcile();
      expect((await payments()).length - before).toBe(1);
      expect((await signedSoFar()) - signed).toBe(1);
      if (survived) break;
      died += 1;
    }
    expect(died).toBeGreaterThan(8);
  }, 120_000);

  test("before anything was stored: nothing was signed", async () => {
    const id = await due();
    bench.node.setBehavior("hang-up", ["eth_getTransactionCount"]);
    await expect(pay(id)).rejects.toThrow();
    bench.node.setBehavior("answer");
    expect(await row(id)).toMatchObject({ status: "waiting", transactionId: null });
    expect(await signedSoFar()).toBe(0);
    expect(await reconcile()).toBe(1);
    expect(await payments()).toEqual([AMOUNT]);
  });
});

test("a payment to another recipient, or of another amount, does not count", async () => {
  const id = await due();
  const stranger = privateKeyToAccount(generatePrivateKey()).address;
  await signOnly(id);
  await bench.core.db.update(payouts).set({ to: stranger });
  expect(await pay(id)).toBe("signed");
  await bench.core.db.update(payouts).set({ to: payer.address, amountMicro: AMOUNT + 1n });
  expect(await pay(id)).toBe("signed");
  await bench.core.db.update(payouts).set({ amountMicro: AMOUNT });
  expect(await pay(id)).toBe("paid");
  expect(await payUsdc(local(), payer, stranger, 1n)).toMatchObject({ status: "success" });
});
