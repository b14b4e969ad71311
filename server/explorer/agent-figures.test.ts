import { afterAll, beforeEach, expect, test } from "vitest";
import { agreements } from "@/server/agreements/tables";
import { toChecksumAddress } from "@/server/lib/wallet";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { createTestDatabase } from "@/server/testing/database";
import { insertRecordedOutcome } from "@/server/testing/fixtures/outcome";
import { readPastJobs } from "./agent-figures";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const ADA = toChecksumAddress(`0xada${"0".repeat(37)}`);
const BOB = toChecksumAddress(`0xb0b${"0".repeat(37)}`);
const HASH = `0x${"ab".repeat(32)}`;

beforeEach(async () => {
  await db.delete(refunds);
  await db.delete(outcomes);
  await db.delete(agreements);
});

const insertPaid = (usdc: number, row: Partial<typeof outcomes.$inferInsert> = {}) =>
  insertRecordedOutcome(db, {
    ...{ contractor: ADA, requester: BOB, paidMicro: BigInt(usdc * 1_000_000) },
    ...row,
  });

test("few prices are shown from the least to the most, without those that don't count", async () => {
  await insertPaid(5);
  await insertPaid(40);
  await insertPaid(0.01);
  await insertPaid(900, { supersededBy: await insertPaid(7) });
  const outcomeId = await insertPaid(1_000);
  await db.insert(refunds).values({ outcomeId, txHash: HASH, amountMicro: 1_000_000_000n });
  await insertPaid(3_000, { contractor: BOB, requester: ADA });
  expect(await readPastJobs(db, { walletAddress: ADA })).toEqual({
    prices: { jobs: 3, lowUsdc: 5, medianUsdc: 7, highUsdc: 40 },
    delivery: null,
  });
});

test("of many prices, the cheapest and the most expensive tenth are left out", async () => {
  for (let usdc = 1; usdc <= 20; usdc++) await insertPaid(usdc);
  const { prices } = await readPastJobs(db, { walletAddress: ADA });
  expect(prices).toEqual({
    jobs: 20,
    lowUsdc: 2,
    medianUsdc: 10,
    highUsdc: 18,
  });
});

test("prices are those of a category if one is named", async () => {
  await insertPaid(5, { taskCategory: "legal" });
  await insertPaid(40, { taskCategory: "ops" });
  const readPrices = async (category?: "legal" | "content") =>
    (await readPastJobs(db, { walletAddress: ADA, category })).prices;
  expect(await readPrices("legal")).toMatchObject({ jobs: 1, lowUsdc: 5, highUsdc: 5 });
  expect(await readPrices("content")).toBeNull();
  expect(await readPrices()).toMatchObject({ jobs: 2 });
});

test("the time to deliver is counted from signed terms to the contractor's submission", async () => {
  const agreedAt = new Date("2026-11-01T00:00:00Z");
  for (const [n, hours, submittedBy] of [
    [1, 2, "contractor"],
    [2, 8, "contractor"],
    [3, 500, "requester"],
  ] as const) {
    const [agreement] = await db
      .insert(agreements)
      .values({
        terms: {} as never,
        termsHash: `0x${String(n).repeat(64)}`,
        digest: `0x${String(n).repeat(64)}`,
        requester: BOB,
        contractor: ADA,
        valueMicro: 1n,
        deliverBy: agreedAt,
        startBy: agreedAt,
        proposedBy: "requester",
        status: "ENDED" as never,
        agreedAt,
      })
      .returning({ id: agreements.id });
    await insertPaid(0, {
      agreementId: agreement?.id ?? null,
      agreed: true,
      submittedBy,
      submittedAt: new Date(agreedAt.getTime() + hours * 3_600_000),
    });
  }
  expect(await readPastJobs(db, { walletAddress: ADA })).toEqual({
    prices: null,
    delivery: { jobs: 2, medianSeconds: 7_200 },
  });
});

test("nothing is known of an agent without jobs", async () => {
  expect(await readPastJobs(db, { walletAddress: ADA })).toEqual({ prices: null, delivery: null });
});
