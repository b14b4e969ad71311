import { asc, eq, ne } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { LedgerRecord, OutcomeRecord } from "@/server/chain/registry/ledger";
import { DAY_MS, DAY_SECONDS } from "@/server/lib/time";
import { refreshBatch } from "@/server/reputation/refresh";
import { computeScore } from "@/server/reputation/score/score";
import { createScoreChange } from "@/server/reputation/score/score-change";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";
import {
  evidence,
  ledgerRecords,
  reputationHistory,
  reputations,
} from "@/server/reputation/tables";
import { addOutcomes, updateReputation } from "@/server/reputation/update";
import { createTestDatabase } from "@/server/testing/database";
import { anyOutcome, NOON } from "@/server/testing/fixtures/random-ledger";
import {
  createOutcomeId,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { recompute } from "./recompute";
import { parseTotals } from "./totals";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

const CONTRACTORS = [createWallet(1), createWallet(2)];
/** One of them is a contractor, too: a job for oneself is void. */
const REQUESTERS = [createWallet(1), ...[100, 101, 102].map(createWallet)];

const anyStoredOutcome = fc
  .record({
    outcome: anyOutcome({}, ["any"]),
    contractor: fc.constantFrom(...CONTRACTORS),
    requester: fc.constantFrom(...REQUESTERS),
  })
  .map(({ outcome, ...parties }): OutcomeRecord => ({ ...outcome, ...parties }));

/** A settled transaction, or the passing of days. `pick` selects a record that it is about. */
const anyStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("outcomes" as const),
      outcomes: fc.array(anyStoredOutcome, { minLength: 1, maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constantFrom(
        "dispute",
        "refund",
        "superseded",
        "anchor",
        "anchor-revoked",
        "takeover",
      ),
      wallet: fc.constantFrom(...REQUESTERS, ...CONTRACTORS),
      contractorWins: fc.boolean(),
      pick: fc.nat(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("days" as const),
      days: fc.integer({ min: 1, max: 5 }),
      isRefreshed: fc.boolean(),
    }),
  },
  // As an earlier version of the service leaves a reputation.
  { weight: 1, arbitrary: fc.record({ type: fc.constant("forget" as const) }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

/** Settles steps as the service does, and computes what the whole ledger gives after each. */
class Run {
  private readonly ledger: LedgerRecord[] = [];
  private readonly scores = new Map<string, { scoreE4: number; day: number }>();
  private readonly expected: unknown[] = [];
  private now = new Date(NOON * 1000);

  async settle(step: Step): Promise<void> {
    if (step.type === "days") {
      this.now = new Date(this.now.getTime() + step.days * DAY_MS);
      if (step.isRefreshed) await this.refresh();
    } else if (step.type === "forget") {
      await db.update(reputations).set({ totals: null });
    } else if ("outcomes" in step) {
      await this.settleOutcomes(step.outcomes);
    } else {
      await this.settleOther(step);
    }
  }

  private async settleOutcomes(drawn: OutcomeRecord[]): Promise<void> {
    const first = this.ledger.length + 1;
    const settled = drawn.map((outcome, index) => ({
      record: {
        ...outcome,
        id: createOutcomeId(first + index),
        resolvedAt: Math.min(outcome.resolvedAt, this.now.getTime() / 1000),
      },
      place: { seq: first + index, txHash: `0x${"0".repeat(64)}` as const, logIndex: index },
    }));
    await db.transaction(async (tx) => {
      await insertLedger(
        tx,
        settled.map(({ record }) => record),
        first,
      );
      await addOutcomes(tx, settled, this.now);
    });
    for (const { record, place } of settled) {
      this.ledger.push({ ...record, seq: place.seq });
      this.expect(record.contractor, "outcome", place.seq);
    }
  }

  private async settleOther({
    type,
    wallet,
    contractorWins,
    pick,
  }: Extract<Step, { pick: number }>): Promise<void> {
    const seq = this.ledger.length + 1;
    const at = Math.floor(this.now.getTime() / 1000);
    const subjects = this.ledger.filter(
      (one) => one.type === (type === "anchor-revoked" ? "anchor" : "outcome"),
    );
    const isAbout = type !== "anchor" && type !== "takeover";
    const subject = isAbout ? subjects[pick % Math.max(1, subjects.length)] : undefined;
    const outcomeId = subject?.type === "outcome" ? subject.id : "";
    const isTaken = this.ledger.some(
      (one) => one.type === type && "outcomeId" in one && one.outcomeId === outcomeId,
    );
    if (isAbout && (!subject || isTaken)) return;
    const verdict = contractorWins ? "CONTRACTOR_WINS" : "REQUESTER_WINS";
    const record = {
      dispute: { type: "dispute", outcomeId, verdict, resolvedAt: at, seq },
      refund: { type: "refund", outcomeId, at, seq },
      superseded: { type: "superseded", outcomeId, by: createOutcomeId(1), seq },
      anchor: { type: "anchor", wallet, from: 0, until: pick % 2 ? at : null, seq },
      "anchor-revoked": { type: "anchor-revoked", anchorSeq: subject?.seq ?? 0, seq },
      takeover: { type: "takeover", wallet, at, seq },
    }[type] as LedgerRecord;
    const cause = type === "anchor-revoked" ? "anchor" : (type as "dispute");
    const party = subject?.type === "anchor" ? subject.wallet : wallet;
    const affected = CONTRACTORS.filter((contractor) =>
      this.ledger.some(
        (one) =>
          one.type === "outcome" &&
          one.contractor === contractor &&
          (outcomeId
            ? one.id === outcomeId
            : one.requester === party || (type === "takeover" && contractor === party)),
      ),
    );
    await db.transaction(async (tx) => {
      await insertLedger(tx, [record], seq);
      for (const contractor of affected) {
        await updateReputation(tx, { wallet: contractor, cause, seq, now: this.now });
      }
    });
    this.ledger.push(record);
    for (const contractor of affected) this.expect(contractor, cause, seq);
  }

  private async refresh(): Promise<void> {
    const core = { db, publish: async () => {} };
    await refreshBatch(core, { now: this.now, after: "", size: CONTRACTORS.length });
    for (const wallet of CONTRACTORS) {
      const day = toUtcDay(this.now.getTime() / 1000);
      const { scoreE4, totalOutcomes } = this.compute(wallet, day);
      if (totalOutcomes > 0) this.scores.set(wallet, { scoreE4, day });
    }
  }

  private compute(wallet: string, day: number) {
    return computeScore(this.ledger, wallet, day * DAY_SECONDS);
  }

  /** Expects the entry of the history that the whole ledger gives. */
  private expect(wallet: string, cause: string, seq: number): void {
    const day = toUtcDay(this.now.getTime() / 1000);
    const score = this.compute(wallet, day);
    const previous = this.scores.get(wallet);
    if (score.totalOutcomes === 0 && !previous) return;
    const { scoreE4, tier, totalOutcomes } = score;
    const previousScoreE4 = previous?.scoreE4 ?? 0;
    const scoreChange = createScoreChange({
      ledger: this.ledger,
      wallet,
      seq,
      now: day * DAY_SECONDS,
      after: score,
      previousScoreE4,
      previousAt: this.now.getTime() / 1000,
    });
    this.expected.push({
      wallet,
      cause,
      seq,
      scoreE4,
      previousScoreE4,
      tier,
      totalOutcomes,
      receipt: scoreChange,
    });
    this.scores.set(wallet, { scoreE4, day });
  }

  /** Compares reputations, totals and rows of evidence with the ledger's. */
  async check(): Promise<void> {
    for (const [wallet, { day }] of this.scores) {
      const [stored] = await db.select().from(reputations).where(eq(reputations.wallet, wallet));
      expect(stored).toMatchObject(this.compute(wallet, day));
      const kept = stored ? parseTotals(stored) : null;
      if (!kept) continue;
      const { totals, rows } = recompute(this.ledger, { wallet, day, change: null });
      expect(kept).toEqual(totals);
      const found = await db.select().from(evidence).where(eq(evidence.wallet, wallet));
      expect(sortRows(found)).toEqual(sortRows(rows.map((row) => ({ wallet, ...row }))));
    }
  }

  async checkHistory(): Promise<void> {
    const { wallet, cause, seq, scoreE4, previousScoreE4, tier, totalOutcomes, receipt, version } =
      reputationHistory;
    const columns = { wallet, cause, seq, scoreE4, previousScoreE4, tier, totalOutcomes, receipt };
    const entries = await db
      .select(columns)
      .from(reputationHistory)
      .where(ne(cause, "day"))
      .orderBy(asc(seq), asc(wallet), asc(version));
    expect(entries).toEqual(JSON.parse(JSON.stringify(this.expected)));
  }
}

type Row = typeof evidence.$inferSelect;
const sortRows = (rows: Row[]) => {
  const toKey = ({ requester, category, backing, reported, day }: Row) =>
    `${requester} ${category} ${backing} ${reported} ${day}`;
  return rows.toSorted((a, b) => (toKey(a) < toKey(b) ? -1 : 1));
};

test("random settlements leave what a recomputation from the ledger gives, bit for bit", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 5, maxLength: 25, size: "max" }),
      async (steps) => {
        for (const table of [ledgerRecords, reputations, reputationHistory, evidence]) {
          await db.delete(table);
        }
        const run = new Run();
        for (const step of steps) await run.settle(step);
        await run.check();
        await run.checkHistory();
      },
    ),
    { numRuns: 10, endOnFailure: true },
  );
});
