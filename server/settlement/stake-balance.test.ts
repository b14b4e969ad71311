import { eq, inArray } from "drizzle-orm";
import fc from "fast-check";
import type { Address } from "viem";
import { afterAll, expect, test } from "vitest";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { getWinner } from "@/server/disputes/parties";
import { disputeSides, disputes, payouts } from "@/server/disputes/tables";
import { advancePayout } from "@/server/payouts/pay-out";
import {
  claimPaidStake,
  createJudgedDispute,
  createParties,
  getUsdcBalance,
  type Parties,
  recordAll,
} from "@/server/testing/fixtures/dispute";
import { advanceOpenPayouts } from "@/server/testing/fixtures/payouts";
import { createSettlementFixture } from "@/server/testing/fixtures/settlement";
import { settleStalled } from "./settle-stalled";

const bench = await createSettlementFixture();
const people: Parties[] = [await createParties(bench), await createParties(bench)];
afterAll(() => bench.close());

const micro = fc.bigInt(500_000n, 3_000_000n);
const pair = fc.nat({ max: 1 });
/** Possible steps; failures affect the next step. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant("dispute" as const),
      pair,
      recorded: fc.constantFrom("SUCCESS" as const, "FAILURE" as const),
      verdict: fc.constantFrom("REQUESTER_WINS" as const, "CONTRACTOR_WINS" as const),
      openedBy: fc.constantFrom("contractor" as const, "requester" as const),
      stake: micro,
      answer: fc.option(micro),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant("late payment" as const), pair, amount: micro }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant("blocks" as const),
      blocks: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant("round" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant("failure" as const),
      method: fc.constantFrom(
        "eth_sendRawTransaction",
        "eth_getTransactionReceipt",
        "eth_getBlockByNumber",
        "eth_call",
      ),
    }),
  },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

async function happen(it: Event): Promise<void> {
  const who = people["pair" in it ? it.pair : 0] as Parties;
  switch (it.what) {
    case "dispute": {
      const other = it.openedBy === "contractor" ? "requester" : "contractor";
      await createJudgedDispute(bench, it.verdict, {
        parties: who,
        recorded: it.recorded,
        openedBy: it.openedBy,
        stakes: { [it.openedBy]: it.stake, ...(it.answer ? { [other]: it.answer } : {}) },
      });
      return;
    }
    case "late payment": {
      const { id, from, amountMicro } = await claimPaidStake(
        bench,
        who.requester,
        it.amount,
        "unattached-stake",
      );
      const row = { purpose: "unattached-stake" as const, transferId: id, to: from, amountMicro };
      await bench.core.db.insert(payouts).values(row);
      return;
    }
    case "blocks":
      return bench.control.mine({ blocks: it.blocks });
    case "round":
      return round();
    case "failure":
      bench.node.setBehavior("hang-up", [it.method]);
      await round().catch(() => {});
      bench.node.setBehavior("answer");
  }
}

/** Runs all functions at once, those that reconcile too. */
async function round(): Promise<void> {
  const open = await bench.core.db
    .select({ id: payouts.id })
    .from(payouts)
    .where(inArray(payouts.status, ["waiting", "signed"]));
  await Promise.all([
    settleStalled(bench.core, bench.sender, new Date(), 0).catch(() => 0),
    advanceOpenPayouts(bench.core, bench.sender),
    ...open.map(({ id }) => advancePayout(bench.core, bench.sender, id, 500).catch(() => null)),
  ]);
}

const sum = (amounts: bigint[]) => amounts.reduce((all, one) => all + one, 0n);

test("after any sequence of events, the stake account holds the held and forfeited stakes", async () => {
  const { db, chain } = bench.core;
  const { addresses, before } = await balances();
  const stakeBefore = before.get(chain.stakeAddress) ?? 0n;

  const events = fc.sample(event, { numRuns: 26, seed: 20_261_121 });
  for (const it of events) {
    await happen(it);
    // An unsent transaction after a failure would block all later ones.
    await bench.sender.resendOpen();
    // Nothing was paid that was not owed and signed.
    const taken = sum(
      (await db.select().from(usedTransfers)).map(({ amountMicro }) => amountMicro),
    );
    const signed = (await db.select().from(payouts)).filter(({ transactionId }) => transactionId);
    const holds = (await getUsdcBalance(bench, chain.stakeAddress)) - stakeBefore;
    expect(holds).toBeGreaterThanOrEqual(taken - sum(signed.map(({ amountMicro }) => amountMicro)));
  }
  await recordAll(bench);
  for (let rounds = 0; rounds < 3; rounds++) await round();

  const all = await db.select().from(disputes);
  expect(all.length).toBeGreaterThan(5);
  expect(all.every(({ status }) => status === "RESOLVED")).toBe(true);
  const paidBack = await db.select().from(payouts);
  expect(paidBack.every(({ status }) => status === "paid")).toBe(true);

  const sides = await db
    .select({ side: disputeSides, dispute: disputes, amount: usedTransfers.amountMicro })
    .from(disputeSides)
    .innerJoin(disputes, eq(disputes.id, disputeSides.disputeId))
    .innerJoin(usedTransfers, eq(usedTransfers.id, disputeSides.transferId));
  const lost = sides.filter(
    ({ side, dispute }) => dispute.verdict && side.party !== getWinner(dispute.verdict),
  );
  const forfeited = sum(lost.map(({ amount }) => amount));
  expect(lost.length).toBeGreaterThan(2);
  expect(sides.length - lost.length).toBeGreaterThan(2);
  expect((await getUsdcBalance(bench, chain.stakeAddress)) - stakeBefore).toBe(forfeited);

  // Each party has its balance minus its losses.
  for (const address of addresses) {
    const own = lost.filter(({ side, dispute }) => dispute[side.party] === address);
    const is = await getUsdcBalance(bench, address);
    expect((before.get(address) ?? 0n) - is).toBe(sum(own.map(({ amount }) => amount)));
  }
  // One transaction for each payout.
  const sent = await db
    .select()
    .from(chainTransactions)
    .where(eq(chainTransactions.purpose, "payout"));
  expect(sent).toHaveLength(paidBack.length);
}, 120_000);

async function balances() {
  const addresses = people.flatMap(({ contractor, requester }) => [
    contractor.address,
    requester.address,
  ]);
  const before = new Map<Address, bigint>();
  for (const address of [...addresses, bench.core.chain.stakeAddress]) {
    before.set(address, await getUsdcBalance(bench, address));
  }
  return { addresses, before };
}
