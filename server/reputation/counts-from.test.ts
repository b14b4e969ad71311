import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { createTestDatabase } from "@/server/testing/database";
import {
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { addCountsFrom } from "./queries";
import { ledgerRecords } from "./tables";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);

beforeEach(() => db.delete(ledgerRecords));

const failure = (n: number, change: Partial<OutcomeRecord> = {}) =>
  createPaidOutcome(n, {
    verdict: "FAILURE",
    submittedBy: "requester",
    requester: createWallet(100 + n),
    ...change,
  });

/** The fields of an outcome that decide whether the ledger is read. */
function toPublic(record: OutcomeRecord, status = "RESOLVED"): PublicOutcome {
  const isResolved = status === "RESOLVED";
  return {
    outcomeId: record.id,
    status,
    submittedBy: { role: record.submittedBy },
    paidUsdc: record.paidMicro / 1_000_000,
    finalVerdict: isResolved ? record.verdict : undefined,
  } as PublicOutcome;
}

async function readTimes(outcomes: PublicOutcome[]): Promise<(string | undefined)[]> {
  return (await addCountsFrom(db, outcomes)).map(({ countsFrom }) => countsFrom);
}

test("adds the day to reported failures only, in the given order", async () => {
  const records = [
    failure(1),
    failure(2, { submittedBy: "contractor" }),
    failure(3, { verdict: "SUCCESS" }),
    failure(4, { resolvedAt: Date.parse("2026-11-21T23:59:59Z") / 1000 }),
  ];
  await insertLedger(db, records, 1);
  expect(await readTimes(records.map((record) => toPublic(record)))).toEqual([
    "2026-11-23T00:00:00.000Z",
    undefined,
    undefined,
    "2026-11-24T00:00:00.000Z",
  ]);
});

test("later records decide whether an outcome has a day", async () => {
  const record = failure(1);
  const read = () => readTimes([toPublic(record)]);
  const counted = ["2026-11-23T00:00:00.000Z"];
  await insertLedger(db, [record], 1);
  expect(await read()).toEqual(counted);
  const anchor = {
    type: "anchor",
    seq: 2,
    wallet: record.requester,
    from: 0,
    until: null,
  } as const;
  await insertLedger(db, [anchor], 2);
  expect(await read()).toEqual([undefined]);
  await insertLedger(db, [{ type: "anchor-revoked", anchorSeq: 2 }], 3);
  expect(await read()).toEqual(counted);
  await insertLedger(db, [{ type: "refund", outcomeId: record.id, at: 0 }], 4);
  expect(await read()).toEqual([undefined]);
});

test("runs no query for outcomes that cannot be reported failures", async () => {
  const executeSpy = vi.spyOn(db, "execute");
  const unpaid = toPublic(failure(1, { paidMicro: 0 }));
  const own = toPublic(failure(2, { submittedBy: "contractor" }));
  const waiting = toPublic(failure(3), "EVALUATING");
  expect(await readTimes([unpaid, own, waiting])).toEqual([undefined, undefined, undefined]);
  expect(executeSpy).not.toHaveBeenCalled();
  executeSpy.mockRestore();
});
