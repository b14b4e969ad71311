import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { deleteUnverifiedRegistration } from "@/server/agents/register";
import { agents, takeovers } from "@/server/agents/tables";
import { MINUTE_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords, reputations } from "@/server/reputation/tables";
import { confirmAndSettle } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { createPaidOutcome } from "@/server/testing/fixtures/sample-ledger";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { outcomeKind } from "./outcome";
import { takeoverKind } from "./takeover";

const bench = await shareSettlementFixture();
let squatter: TestAgent;
beforeEach(async () => {
  squatter = await createTestAgent(bench.core);
});

/** Verifies the wallet for its owner: ends the squatter's registration and starts the owner's. */
const takeOver = () =>
  bench.core.db.transaction(async (tx) => {
    await deleteUnverifiedRegistration(bench.core, tx, squatter);
    const owner = { ...squatter, id: randomUUID() };
    await tx.insert(agents).values({ ...owner, name: "Owner", walletVerifiedAt: new Date() });
    return owner;
  });

async function recordAll(at: Date): Promise<string[]> {
  const signed = await signPending(bench.core, bench.sender, at);
  for (const transactionId of signed)
    await confirmAndSettle(bench.core, bench.sender, transactionId);
  return signed;
}

const scoreOf = async (wallet: string) =>
  (await bench.core.db.select().from(reputations).where(eq(reputations.wallet, wallet)))[0]
    ?.scoreE4;

const ledger = async () =>
  (await bench.core.db.select().from(ledgerRecords).orderBy(asc(ledgerRecords.seq))).map(
    ({ record }) => record,
  );

const PARTNER = `0x${"1".repeat(40)}`;

describe("a takeover", () => {
  test("removes the weight of the squatter's submissions, as either party, and of nothing else", async () => {
    const honest = await createTestAgent(bench.core);
    await insertJudgedOutcome(bench.core, squatter);
    await insertJudgedOutcome(bench.core, squatter, { submittedBy: "requester" });
    await insertJudgedOutcome(bench.core, honest);
    await insertJudgedOutcome(bench.core, honest, { requester: squatter.wallet });
    const now = new Date();
    await recordAll(now);
    const before = await scoreOf(honest.wallet);
    expect(await scoreOf(squatter.wallet)).toBeGreaterThan(0);
    expect(await scoreOf(PARTNER)).toBeGreaterThan(0);
    bench.core.published.length = 0;

    const owner = await takeOver();
    // The owner's submissions do not delay it.
    await insertPendingOutcome(bench.core, owner);
    // In the very second of the last record.
    expect(await recordAll(now)).toHaveLength(1);
    expect(await scoreOf(squatter.wallet)).toBe(0);
    expect(await scoreOf(PARTNER)).toBe(0);
    expect(await scoreOf(honest.wallet)).toBe(before);
    const announced = bench.core.published.filter(
      ({ name }) => name === "reputation/score-updated",
    );
    expect(announced).toHaveLength(2);
    const seconds = Math.floor(now.getTime() / 1000);
    expect((await ledger()).at(-1)).toEqual({
      type: "takeover",
      wallet: squatter.wallet,
      at: seconds + 1,
      seq: 5,
    });
    expect(await recordAll(now)).toEqual([]);
  });

  test("does not affect the owner's own outcomes", async () => {
    await insertJudgedOutcome(bench.core, squatter);
    await recordAll(new Date());
    const owner = await takeOver();
    await recordAll(new Date());
    expect(await scoreOf(owner.wallet)).toBe(0);
    await insertJudgedOutcome(bench.core, owner);
    // The owner submitted it, even if its record has a time before the takeover.
    await recordAll(new Date(Date.now() - MINUTE_MS));
    expect(await scoreOf(owner.wallet)).toBeGreaterThan(0);
  });

  test("is recorded after the squatter's pending submissions", async () => {
    const waiting = await insertPendingOutcome(bench.core, squatter);
    await takeOver();
    expect(await recordAll(new Date())).toEqual([]);
    await bench.core.db
      .update(outcomes)
      .set({ judgedAt: new Date(), verdict: "SUCCESS", confidencePpm: 900_000 })
      .where(eq(outcomes.id, waiting.id));
    await recordAll(new Date());
    expect(await scoreOf(squatter.wallet)).toBeGreaterThan(0);
    await recordAll(new Date());
    expect(await scoreOf(squatter.wallet)).toBe(0);
    const [outcome, takeover] = await ledger();
    expect([outcome?.type, takeover?.type]).toEqual(["outcome", "takeover"]);
    if (outcome?.type !== "outcome" || takeover?.type !== "takeover")
      throw new Error("not reached");
    expect(outcome.proven).toBe(false);
    expect(takeover.at).toBeGreaterThan(outcome.resolvedAt);
  });

  test("of a registration that submitted nothing needs no record", async () => {
    const other = await createTestAgent(bench.core);
    await insertJudgedOutcome(bench.core, other, { requester: squatter.wallet });
    await takeOver();
    expect(await recordAll(new Date())).toHaveLength(1);
    expect((await ledger()).map(({ type }) => type)).toEqual(["outcome"]);
    expect(await bench.core.db.select().from(takeovers)).toMatchObject([{ recordNeeded: false }]);
  });

  test("removes the weight of a submission that is being settled", async () => {
    const { id } = await insertJudgedOutcome(bench.core, squatter);
    const now = new Date();
    const seconds = Math.floor(now.getTime() / 1000);
    const change = { id, contractor: squatter.wallet, proven: false, resolvedAt: seconds - 1 };
    const place = { txHash: `0x${"0".repeat(64)}`, logIndex: 0 } as const;
    let hasEnded = false;
    let ended: Promise<unknown> = Promise.resolve();
    await bench.core.db.transaction(async (tx) => {
      const record = createPaidOutcome(1, change);
      const settlement = { subjectId: id, now };
      await outcomeKind.settle(bench.core, tx, [
        { ...settlement, record, place: { ...place, seq: 1 } },
      ]);
      ended = bench.core.db
        .transaction((other) =>
          takeoverKind.settle(bench.core, other, [
            {
              ...settlement,
              record: { type: "takeover", wallet: squatter.wallet, at: seconds },
              place: { ...place, seq: 2 },
            },
          ]),
        )
        .finally(() => {
          hasEnded = true;
        });
      await waitFor(async () => hasEnded || (await countWaiting(bench.core.db)) > 0);
    });
    await ended;
    expect(await scoreOf(squatter.wallet)).toBe(0);
  });
});
