import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { disputes } from "@/server/disputes/tables";
import { MINUTE_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { toChecksumAddress } from "@/server/lib/wallet";
import { outcomes } from "@/server/outcomes/tables";
import { readLedger } from "@/server/reputation/queries";
import { collectFacts } from "@/server/reputation/score/ledger-facts";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { computeScore } from "@/server/reputation/score/score";
import { getBacking } from "@/server/reputation/score/weigh-outcome";
import { anchors, reputationHistory, reputations } from "@/server/reputation/tables";
import { updateReputation } from "@/server/reputation/update";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { insertDisputeRow, insertRecordedOutcome } from "@/server/testing/fixtures/outcome";
import { createPaidOutcome, insertLedger } from "@/server/testing/fixtures/sample-ledger";
import { readScoreSeries } from "./agent-charts";
import { readTrackRecord } from "./agent-details";
import { checkAgent } from "./risk/check-agents";
import { explorerRouter } from "./router";
import { BACKINGS } from "./schema";
import { BACKING } from "./wallet-outcomes";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const api = createCallerFactory(explorerRouter)(
  createTestContext(createTestCore(database)).context,
);
const ADA = toChecksumAddress(`0xada${"0".repeat(37)}`);
const BOB = toChecksumAddress(`0xb0b${"0".repeat(37)}`);
const EVE = toChecksumAddress(`0xe4e${"0".repeat(37)}`);
const HASH = `0x${"ab".repeat(32)}`;
const day = (n: number) => new Date(Date.UTC(2026, 9, n));

beforeEach(async () => {
  await db.delete(disputes);
  await db.delete(outcomes);
  await db.delete(anchors);
  await db.delete(agents);
});

const insertOutcome = (row: Partial<typeof outcomes.$inferInsert> = {}) =>
  insertRecordedOutcome(db, {
    ...{ contractor: ADA, requester: BOB, submittedAt: day(10), resolvedAt: day(10) },
    ...row,
  });

let seq = 0;

async function insertAnchor(row: Partial<typeof anchors.$inferInsert> = {}) {
  seq += 1;
  await db.insert(anchors).values({ wallet: BOB, from: day(5), seq, txHash: HASH, ...row });
}

async function readBacking(row: Partial<typeof outcomes.$inferInsert>) {
  const id = await insertOutcome(row);
  const { content } = await api.outcomes({ walletAddress: ADA });
  return content.find(({ outcomeId }) => outcomeId === id)?.backing;
}

describe("the backing of an outcome", () => {
  test("is a payment, or only the submitter's claim", async () => {
    expect(await readBacking({ paidMicro: 1n })).toBe("paid");
    expect(await readBacking({})).toBe("claimed");
    expect(await readBacking({ submittedBy: "requester" })).toBe("claimed");
  });

  test("is an anchor only if the requester signed the terms, or submitted it with a verified wallet", async () => {
    await insertAnchor();
    expect(await readBacking({ paidMicro: 1n })).toBe("paid");
    expect(await readBacking({ agreed: true })).toBe("anchored");
    expect(await readBacking({ submittedBy: "requester" })).toBe("anchored");
    expect(await readBacking({ submittedBy: "requester", proven: false })).toBe("claimed");
    expect(await readBacking({})).toBe("claimed");
    expect(await readBacking({ paidMicro: 1n, requester: EVE })).toBe("paid");
  });

  test("is an anchor only if recorded, not revoked and valid at that time", async () => {
    await insertAnchor({ until: day(10) });
    await insertAnchor({ from: day(11) });
    await insertAnchor({ revokedSeq: 77, revokedTxHash: HASH });
    await insertAnchor({ seq: null, txHash: null });
    expect(await readBacking({ paidMicro: 1n, agreed: true })).toBe("paid");
    expect(await readBacking({ agreed: true, resolvedAt: day(9) })).toBe("anchored");
  });

  test("filters the list and its total", async () => {
    await insertAnchor();
    const paid = await insertOutcome({ paidMicro: 1n, requester: EVE });
    const anchored = await insertOutcome({ agreed: true });
    const claimed = await insertOutcome();
    for (const [backing, id] of Object.entries({ paid, anchored, claimed })) {
      const page = await api.outcomes({
        walletAddress: ADA,
        backing: backing as "paid",
        size: 1,
      });
      expect(page).toMatchObject({ totalElements: 1, content: [{ outcomeId: id, backing }] });
    }
  });
});

test("the SQL of the backing equals the score's in every combination", async () => {
  const resolvedAt = new Date(day(10).getTime() + 250);
  const at = day(10).getTime();
  const second = (offset: number) => new Date(at + offset * 1_000);
  type AnchorRow = Partial<typeof anchors.$inferInsert>;
  const anchorSets: AnchorRow[][] = [
    [],
    ...[-1, 0, 1].flatMap((from): AnchorRow[][] => [
      [{ from: second(from) }],
      ...[0, 1, 2]
        .filter((until) => until > from)
        .map((until) => [{ from: second(from), until: second(until) }]),
    ]),
    [{ from: second(-1), revokedSeq: 1_000_001 }],
    [{ from: second(-1), revokedSeq: 1_000_002 }, { from: second(0) }],
    [{ from: second(-1), seq: null }],
  ];
  const expected = new Map<string, string>();
  for (const [n, rows] of anchorSets.entries()) {
    const requester = toChecksumAddress(`0x${(n + 1).toString(16).padStart(40, "c")}`);
    for (const row of rows) await insertAnchor({ wallet: requester, ...row });
    const stored = await db.select().from(anchors).where(eq(anchors.wallet, requester));
    const facts = collectFacts(stored.flatMap(toAnchorRecords));
    for (const paidMicro of [0n, 1n]) {
      for (const confirmation of [
        { submittedBy: "contractor", proven: true, agreed: false },
        { submittedBy: "contractor", proven: false, agreed: true },
        { submittedBy: "requester", proven: false, agreed: false },
        { submittedBy: "requester", proven: true, agreed: false },
      ] as const) {
        const row = { requester, paidMicro, ...confirmation, resolvedAt };
        const record = createPaidOutcome(1, {
          requester,
          ...confirmation,
          paidMicro: Number(paidMicro),
          resolvedAt: Math.floor(resolvedAt.getTime() / 1_000),
        });
        expected.set(await insertOutcome(row), getBacking(record, facts));
      }
    }
  }
  const inSql = await db.select({ id: outcomes.id, backing: BACKING }).from(outcomes);
  expect(new Map(inSql.map(({ id, backing }) => [id, backing]))).toEqual(expected);
  expect(new Set(expected.values())).toEqual(new Set(BACKINGS));
});

/** Returns the ledger records of a stored anchor. */
function toAnchorRecords(row: typeof anchors.$inferSelect): LedgerRecord[] {
  const { wallet, seq, revokedSeq } = row;
  if (seq === null) return [];
  const [from, until] = [row.from, row.until].map((time) => time && time.getTime() / 1_000);
  const record = { type: "anchor" as const, seq, wallet, from: from ?? 0, until: until ?? null };
  return revokedSeq === null ? [record] : [record, { type: "anchor-revoked", anchorSeq: seq }];
}

describe("the clients of an agent", () => {
  test("are counted by resolved outcomes, the largest first", async () => {
    await db.insert(agents).values({ wallet: BOB, name: "Bob", ownerEmail: null });
    await insertAnchor();
    for (const requester of [BOB, EVE, BOB, BOB]) await insertOutcome({ requester });
    await insertOutcome({ requester: EVE, status: "EVALUATING", verdict: null, resolvedAt: null });
    await insertOutcome({ contractor: BOB, requester: ADA });
    await insertOutcome({ requester: EVE });
    expect(await api.counterparties({ walletAddress: ADA })).toEqual({
      requesters: 2,
      outcomes: 5,
      top: [
        { walletAddress: BOB, name: "Bob", isAnchor: true, outcomes: 3 },
        { walletAddress: EVE, name: null, isAnchor: false, outcomes: 2 },
      ],
    });
  });

  test("are empty without outcomes", async () => {
    expect(await api.counterparties({ walletAddress: ADA })).toEqual({
      requesters: 0,
      outcomes: 0,
      top: [],
    });
  });

  test("include those that are not listed in the counts", async () => {
    for (let n = 1; n <= 9; n++)
      await insertOutcome({ requester: toChecksumAddress(`0x${String(n).repeat(40)}`) });
    const { requesters, outcomes: all, top } = await api.counterparties({ walletAddress: ADA });
    expect([requesters, all, top.length]).toEqual([9, 9, 6]);
  });
});

test("the dispute record counts won, lost and open disputes by role", async () => {
  const dispute = async (row: Partial<typeof disputes.$inferInsert>, parties = {}) => {
    const outcomeId = await insertOutcome({ ...parties, title: "Rotate the keys" });
    const resolved = { status: "RESOLVED", verdict: "CONTRACTOR_WINS" } as const;
    const own = { outcomeId, contractor: ADA, requester: BOB, openedAt: day(12) };
    await insertDisputeRow(db, { ...own, ...resolved, ...row });
  };
  await dispute({});
  await dispute({ verdict: "REQUESTER_WINS" });
  // Decided, but not recorded yet.
  await dispute({ status: "OPEN", openedAt: day(14) });
  const swapped = { contractor: BOB, requester: ADA };
  await dispute({ ...swapped, verdict: "REQUESTER_WINS" }, swapped);
  const record = await api.disputes({ walletAddress: ADA });
  expect(record.contractor).toEqual({ won: 1, lost: 1, open: 1 });
  expect(record.requester).toEqual({ won: 1, lost: 0, open: 0 });
  expect(record.latest[0]).toMatchObject({
    role: "contractor",
    state: "open",
    title: "Rotate the keys",
  });
  expect(record.latest).toHaveLength(4);
});

test("jobs name what a dispute did to their verdicts", async () => {
  const dispute = async (row: Partial<typeof disputes.$inferInsert>) => {
    const outcomeId = await insertOutcome();
    const own = { outcomeId, contractor: ADA, requester: BOB, openedAt: day(12) };
    await insertDisputeRow(db, { ...own, ...row });
    return outcomeId;
  };
  const resolved = { status: "RESOLVED", verdict: "REQUESTER_WINS" } as const;
  const ids = [
    await insertOutcome(),
    await dispute({}),
    await dispute({ ...resolved, status: "OPEN" }),
    await dispute(resolved),
    await dispute({ ...resolved, recordedVerdict: "FAILURE" }),
  ];
  const jobs = await api.jobs(ids);
  const states = ids.map((id) => jobs.find(({ outcomeId }) => outcomeId === id)?.dispute);
  expect(states).toEqual([null, "open", "open", "overturned", "upheld"]);
});

test("the series of a long history includes its ends, its disputes and points in between", async () => {
  const changes = Array.from({ length: 1_000 }, (_, n) => ({
    wallet: ADA,
    version: n + 1,
    at: new Date(day(1).getTime() + n * MINUTE_MS),
    cause: n === 500 ? ("dispute" as const) : ("outcome" as const),
    scoreE4: n * 100,
    previousScoreE4: 0,
    tier: "NEWCOMER" as const,
    totalOutcomes: n + 1,
  }));
  await db.insert(reputationHistory).values(changes);
  const series = await api.series({ walletAddress: ADA });
  expect(series.length).toBeLessThanOrEqual(102);
  expect(series[0]).toEqual({ at: day(1).toISOString(), score: 0, cause: "outcome" });
  expect(series.at(-1)?.score).toBe(9.99);
  expect(series.filter(({ cause }) => cause === "dispute").map(({ score }) => score)).toEqual([5]);
  expect(series.map(({ score }) => score)).toEqual(
    series.map(({ score }) => score).toSorted((a, b) => a - b),
  );
  expect(await api.series({ walletAddress: EVE })).toEqual([]);
});

test("after midnight UTC, profile, check and chart show the score of the new day before it is stored", async () => {
  const wallet = toChecksumAddress(`0x77${"0".repeat(38)}`);
  const now = new Date("2026-11-21T00:00:01Z");
  await db.insert(agents).values({ wallet, name: "Ada" });
  await db.transaction(async (tx) => {
    await insertLedger(tx, [createPaidOutcome(1, { contractor: wallet })], 1);
    await updateReputation(tx, { wallet, cause: "outcome", now: new Date("2026-11-20T18:00:00Z") });
  });
  const ledger = await readLedger(db, wallet);
  const { scoreE4, breakdown } = computeScore(ledger, wallet, now.getTime() / 1000);
  const score = toPublishedScore(scoreE4);
  const reputation = { score, scoreDay: "2026-11-21" };
  expect(await readTrackRecord(db, wallet, now)).toMatchObject({ reputation, breakdown });
  expect(await checkAgent(db, wallet, {}, now)).toMatchObject({ reputation });
  const series = await readScoreSeries(db, { walletAddress: wallet, range: "30d", now });
  expect(series.at(-1)).toMatchObject({ score });
  const [stored] = await db.select().from(reputations).where(eq(reputations.wallet, wallet));
  expect(stored?.scoreDay).toBe("2026-11-20");
  expect(stored?.scoreE4).not.toBe(scoreE4);
});
