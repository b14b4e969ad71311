import { eq, or } from "drizzle-orm";
import { type Hex, pad, TransactionReceiptNotFoundError } from "viem";
import { generatePrivateKey, type PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openChain } from "@/server/chain/client";
import { logCursors, usedTransfers } from "@/server/chain/tables";
import { mineUntilFinal } from "@/server/chain/transactions/finality";
import type { Publish } from "@/server/lib/context";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import {
  sendDirectly,
  setClock,
  startTestChain,
  type TestChain,
} from "@/server/testing/chain/chain";
import { startFaultyNode } from "@/server/testing/chain/faulty-node";
import { assembleBytecode, createFundedAccount, fund } from "@/server/testing/chain/payments";
import { createTestCore, type TestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { findTransfers } from "./find-transfers";
import type { AgreementRow } from "./public-agreement";
import { agreements } from "./tables";

let database: TestDatabase;
let local: TestChain;
let relayer: PrivateKeyAccount;
beforeAll(async () => {
  [database, local] = await Promise.all([createTestDatabase(), startTestChain()]);
  relayer = await createFundedAccount(local);
});
afterAll(() => Promise.all([database.close(), local.close()]));

let core: TestCore;
let requester: TestAgent;
let contractor: TestAgent;
beforeEach(async () => {
  await deleteAllRows(database);
  core = createTestCore(database, { chain: local.chain });
  [requester, contractor] = [await createTestAgent(core), await createTestAgent(core)];
  await Promise.all([fund(local, requester.wallet), fund(local, contractor.wallet)]);
});

const agree = (row: Partial<typeof agreements.$inferInsert> = {}) =>
  insertAgreement(core, { requester, contractor }, { payment: "upfront" }, row);

interface Transfer {
  signer?: TestAgent;
  to?: Hex;
  amountMicro?: bigint;
  nonce?: Hex;
}

/** Builds the payment of an agreement, or another transfer. */
const authorize = (row: AgreementRow, { signer = requester, ...changes }: Transfer = {}) =>
  authorizeTransfer(local, signer.account, {
    to: row.contractor as Hex,
    amountMicro: row.valueMicro,
    nonce: row.digest as Hex,
    ...changes,
  });
const pay = async (row: AgreementRow, changes: Transfer = {}) =>
  sendDirectly(local.chain, relayer, await authorize(row, changes));
const refund = (row: AgreementRow, changes: Transfer = {}) =>
  pay(row, { signer: contractor, to: requester.wallet, ...changes });

const read = async ({ id }: AgreementRow) => {
  const [row] = await database.db.select().from(agreements).where(eq(agreements.id, id));
  return row ?? expect.fail();
};
const listTransfers = () => database.db.select().from(usedTransfers);
/** Names of the events that were published about an agreement. */
const events = ({ id }: AgreementRow) =>
  core.published.flatMap(({ name, data }) => (data.agreementId === id ? [name] : []));
/** A core that confirms only at this depth. */
const at = (confirmations: number) => ({ ...core, chain: { ...local.chain, confirmations } });
/** A core whose chain is public: no block is mined on demand, and nodes may lag. */
const onPublicChain = () => ({ ...core, chain: { ...local.chain, rpcUrl: null } });

/** Connects to the chain through a node that can fail. */
async function connect() {
  const node = await startFaultyNode(local.rpcUrl);
  const { registryAddress, usdcAddress } = local.chain;
  const keys = { recorderKey: generatePrivateKey(), stakeKey: generatePrivateKey() };
  const options = { rpcUrl: node.url, registryAddress, usdcAddress, ...keys, retryCount: 0 };
  return { node, shaky: { ...core, chain: await openChain({ ...options, isLocal: true }) } };
}

describe("a payment is found", () => {
  test("once, by several processes at a time, and again after the cursor was lost", async () => {
    const row = await agree();
    const { transactionHash } = await pay(row);
    await Promise.all(Array.from({ length: 5 }, () => findTransfers(core)));
    await database.db.delete(logCursors);
    await findTransfers(core);
    const found = await read(row);
    expect(found).toMatchObject({ status: "AGREED", agreedAt: row.agreedAt });
    expect(await listTransfers()).toMatchObject([
      { id: found.paymentTransferId, txHash: transactionHash, purpose: "payment" },
    ]);
    expect(events(row)).toEqual(["agreement/paid"]);
  });

  test("and makes both parties agree if the requester has not signed", async () => {
    const row = await agree({ status: "PROPOSED", agreedAt: null, requesterSignature: null });
    await pay(row, { amountMicro: row.valueMicro + 1n });
    await findTransfers(core);
    expect(await read(row)).toMatchObject({ status: "AGREED", agreedAt: expect.any(Date) });
    expect(events(row)).toEqual(["agreement/agreed", "agreement/paid"]);
  });

  test("in blocks of before a restart, however many there are", async () => {
    const row = await agree();
    await findTransfers(core);
    await pay(row);
    await local.node.mine({ blocks: 700 });
    await findTransfers(core);
    expect((await read(row)).paymentTransferId).not.toBeNull();
  });

  test("after a crash in any statement, once", async () => {
    const row = await agree();
    await pay(row);
    const fail: Publish = async () => {
      throw new Error("the process ended");
    };
    await expect(findTransfers({ ...core, publish: fail })).rejects.toThrow("the process ended");
    expect([await listTransfers(), (await read(row)).paymentTransferId]).toEqual([[], null]);
    await findTransfers(core);
    expect(events(row)).toEqual(["agreement/paid"]);
  });

  test("at the depth at which payments count, and not if a reorg removed it before", async () => {
    const row = await agree();
    const before = await local.node.snapshot();
    await pay(row);
    await findTransfers(at(3));
    await local.node.revert({ id: before });
    await setClock(local.node);
    await local.node.mine({ blocks: 3 });
    await findTransfers(at(3));
    expect(await read(row)).toEqual(expect.objectContaining({ paymentTransferId: null }));
    await pay(row);
    await findTransfers(at(3));
    expect((await read(row)).paymentTransferId).toBeNull();
    await local.node.mine({ blocks: 2 });
    await findTransfers(at(3));
    expect((await read(row)).paymentTransferId).not.toBeNull();
  });

  test("of delivered work too, without an event, and by one search with the others", async () => {
    const delivered = { status: "DELIVERED", endedAt: new Date() } as const;
    const row = await insertAgreement(core, { requester, contractor }, {}, delivered);
    await Promise.all([agree(), findTransfers(at(3))]);
    // Neither a payment that a reorg removes, nor blocks that it replaces, count.
    for (const [confirmations, makeBlock] of [
      [3, () => pay(row)],
      [1, () => local.node.mine({ blocks: 1 })],
    ] as const) {
      const before = await local.node.snapshot();
      await makeBlock();
      await findTransfers(at(confirmations));
      expect((await read(row)).deliveryPaymentTxHash).toBeNull();
      await local.node.revert({ id: before });
      await setClock(local.node);
    }
    const { transactionHash } = await pay(row);
    const { node, shaky } = await connect();
    await findTransfers(shaky);
    await node.close();
    expect(node.requestedMethods.filter((method) => method === "eth_getLogs")).toHaveLength(1);
    const paid = { deliveryPaymentTxHash: transactionHash, deliveryPaymentLogIndex: 1 };
    expect(await read(row)).toMatchObject({ ...paid, status: "DELIVERED", paidAt: null });
    expect(await listTransfers()).toEqual([]);
    expect(events(row)).toEqual([]);
  });

  test("for all open agreements by one search of the logs, and none is made without one", async () => {
    const rows = await Promise.all(Array.from({ length: 12 }, () => agree()));
    const last = rows.at(-1) ?? expect.fail();
    await mineUntilFinal(local.chain);
    await findTransfers(core);
    await pay(last);
    const { node, shaky } = await connect();
    const countSearches = () =>
      node.requestedMethods.filter((method) => method === "eth_getLogs").length;
    await findTransfers(shaky);
    expect(countSearches()).toBe(1);
    expect((await read(last)).paidAt).not.toBeNull();
    await database.db.update(agreements).set({ status: "EXPIRED" });
    await findTransfers(shaky);
    expect(countSearches()).toBe(1);
    await node.close();
  });
});

describe("no payment is", () => {
  /** Expects that nothing was found, and that the agreement expires without one. */
  async function expectUnpaid(row: AgreementRow) {
    await findTransfers(core);
    expect(await read(row)).toEqual(
      expect.objectContaining({ paymentTransferId: null, paidAt: null }),
    );
    await database.db
      .update(agreements)
      .set({ startBy: new Date(row.proposedAt.getTime() - 60_000) })
      .where(eq(agreements.id, row.id));
    await findTransfers(core);
    expect(await read(row)).toMatchObject({ status: "EXPIRED" });
    expect(events(row)).toEqual(["agreement/ended"]);
  }

  test.each<[string, (row: AgreementRow) => Promise<unknown>]>([
    ["a millionth less than the value", (row) => pay(row, { amountMicro: row.valueMicro - 1n })],
    ["a transfer to another wallet", (row) => pay(row, { to: relayer.address })],
    [
      "a transfer by the nonce of other terms",
      async (row) => pay(row, { nonce: (await agree()).digest as Hex }),
    ],
    [
      "another wallet's transfer by this nonce",
      async (row) => {
        const stranger = await createTestAgent(core);
        await fund(local, stranger.wallet);
        return pay(row, { signer: stranger });
      },
    ],
    ["the contractor's own transfer by this nonce", (row) => refund(row)],
    [
      "a transfer that has counted for something else",
      async (row) => {
        const { transactionHash: txHash, blockNumber, blockHash } = await pay(row);
        const transfer = { chainId: local.chain.id, txHash, logIndex: 1, blockNumber, blockHash };
        const parties = { from: requester.wallet, to: contractor.wallet };
        await insertUsedTransfer(database.db, { ...transfer, ...parties });
      },
    ],
  ])("%s", async (_, transfer) => {
    const row = await agree();
    await transfer(row);
    await expectUnpaid(row);
  });

  test("one that was made before the proposal, or after `startBy`, to the second", async () => {
    const [early, late, first, last] = await Promise.all([agree(), agree(), agree(), agree()]);
    const timeOf = async (row: AgreementRow) => {
      const { blockNumber } = await pay(row);
      return Number((await local.chain.client.getBlock({ blockNumber })).timestamp) * 1_000;
    };
    const move = async (row: AgreementRow, key: "proposedAt" | "startBy", ms: number) =>
      database.db
        .update(agreements)
        .set({ [key]: new Date(ms) })
        .where(eq(agreements.id, row.id));
    await move(early, "proposedAt", (await timeOf(early)) + 1_000);
    await move(late, "startBy", (await timeOf(late)) - 1_000);
    await move(first, "proposedAt", (await timeOf(first)) + 999);
    await move(last, "startBy", await timeOf(last));
    await findTransfers(core);
    const paid = [early, late, first, last].map(async (row) => (await read(row)).paidAt !== null);
    expect(await Promise.all(paid)).toEqual([false, false, true, true]);
  });

  test("another payment in the same transaction: each counts for its own agreement", async () => {
    const rows = await Promise.all([agree(), agree(), agree()]);
    const [small, other, paid] = rows as [AgreementRow, AgreementRow, AgreementRow];
    const calls = await Promise.all([
      authorize(small, { amountMicro: 1n }),
      authorize(other, { to: relayer.address }),
      authorize(paid),
    ]);
    const data = assembleBytecode(calls);
    const receipt = await sendDirectly(local.chain, relayer, { data, gas: 5_000_000n });
    expect(receipt.logs).toHaveLength(6);
    await findTransfers(core);
    expect((await read(paid)).paymentTransferId).not.toBeNull();
    await expectUnpaid(small);
    await expectUnpaid(other);
  });
});

describe("upfront terms expire", () => {
  test("only once a block after `startBy` is confirmed, and a later payment changes nothing", async () => {
    const row = await agree();
    const latest = await local.chain.client.getBlock();
    const startBy = new Date((Number(latest.timestamp) + 600) * 1_000);
    await database.db.update(agreements).set({ startBy });
    const publicCore = onPublicChain();
    for (const [seconds, status] of [
      [600, "AGREED"],
      [601, "AGREED"],
      // Of several nodes, one may lag: a minute more.
      [661, "EXPIRED"],
    ] as const) {
      await local.node.setNextBlockTimestamp({ timestamp: latest.timestamp + BigInt(seconds) });
      await local.node.mine({ blocks: 1 });
      await findTransfers(publicCore);
      expect((await read(row)).status).toBe(status);
    }
    await pay(row);
    await findTransfers(publicCore);
    expect(await read(row)).toMatchObject({ status: "EXPIRED", endedAt: startBy, paidAt: null });
    expect(events(row)).toEqual(["agreement/ended"]);
  });

  test("not while the node does not respond, or hides the receipt of the payment", async () => {
    const row = await agree();
    await pay(row);
    const { node, shaky } = await connect();
    const isOver = { startBy: new Date(Date.now() - 1_000) };
    for (const [method, behavior] of [
      ["eth_getLogs", "hang-up"],
      ["eth_getTransactionReceipt", "hang-up"],
      ["eth_getTransactionReceipt", "forget"],
    ] as const) {
      await database.db.update(agreements).set(isOver);
      node.setBehavior(behavior, [method]);
      await findTransfers(shaky).catch(() => {});
      expect(await read(row)).toMatchObject({ status: "AGREED", paidAt: null });
      expect(await database.db.select().from(logCursors)).toEqual([]);
    }
    await node.close();
    await database.db.update(agreements).set({ startBy: row.startBy });
    await findTransfers(core);
    expect((await read(row)).paidAt).not.toBeNull();
  });
});

test.each([
  ["throws", async () => expect.fail("the node failed")],
  [
    "has no receipt",
    async () => Promise.reject(new TransactionReceiptNotFoundError({ hash: "0x" })),
  ],
])("a log whose lookup %s holds up its own agreement alone", async (how, fail) => {
  const delivered = { status: "DELIVERED", endedAt: new Date() } as const;
  const hidden = [
    await insertAgreement(core, { requester, contractor }, {}, delivered),
    await agree(),
  ];
  const hashes: Hex[] = [];
  for (const row of hidden) hashes.push((await pay(row)).transactionHash);
  const [paid, unpaid] = [await agree(), await agree()];
  await pay(paid);
  const isOver = or(...[hidden[1], unpaid].map((row) => eq(agreements.id, row?.id ?? "")));
  const startBy = new Date(Date.now() - 1_000);
  await database.db.update(agreements).set({ startBy }).where(isOver);
  const { client } = local.chain;
  const getTransactionReceipt: typeof client.getTransactionReceipt = ({ hash }) =>
    hashes.includes(hash) ? fail() : client.getTransactionReceipt({ hash });
  const chain = { ...local.chain, client: { ...client, getTransactionReceipt } };
  const found = findTransfers({ ...core, chain });
  if (how === "throws") await expect(found).rejects.toThrow("the node failed");
  else await found;
  expect((await read(paid)).paidAt).not.toBeNull();
  expect(await read(unpaid)).toMatchObject({ status: "EXPIRED" });
  const states = await Promise.all(hidden.map(read));
  expect(states).toMatchObject([
    { deliveryPaymentTxHash: null },
    { status: "AGREED", paidAt: null },
  ]);
  expect(await database.db.select().from(logCursors)).toEqual([]);
  await database.db.update(agreements).set({ startBy: paid.startBy });
  await findTransfers(core);
  const [first, second] = await Promise.all(hidden.map(read));
  expect(first?.deliveryPaymentTxHash).toBe(hashes[0]);
  expect(second?.paidAt).not.toBeNull();
});

describe("a refund", () => {
  const agreePaid = async () => {
    const row = await agree();
    await pay(row, { amountMicro: row.valueMicro + 7n });
    await findTransfers(core);
    return row;
  };

  test("of the payment, by the same nonce, cancels the agreement", async () => {
    const row = await agreePaid();
    const { transactionHash } = await refund(row, { amountMicro: row.valueMicro + 7n });
    await Promise.all([findTransfers(core), findTransfers(core)]);
    const { refundTransferId, ...found } = await read(row);
    expect(found).toMatchObject({ status: "CANCELLED", endedAt: expect.any(Date) });
    expect((await listTransfers()).find(({ id }) => id === refundTransferId)).toMatchObject({
      txHash: transactionHash,
      purpose: "refund",
    });
    expect(events(row)).toEqual(["agreement/paid", "agreement/ended"]);
  });

  test("made before the search found the payment is found with it", async () => {
    const row = await agree();
    await pay(row);
    await refund(row);
    await findTransfers(core);
    expect(await read(row)).toMatchObject({ status: "CANCELLED", paidAt: expect.any(Date) });
  });

  test.each<[string, (row: AgreementRow) => Promise<unknown>]>([
    ["less than the payment", (row) => refund(row)],
    [
      "a transfer to another wallet",
      (row) => refund(row, { to: relayer.address, amountMicro: 9_000_000n }),
    ],
    [
      "a transfer by another nonce",
      (row) => refund(row, { nonce: pad("0x09"), amountMicro: 9_000_000n }),
    ],
  ])("is not %s", async (_, transfer) => {
    const row = await agreePaid();
    await transfer(row);
    await findTransfers(core);
    expect(await read(row)).toMatchObject({ status: "AGREED", refundTransferId: null });
  });

  test("after a delivery changes no agreement", async () => {
    const row = await agreePaid();
    await database.db.update(agreements).set({ status: "DELIVERED", endedAt: new Date() });
    await refund(row, { amountMicro: 9_000_000n });
    await findTransfers(core);
    expect(await read(row)).toMatchObject({ status: "DELIVERED", refundTransferId: null });
  });
});

test("the blocks that are final are searched once", async () => {
  await agree();
  await findTransfers(core);
  await local.node.mine({ blocks: 20 });
  await mineUntilFinal(local.chain);
  await findTransfers(core);
  const [cursor] = await database.db.select().from(logCursors);
  const finalized = await local.chain.client.getBlock({ blockTag: "finalized" });
  expect(cursor?.nextBlock).toBe(finalized.number + 1n);
});
