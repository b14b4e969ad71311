import { asc, eq } from "drizzle-orm";
import pino from "pino";
import { type Hex, parseEther, parseGwei } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Chain, openChain } from "@/server/chain/client";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { encodeRecords } from "@/server/chain/registry/encode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import { HOUR_MS } from "@/server/lib/time";
import { waitForReceipt } from "@/server/local/contracts";
import { readStatus } from "@/server/operations/status";
import { recordDirectly, startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import { mineUntilFinal } from "./finality";
import { resendMissing } from "./resend";
import { createSender, type Sender } from "./sender";

const log = pino({ level: "silent" });
const NEVER = { stuckAfterMs: 1e9 };

let database: TestDatabase;
let local: TestChain;
let sender: Sender;

beforeAll(async () => {
  [database, local] = await Promise.all([createTestDatabase(), startTestChain()]);
});
afterAll(async () => {
  await local.close();
  await database.close();
});

// Each test starts with the chain as deployed, without transactions of other tests.
let clean: Hex | undefined;
let spoiled = false;
beforeEach(async () => {
  if (spoiled) {
    // A snapshot undoes neither a reorganisation nor a base fee that was set.
    await local.close();
    local = await startTestChain();
    spoiled = false;
  } else if (clean) {
    await local.node.revert({ id: clean });
  }
  clean = await local.node.snapshot();
  await local.node.setAutomine(true);
  await deleteAllRows(database);
  sender = openSender(local.chain);
});

let seed = 1_000;
const someOutcome = () => sampleOutcomes(1, seed++)[0] as OutcomeRecord;

function sign(by: Sender = sender, records = [someOutcome()]) {
  return database.db.transaction((tx) =>
    by.signTransaction(tx, {
      signer: "recorder",
      purpose: "record",
      to: by.chain.registryAddress,
      ...encodeRecords(records),
    }),
  );
}

const rows = () =>
  database.db.select().from(chainTransactions).orderBy(asc(chainTransactions.nonce));

const attempts = (transactionId: string) =>
  database.db
    .select()
    .from(chainAttempts)
    .where(eq(chainAttempts.transactionId, transactionId))
    .orderBy(asc(chainAttempts.maxFeePerGas));

/** Returns the `seq` of every record. */
async function ledger(): Promise<number[]> {
  const address = local.chain.registryAddress;
  const logs = await local.chain.client.getLogs({ address, fromBlock: 0n });
  return decodeRecords(logs, address).map(({ place }) => place.seq);
}

const confirmed = (transactionId: string) =>
  sender.waitForConfirmation(transactionId, { timeoutMs: 10_000 });

/** Signs and sends a transaction, and waits until it is mined. */
async function mined() {
  const signed = await sign();
  await sender.broadcast(signed.transactionId);
  await confirmed(signed.transactionId);
  return signed;
}

const openSender = (chain: Chain) => createSender({ db: database.db, chain, log });
const resend = (limit = NEVER) =>
  resendMissing({ db: database.db, chain: local.chain, log }, limit);

test("one whose nonce something else used is dropped once that is final, never before", async () => {
  const { transactionId } = await sign();
  await recordDirectly(local.chain, [someOutcome()]);
  const core = { db: database.db, chain: local.chain };
  const { address: signer } = local.chain.recorder;
  const taken = { transactionId, signer, nonce: 0, isDropped: false };
  for (let count = 0; count < 2; count++) {
    await sender.resendOpen();
    expect(await rows()).toMatchObject([{ status: "signed" }]);
    expect((await readStatus(core, new Date())).takenNonces).toEqual([taken]);
  }
  await mineUntilFinal(local.chain);
  await sender.resendOpen();
  expect(await rows()).toMatchObject([{ status: "dropped" }]);
  const later = new Date(Date.now() + HOUR_MS);
  const status = await readStatus(core, later);
  expect(status.takenNonces).toEqual([{ ...taken, isDropped: true }]);
  expect(status.stalled.find(({ kind }) => kind === "transactions")).toMatchObject({ waiting: 0 });
});

test("one that was mined but not confirmed yet is not dropped, and has its nonce to itself", async () => {
  const { transactionId } = await sign();
  await sender.broadcast(transactionId);
  await mineUntilFinal(local.chain);
  const core = { db: database.db, chain: local.chain };
  expect((await readStatus(core, new Date())).takenNonces).toEqual([]);
  await sender.resendOpen();
  expect(await rows()).toMatchObject([{ status: "confirmed" }]);
});

describe("nonces", () => {
  test("concurrent signers get consecutive nonces", async () => {
    const signed = await Promise.all(Array.from({ length: 12 }, () => sign()));
    expect(new Set(signed.map(({ hash }) => hash)).size).toBe(12);
    expect((await rows()).map(({ nonce }) => nonce)).toEqual(signed.map((_, i) => i));
  });

  test("a transaction that rolls back leaves no gap and nothing to send", async () => {
    await sign();
    await expect(
      database.db.transaction(async (tx) => {
        await sender.signTransaction(tx, {
          signer: "recorder",
          purpose: "record",
          to: local.chain.registryAddress,
          ...encodeRecords([someOutcome()]),
        });
        throw new Error("changed my mind");
      }),
    ).rejects.toThrow("changed my mind");
    await sign();
    expect((await rows()).map(({ nonce }) => nonce)).toEqual([0, 1]);
  });

  test("a fresh database continues from the chain's nonce", async () => {
    await recordDirectly(local.chain, [someOutcome()]);
    await recordDirectly(local.chain, [someOutcome()]);
    const { transactionId } = await sign();
    expect((await rows()).map(({ nonce }) => nonce)).toEqual([2]);
    await sender.broadcast(transactionId);
    expect((await confirmed(transactionId)).state).toBe("confirmed");
  });

  test("each signer has its own sequence", async () => {
    await sign();
    await database.db.transaction((tx) =>
      sender.signTransaction(tx, {
        signer: "stake",
        purpose: "payout",
        to: local.chain.usdcAddress,
        data: "0x",
        gas: 100_000n,
      }),
    );
    expect((await rows()).map(({ signer, nonce }) => [signer, nonce]).sort()).toEqual(
      [
        [local.chain.recorder.address, 0],
        [local.chain.stake.address, 0],
      ].sort(),
    );
  });

  test("nothing is stored if the node does not respond", async () => {
    const silent = openSender(await silentChain());
    await expect(sign(silent)).rejects.toThrow();
    expect(await rows()).toEqual([]);
  });
});

/** Returns the same chain through a node that does not respond. */
const silentChain = () => openThrough("http://127.0.0.1:9");

const openThrough = (rpcUrl: string) =>
  openChain({
    rpcUrl,
    chainId: local.chain.id,
    registryAddress: local.chain.registryAddress,
    usdcAddress: local.chain.usdcAddress,
    recorderKey: "0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
    stakeKey: generatePrivateKey(),
    confirmations: 1,
  });

describe("sending", () => {
  test("the stored bytes are sent, and the row has the status", async () => {
    const { transactionId, hash } = await sign();
    expect(await sender.confirmTransaction(transactionId)).toEqual({ state: "pending" });
    await sender.broadcast(transactionId);
    const confirmation = await confirmed(transactionId);
    expect(confirmation).toMatchObject({ state: "confirmed", receipt: { transactionHash: hash } });
    expect(await rows()).toMatchObject([{ status: "confirmed", hash }]);
  });

  test("sending again succeeds while it is pending and once it is mined", async () => {
    await local.node.setAutomine(false);
    const { transactionId } = await sign();
    await sender.broadcast(transactionId);
    await sender.broadcast(transactionId);
    await local.node.mine({ blocks: 1 });
    await sender.broadcast(transactionId);
    expect((await confirmed(transactionId)).state).toBe("confirmed");
    expect(await ledger()).toEqual([1]);
  });

  test("the order of sending does not matter", async () => {
    const [first, second] = [await sign(), await sign()];
    await sender.broadcast(second.transactionId);
    await sender.broadcast(first.transactionId);
    expect((await confirmed(first.transactionId)).state).toBe("confirmed");
    expect((await confirmed(second.transactionId)).state).toBe("confirmed");
  });

  test("throws if the node refuses for another reason", async () => {
    const { transactionId } = await sign();
    await local.node.setBalance({ address: local.chain.recorder.address, value: 1n });
    await expect(sender.broadcast(transactionId)).rejects.toThrow(/funds/i);
    await local.node.setBalance({
      address: local.chain.recorder.address,
      value: parseEther("1000"),
    });
  });

  test("a batch is recorded in the order given", async () => {
    const batch = sampleOutcomes(50, 77);
    const { transactionId } = await sign(sender, batch);
    await sender.broadcast(transactionId);
    const confirmation = await confirmed(transactionId);
    if (confirmation.state !== "confirmed") throw new Error(confirmation.state);
    const placed = decodeRecords(confirmation.receipt.logs, local.chain.registryAddress);
    expect(placed.map(({ record }) => record)).toEqual(
      batch.map((outcome, i) => ({ ...outcome, seq: i + 1 })),
    );
  });
});

describe("confirming", () => {
  test("only at the required depth", async () => {
    const deep = openSender({ ...local.chain, confirmations: 3 });
    const { transactionId } = await sign(deep);
    await deep.broadcast(transactionId);
    await confirmed(transactionId);
    await local.node.mine({ blocks: 1 });
    expect((await deep.confirmTransaction(transactionId)).state).toBe("pending");
    expect((await deep.waitForConfirmation(transactionId, { timeoutMs: 50 })).state).toBe(
      "pending",
    );
    await local.node.mine({ blocks: 1 });
    expect((await deep.confirmTransaction(transactionId)).state).toBe("confirmed");
  });

  test("a revert is reported as reverted", async () => {
    const outcome = someOutcome();
    const [first, again] = [await sign(sender, [outcome]), await sign(sender, [outcome])];
    await sender.broadcast(first.transactionId);
    await sender.broadcast(again.transactionId);
    expect((await confirmed(first.transactionId)).state).toBe("confirmed");
    expect((await confirmed(again.transactionId)).state).toBe("reverted");
    expect((await rows()).map(({ status }) => status)).toEqual(["confirmed", "reverted"]);
    expect(await ledger()).toEqual([1]);
  });

  test("a record that a reorg removed is pending, then confirmed at its new position", async () => {
    const { transactionId, hash } = await sign();
    await sender.broadcast(transactionId);
    const before = await confirmed(transactionId);
    await reorganise(2);
    expect(await sender.confirmTransaction(transactionId)).toEqual({ state: "pending" });
    await sender.resendOpen();
    const after = await confirmed(transactionId);
    expect(after).toMatchObject({ state: "confirmed", receipt: { transactionHash: hash } });
    expect(after.state !== "pending" && after.blockHash).not.toBe(
      before.state !== "pending" && before.blockHash,
    );
    expect(await rows()).toMatchObject([
      { blockHash: after.state !== "pending" ? after.blockHash : null },
    ]);
    expect(await ledger()).toEqual([1]);
  });

  test("a receipt of a block that a reorg removed is ignored", async () => {
    const { transactionId, hash } = await mined();
    const stale = await local.chain.client.getTransactionReceipt({ hash });
    await reorganise(2);
    expect(await local.chain.client.getBlockNumber()).toBeGreaterThanOrEqual(stale.blockNumber);
    const staleChain: Chain = {
      ...local.chain,
      client: { ...local.chain.client, getTransactionReceipt: async () => stale },
    };
    const asked = openSender(staleChain);
    expect(await asked.confirmTransaction(transactionId)).toEqual({ state: "pending" });
  });
});

/** Replaces the latest `depth` blocks with empty ones and drops their transactions. */
async function reorganise(depth: number): Promise<void> {
  spoiled = true;
  const ask = local.node.request as (call: { method: string; params: unknown[] }) => Promise<void>;
  await ask({ method: "anvil_reorg", params: [depth, []] });
  await ask({ method: "anvil_dropAllTransactions", params: [] });
}

describe("after a crash", () => {
  test("stored transactions that were never sent are sent in order and recorded once", async () => {
    const signed = [await sign(), await sign(), await sign()];
    const [, second] = signed;
    // One in the middle was sent.
    await sender.broadcast(second?.transactionId ?? "");
    await sender.resendOpen();
    await sender.resendOpen();
    for (const { transactionId } of signed) {
      expect((await confirmed(transactionId)).state).toBe("confirmed");
    }
    expect(await ledger()).toEqual([1, 2, 3]);
    await sender.resendOpen();
    expect(await ledger()).toEqual([1, 2, 3]);
  });

  test("nothing is resent that the chain has", async () => {
    await mined();
    expect(await resend()).toBe(0);
  });

  test("a chain that lost even final records gets the same bytes again", async () => {
    const lost = await local.node.snapshot();
    const signed = [await sign(), await sign()];
    for (const { transactionId } of signed) {
      await sender.broadcast(transactionId);
      await confirmed(transactionId);
    }
    await local.node.mine({ blocks: 3 });
    await sender.resendOpen();
    expect((await rows()).map(({ status }) => status)).toEqual(["final", "final"]);
    await local.node.revert({ id: lost });
    expect(await ledger()).toEqual([]);
    expect(await resend()).toBe(2);
    // The node accepts a transaction first and mines its block later.
    await expect.poll(ledger).toEqual([1, 2]);
    for (const { hash } of signed) {
      expect((await local.chain.client.getTransactionReceipt({ hash })).status).toBe("success");
    }
  });

  test("resendOpen does not throw if the node does not respond", async () => {
    await sign();
    const silent = openSender(await silentChain());
    await silent.resendOpen();
    expect(await rows()).toMatchObject([{ status: "signed" }]);
  });
});

describe("finality", () => {
  test("a record becomes final when the chain has finalized its block", async () => {
    await mined();
    await sender.resendOpen();
    expect(await rows()).toMatchObject([{ status: "confirmed" }]);
    await local.node.mine({ blocks: 3 });
    await sender.resendOpen();
    expect(await rows()).toMatchObject([{ status: "final" }]);
  });

  test("a record that a reorg removed does not become final", async () => {
    await mined();
    await reorganise(2);
    await local.node.setAutomine(false);
    await local.node.mine({ blocks: 5 });
    await sender.resendOpen();
    expect(await rows()).toMatchObject([{ status: "confirmed" }]);
  });

  test("a record that moved to a later block becomes final with that block", async () => {
    const { transactionId, hash } = await sign();
    await sender.broadcast(transactionId);
    const { blockNumber } = await waitForReceipt(local.chain.client, hash);
    await confirmed(transactionId);
    await reorganise(2);
    await local.node.mine({ blocks: 3 });
    await sender.resendOpen();
    const moved = await waitForReceipt(local.chain.client, hash);
    const finalized = await local.chain.client.getBlock({ blockTag: "finalized" });
    expect(finalized.number).toBeGreaterThanOrEqual(blockNumber);
    expect(finalized.number).toBeLessThan(moved.blockNumber);
    await sender.resendOpen();
    expect(await rows()).toMatchObject([{ status: "confirmed" }]);
    await local.node.mine({ blocks: 3 });
    await sender.resendOpen();
    expect(await rows()).toMatchObject([
      { status: "final", blockNumber: moved.blockNumber, blockHash: moved.blockHash },
    ]);
  });
});

describe("a transaction that is stuck", () => {
  async function raiseFees() {
    spoiled = true;
    await local.node.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("4") });
    await local.node.mine({ blocks: 1 });
  }

  /** Signs and sends a transaction that is too cheap afterwards. */
  async function stuck() {
    await local.node.setAutomine(false);
    const signed = await sign();
    await sender.broadcast(signed.transactionId);
    await raiseFees();
    expect((await sender.confirmTransaction(signed.transactionId)).state).toBe("pending");
    return signed;
  }

  test("is replaced at its nonce with higher fees and recorded once", async () => {
    const { transactionId, hash } = await stuck();
    expect(await sender.replaceTransaction(transactionId)).toBe(true);
    const [old, dearer] = await attempts(transactionId);
    if (!old || !dearer) throw new Error("no second attempt");
    expect(old.hash).toBe(hash);
    for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
      expect(dearer[fee] * 10n).toBeGreaterThanOrEqual(old[fee] * 11n);
    }
    await local.node.mine({ blocks: 1 });
    expect(await confirmed(transactionId)).toMatchObject({
      state: "confirmed",
      receipt: { transactionHash: dearer.hash },
    });
    expect(await rows()).toMatchObject([{ nonce: 0, hash: dearer.hash }]);
    expect(await ledger()).toEqual([1]);
  });

  test("is found by a wait that began before it was replaced", async () => {
    const { transactionId } = await stuck();
    const waiting = confirmed(transactionId);
    await sender.replaceTransaction(transactionId);
    await local.node.mine({ blocks: 1 });
    expect((await waiting).state).toBe("confirmed");
  });

  test("may be mined as its first attempt after all", async () => {
    await local.node.setAutomine(false);
    const { transactionId, hash } = await sign();
    await sender.broadcast(transactionId);
    await local.node.mine({ blocks: 1 });
    expect(await sender.replaceTransaction(transactionId)).toBe(true);
    expect(await attempts(transactionId)).toHaveLength(2);
    expect(await confirmed(transactionId)).toMatchObject({ receipt: { transactionHash: hash } });
    expect(await sender.replaceTransaction(transactionId)).toBe(false);
  });

  test("is replaced by reconciling once it waits too long", async () => {
    await local.node.setAutomine(false);
    const { transactionId } = await sign();
    await resend();
    expect(await attempts(transactionId)).toHaveLength(1);
    await resend({ stuckAfterMs: -1 });
    expect(await attempts(transactionId)).toHaveLength(2);
    await local.node.mine({ blocks: 1 });
    expect((await confirmed(transactionId)).state).toBe("confirmed");
  });

  test("and is too cheap for the node is replaced at once by any sender", async () => {
    for (const send of [(id: string) => sender.broadcast(id), () => resend()]) {
      const { transactionId } = await sign();
      await raiseFees();
      await send(transactionId);
      expect(await attempts(transactionId)).toHaveLength(2);
      expect((await confirmed(transactionId)).state).toBe("confirmed");
      await local.node.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
      await local.node.mine({ blocks: 1 });
    }
  });

  test("because of a reorganisation after its confirmation is replaced, and recorded once", async () => {
    const { transactionId, hash } = await mined();
    await reorganise(2);
    // While its own bytes can pay, it is mined again under its own hash.
    expect(await sender.replaceTransaction(transactionId)).toBe(false);
    await raiseFees();
    await sender.resendOpen();
    const [old, dearer] = await attempts(transactionId);
    expect(old?.hash).toBe(hash);
    expect(await confirmed(transactionId)).toMatchObject({
      state: "confirmed",
      receipt: { transactionHash: dearer?.hash },
    });
    expect(await rows()).toMatchObject([{ status: "confirmed", hash: dearer?.hash }]);
    expect(await sender.replaceTransaction(transactionId)).toBe(false);
    expect(await ledger()).toEqual([1]);
  });

  test("holds up the others, which follow once it is mined", async () => {
    const { transactionId } = await stuck();
    const next = await sign();
    await sender.broadcast(next.transactionId);
    await sender.replaceTransaction(transactionId);
    await local.node.mine({ blocks: 1 });
    expect((await confirmed(transactionId)).state).toBe("confirmed");
    expect((await confirmed(next.transactionId)).state).toBe("confirmed");
  });
});
