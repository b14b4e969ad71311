import { setTimeout as pause } from "node:timers/promises";
import { type Hex, verifyTypedData } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { readRegistry, readRegistryState } from "@/server/chain/registry/read-registry";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { recordDirectly } from "@/server/testing/chain/chain";
import { createTestContext } from "@/server/testing/core";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { buildStatement } from "./build-statement";
import { createSettledStateReader, createStatements } from "./issue-statement";
import { createStatementRouter } from "./router";
import type { SignedStatement } from "./schema";

const AGENT = createWallet(0xabc);
const NOW = Date.parse("2026-11-21T12:00:00Z");

const fixture = await shareSettlementFixture();
let now: number;
let nextOutcome = 1;
beforeEach(() => {
  now = NOW;
});

const open = (chain = fixture.core.chain) =>
  createStatements({ ...fixture.core, chain, ttlMs: DAY_MS, clock: () => now });

const buildOutcome = (change: Partial<OutcomeRecord> = {}) =>
  createPaidOutcome(nextOutcome, {
    contractor: AGENT,
    requester: createWallet(1_000 + nextOutcome++),
    ...change,
  });

/** Records outcomes on chain only; they are not settled yet. */
async function record(...outcomes: OutcomeRecord[]): Promise<void> {
  const { status } = await recordDirectly(fixture.core.chain, outcomes);
  if (status !== "success") throw new Error("the registry refused a record");
}
const settle = (firstSeq: number, ...outcomes: OutcomeRecord[]) =>
  insertLedger(fixture.core.db, outcomes, firstSeq);

async function recordAndSettle(firstSeq: number, ...outcomes: OutcomeRecord[]): Promise<void> {
  await record(...outcomes);
  await settle(firstSeq, ...outcomes);
}

/** Returns the contract's state now. */
async function readState() {
  const { client, registryAddress } = fixture.core.chain;
  return readRegistryState(client, registryAddress, await client.getBlockNumber({ cacheTime: 0 }));
}

/** Recomputes a statement from the chain alone. */
async function recompute({ message }: SignedStatement) {
  const { client, registryAddress: address } = fixture.core.chain;
  const { records } = await readRegistry({ client, address });
  return buildStatement(
    records.map(({ record }) => record),
    {
      wallet: message.wallet,
      state: { seq: message.seq, head: message.head as Hex },
      issuedAt: message.issuedAt,
      expiresAt: message.expiresAt,
    },
  );
}

test("signs the score with the ledger state that it was computed from", async () => {
  await recordAndSettle(1, buildOutcome(), buildOutcome(), buildOutcome({ verdict: "FAILURE" }));
  const signed = await open().issue(AGENT);
  const { seq, head } = await readState();
  expect(signed.message).toEqual(await recompute(signed));
  expect(signed.message).toMatchObject({
    wallet: AGENT,
    tier: 1,
    outcomes: 3,
    seq,
    head,
    issuedAt: NOW / SECOND_MS,
    expiresAt: (NOW + DAY_MS) / SECOND_MS,
  });
  // As a caller does it with the response's JSON.
  const { message, ...body } = JSON.parse(JSON.stringify(signed));
  const address = fixture.core.chain.scoreGate?.signer;
  expect(await verifyTypedData({ ...body, message, address })).toBe(true);
  const better = { ...message, scoreCenti: 9_900 };
  expect(await verifyTypedData({ ...body, message: better, address })).toBe(false);
});

test("a wallet without outcomes gets a statement of no score, registered or not", async () => {
  const first = await open().issue(AGENT);
  const nothing = { wallet: AGENT, scoreCenti: 0, tier: 0, outcomes: 0 };
  expect(first.message).toMatchObject({ ...nothing, seq: 0, head: `0x${"0".repeat(64)}` });
  // Work for the wallet is not work by it.
  await recordAndSettle(1, buildOutcome({ contractor: createWallet(7), requester: AGENT }));
  expect((await open().issue(AGENT)).message).toMatchObject({ ...nothing, seq: 1 });
});

test("waits for the outcomes that are on chain, instead of leaving them out", async () => {
  await recordAndSettle(1, buildOutcome());
  const statements = open();
  const before = await statements.issue(AGENT);
  const failure = buildOutcome({ verdict: "FAILURE", confPpm: 1_000_000 });
  await record(failure);
  // A reader that has not cached the registry's state sees the record before it is settled.
  const pending = open().issue(AGENT);
  await pause(200);
  await settle(2, failure);
  const after = await pending;
  expect([before.message.seq, after.message.seq]).toEqual([1, 2]);
  expect(after.message.outcomes).toBe(2);
  expect(after.message.scoreCenti).toBeLessThan(before.message.scoreCenti);
  // The other reader notices the settled record.
  expect((await statements.issue(AGENT)).message).toEqual(after.message);
});

test("score and ledger state belong together while records arrive out of order", async () => {
  const statements = open();
  const signed = new Map<string, SignedStatement>();
  let isRecording = true;
  const readers = [1, 2, 3].map(async () => {
    while (isRecording) {
      const statement = await statements.issue(AGENT);
      signed.set(statement.signature, statement);
      now += SECOND_MS;
    }
  });
  for (let seq = 1; seq <= 18; seq += 3) {
    const [first, second, third] = [1, 2, 3].map((n) =>
      buildOutcome(n === 2 ? { verdict: "FAILURE", confPpm: 1_000_000 } : {}),
    ) as [OutcomeRecord, OutcomeRecord, OutcomeRecord];
    await record(first, second);
    await record(third);
    await settle(seq + 2, third);
    await pause(20);
    await settle(seq, first);
    await pause(20);
    await settle(seq + 1, second);
  }
  isRecording = false;
  await Promise.all(readers);
  const { client, registryAddress: address } = fixture.core.chain;
  const { faults } = await readRegistry({ client, address });
  expect(faults).toEqual([]);
  expect(new Set([...signed.values()].map(({ message }) => message.seq)).size).toBeGreaterThan(2);
  for (const statement of signed.values()) {
    expect(statement.message).toEqual(await recompute(statement));
    expect(await readHeadAt(statement.message.seq)).toBe(statement.message.head);
  }
});

test("never leaves out a settled record, even if an earlier one is missing", async () => {
  const statements = open();
  const [first, second] = [buildOutcome(), buildOutcome()];
  expect((await statements.issue(AGENT)).message.seq).toBe(0);
  await record(first, second);
  await settle(2, second);
  const pending = statements.issue(AGENT);
  await pause(100);
  await settle(1, first);
  expect((await pending).message).toMatchObject({ seq: 2, outcomes: 2 });
});

test("is unavailable while a record stays unsettled, or the node does not respond", async () => {
  const { db, chain } = fixture.core;
  await recordAndSettle(1, buildOutcome());
  await record(buildOutcome());
  const read = createSettledStateReader({ db, chain, settledWithinMs: 100 });
  await expect(read()).rejects.toMatchObject({
    code: "unavailable",
    detail: expect.stringContaining("has 2 records, but the scores include only the first 1"),
    headers: { "Retry-After": "5" },
  });
  await settle(2, buildOutcome());
  await settle(3, buildOutcome());
  await expect(createSettledStateReader({ db, chain, settledWithinMs: 100 })()).rejects.toThrow(
    "The chain's node has only 2 of 3 records.",
  );
  fixture.node.setBehavior("hang-up");
  await expect(open().issue(AGENT)).rejects.toMatchObject({
    code: "unavailable",
    detail: "The chain's node does not respond.",
  });
});

test("does not count records that lack confirmations", async () => {
  await recordAndSettle(1, buildOutcome());
  const chain = { ...fixture.core.chain, confirmations: 2 };
  await fixture.control.mine({ blocks: 1 });
  await record(buildOutcome());
  expect((await open(chain).issue(AGENT)).message).toMatchObject({ seq: 1, outcomes: 1 });
});

test("reuses a statement for a minute, but not for another day or state", async () => {
  await recordAndSettle(1, buildOutcome());
  const statements = open();
  const first = await statements.issue(AGENT);
  now += 30 * SECOND_MS;
  expect(await statements.issue(AGENT)).toEqual(first);
  now = NOW + 12 * HOUR_MS;
  const nextDay = await statements.issue(AGENT);
  expect(nextDay.message.issuedAt).toBe(now / SECOND_MS);
  expect(nextDay.message).toEqual(await recompute(nextDay));
  await recordAndSettle(2, buildOutcome());
  expect((await statements.issue(AGENT)).message.seq).toBe(2);
});

test("signs nothing that the contract would reject, and says how to configure it", async () => {
  const { chain } = fixture.core;
  const withoutKey = open({ ...chain, scoreGate: null, statementSigner: null });
  await expect(withoutKey.issue(AGENT)).rejects.toMatchObject({
    code: "statements-unavailable",
    detail: expect.stringContaining("STATEMENT_KEY and SCORE_GATE_ADDRESS are not set"),
  });
  const other = open({ ...chain, statementSigner: privateKeyToAccount(generatePrivateKey()) });
  await expect(other.issue(AGENT)).rejects.toMatchObject({
    code: "statements-unavailable",
    detail: expect.stringContaining(`accepts statements of ${chain.scoreGate?.signer}`),
  });
});

test("the procedure accepts a wallet in any letter case", async () => {
  const api = createCallerFactory(createStatementRouter(open()))(
    createTestContext(fixture.core).context,
  );
  const { message } = await api.get({ walletAddress: AGENT.toLowerCase() });
  expect(message.wallet).toBe(AGENT);
});

/** Returns the registry's head after record `seq`, from the first block whose state has it. */
async function readHeadAt(seq: number): Promise<Hex | undefined> {
  const { client, registryAddress } = fixture.core.chain;
  const latest = await client.getBlockNumber({ cacheTime: 0 });
  for (let block = latest; block >= 0n; block--) {
    const state = await readRegistryState(client, registryAddress, block).catch(() => null);
    if (state?.seq === seq) return state.head;
  }
}
