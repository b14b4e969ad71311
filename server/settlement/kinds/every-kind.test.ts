import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteUnverifiedRegistration } from "@/server/agents/register";
import { agents } from "@/server/agents/tables";
import type { RecordType } from "@/server/chain/registry/ledger";
import { chainAttempts } from "@/server/chain/tables";
import { disputes } from "@/server/disputes/tables";
import { refundOutcome } from "@/server/outcomes/refund";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { addAnchor, revokeAnchors } from "@/server/reputation/anchors";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { payUsdc } from "@/server/testing/chain/payments";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createJudgedDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import {
  createRefundableOutcome,
  getFixtureChain,
  PAID_MICRO,
} from "@/server/testing/fixtures/resolved-outcomes";
import { readSettledState, sendPending } from "@/server/testing/fixtures/settled-state";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const state = () => readSettledState(bench);
const addOutcome = () => insertJudgedOutcome(bench.core, agent);
async function anchor() {
  const { id, wallet } = agent;
  const now = new Date();
  await bench.core.db.update(agents).set({ walletVerifiedAt: now }).where(eq(agents.id, id));
  await addAnchor(bench.core, { wallet, until: null, reason: null, now });
}

/** Makes one record of each kind pending, and records what has to come before it. */
const PREPARE: Record<RecordType, () => Promise<unknown>> = {
  outcome: addOutcome,
  dispute: () =>
    createJudgedDispute(bench, "REQUESTER_WINS", {
      stakes: { contractor: 500_000n, requester: 750_000n },
    }),
  async refund() {
    const { contractor, requester, outcome } = await createRefundableOutcome(bench);
    const chain = getFixtureChain(bench);
    const { account } = contractor;
    const { transactionHash } = await payUsdc(chain, account, requester.wallet, PAID_MICRO);
    await refundOutcome(
      bench.core,
      { ...contractor, walletVerified: true },
      { outcomeId: outcome.id, refundTxHash: transactionHash },
      new Date(),
    );
  },
  async superseded() {
    const [older, payers] = [await addOutcome(), await addOutcome()];
    await recordAll(bench);
    await bench.core.db
      .update(outcomes)
      .set({ supersededBy: payers.id })
      .where(eq(outcomes.id, older.id));
  },
  async takeover() {
    await addOutcome();
    await recordAll(bench);
    await bench.core.db.transaction((tx) => deleteUnverifiedRegistration(bench.core, tx, agent));
  },
  anchor,
  async "anchor-revoked"() {
    await anchor();
    await recordAll(bench);
    await revokeAnchors(bench.core, { wallet: agent.wallet, now: new Date() });
  },
};
const KINDS = Object.keys(PREPARE) as RecordType[];

describe.each(KINDS)("a record of kind %s", (kind) => {
  test("is settled once, however often and concurrently that is tried", async () => {
    await PREPARE[kind]();
    const placed = await sendPending(bench);
    await Promise.all(Array.from({ length: 5 }, () => settleTransaction(bench.core, placed)));
    const once = await state();
    expect(once.ledger.at(-1)?.type).toBe(kind);
    expect(once.recordings.every(({ settledAt }) => settledAt !== null)).toBe(true);
    const now = new Date(Date.now() + 1_000);
    await settleTransaction(bench.core, { ...placed, now });
    expect(await state()).toEqual(once);
  });

  test("has the hash of the mined attempt after a reorganisation", async () => {
    await PREPARE[kind]();
    const placed = await sendPending(bench);
    await settleTransaction(bench.core, placed);
    const { transactionId, receipt } = placed;
    const hash = `0x${"e".repeat(64)}` as const;
    const [attempt] = await bench.core.db
      .select()
      .from(chainAttempts)
      .where(eq(chainAttempts.transactionId, transactionId));
    await bench.core.db.insert(chainAttempts).values({ ...(attempt ?? expect.fail()), hash });
    const moved = { ...placed, receipt: { ...receipt, transactionHash: hash } };
    await settleTransaction(bench.core, moved);
    const { published: _, ...rows } = await state();
    expect(rows.ledger.at(-1)).toMatchObject({ type: kind, txHash: hash });
    const text = JSON.stringify(rows, (_, value) =>
      typeof value === "bigint" ? String(value) : value,
    );
    expect(text).not.toContain(receipt.transactionHash);
  });
});

test.each(KINDS.filter((kind) => !kind.startsWith("anchor")))(
  "a record of kind %s is settled completely or not at all",
  async (kind) => {
    await PREPARE[kind]();
    const placed = await sendPending(bench);
    const before = await state();
    // Fails at the last write.
    await bench.core.db.execute(
      "create function no_history() returns trigger language plpgsql as $$ begin raise 'it died'; end $$",
    );
    await bench.core.db.execute(
      "create trigger no_history before insert on reputation_history execute function no_history()",
    );
    await expect(settleTransaction(bench.core, placed)).rejects.toThrow();
    await bench.core.db.execute("drop function no_history() cascade");
    expect(await state()).toEqual(before);
    await settleTransaction(bench.core, placed);
    expect((await state()).ledger.at(-1)?.type).toBe(kind);
  },
);

test.each([
  ["dispute" as const, disputes],
  ["refund" as const, refunds],
])("a %s rejects the record of another outcome", async (kind, table) => {
  await PREPARE[kind]();
  const placed = await sendPending(bench);
  const other = await addOutcome();
  await bench.core.db.update(table).set({ outcomeId: other.id });
  const before = await state();
  await expect(settleTransaction(bench.core, placed)).rejects.toThrow("belongs to outcome");
  expect(await state()).toEqual(before);
});
