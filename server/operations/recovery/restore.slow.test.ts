import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { balanceOf } from "@/server/chain/payments/usdc";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { createSender } from "@/server/chain/transactions/sender";
import { disputes, payouts } from "@/server/disputes/tables";
import { refundOutcome } from "@/server/outcomes/refund";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { ledgerRecords, reputations } from "@/server/reputation/tables";
import { settleStalled } from "@/server/settlement/settle-stalled";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { payUsdc } from "@/server/testing/chain/payments";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createJudgedDispute, openDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { advanceOpenPayouts } from "@/server/testing/fixtures/payouts";
import {
  createRefundableOutcome,
  getFixtureChain,
} from "@/server/testing/fixtures/resolved-outcomes";
import {
  createSettlementFixture,
  type SettlementFixture,
} from "@/server/testing/fixtures/settlement";
import { backup, listBackupTables } from "./backup";
import { restore } from "./restore";

vi.setConfig({ testTimeout: 120_000 });

let bench: SettlementFixture;
let agent: TestAgent;
let folder: string;
let other: TestDatabase;
beforeAll(async () => {
  bench = await createSettlementFixture();
  folder = mkdtempSync(join(tmpdir(), "standing-backup-"));
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await bench.clear();
  agent = await createTestAgent(bench.core);
  other = await createTestDatabase();
  return () => other.close();
});

let serial = 0;
async function backUp(): Promise<string> {
  const file = join(folder, `backup-${++serial}`);
  await backup(bench.core, { file, now: new Date() });
  return file;
}
/** Restores into the other database, with the same chain. */
const restoreFrom = (file: string) =>
  restore({ ...bench.core, db: other.db }, { file, now: new Date() });
const readTables = async ({ db }: Pick<TestDatabase, "db">) => {
  const tables = await listBackupTables(db);
  return Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await db.execute<{ rows: unknown[] }>(
        sql`select coalesce(json_agg(t order by t::text), '[]') as rows from ${sql.raw(name)} t`,
      );
      return [name, row?.rows];
    }),
  );
};

describe("a backup, restored into an empty database", () => {
  test("has every row of every table, and its sequences continue", async () => {
    const words = "A task\twith \\. and \u2028 and \n.\n\\.\nand \r\n, ‘quotes’, emoji 🦀.";
    await insertPendingOutcome(bench.core, agent, { taskDescription: words });
    await insertJudgedOutcome(bench.core, agent);
    await recordAll(bench);
    await bench.core.db.execute(sql`
      with run as (
        insert into engine_runs (function_id, status, event_id) values ('later', 'active', 'none')
        returning id
      ), step as (
        insert into engine_steps (run_id, id, done_at) select id, 'first', now() from run
      )
      insert into engine_jobs (run_id, function_id, state, due_at)
      select id, 'later', 'sleeping', now() + interval '1 day' from run`);
    await bench.core.db.execute(
      sql`update chain_transactions set status = 'final', confirmed_at = now()`,
    );
    const before = await readTables(bench.core);
    const file = await backUp();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const done = await restoreFrom(file);
    expect(done).toMatchObject({ imported: 0, paid: 0, unclaimed: { count: 0 } });
    expect(await readTables(other)).toEqual(before);
    const texts = await other.db.select({ text: outcomes.taskDescription }).from(outcomes);
    expect(texts.map(({ text }) => text)).toContain(words);
    const step = sql`
      insert into engine_steps (run_id, id) select run_id, 'next' from engine_steps limit 1
      returning ordinal::int`;
    const [mine] = await bench.core.db.execute<{ ordinal: number }>(step);
    const [theirs] = await other.db.execute<{ ordinal: number }>(step);
    expect(theirs?.ordinal).toBe(mine?.ordinal);
  });

  test("has none of the tables and sequences that others keep in the same schema", async () => {
    const { sql: own } = bench.core.db;
    await own.unsafe("create table foreign_notes (id serial primary key, note text)");
    await own.unsafe("insert into foreign_notes (note) values ('not of the service')");
    const file = await backUp();
    await own.unsafe("drop table foreign_notes");
    expect(gunzipSync(readFileSync(file)).toString()).not.toContain("foreign_notes");
    await other.db.sql.unsafe("create table notes_of_others (id serial primary key)");
    await restoreFrom(file);
    expect(await readTables(other)).toEqual(await readTables(bench.core));
  });

  test("can be larger than any stream buffer", async () => {
    const text = Array.from({ length: 400 }, (_, at) => `${at} `.repeat(50)).join("\n");
    for (let at = 0; at < 60; at++) {
      await insertPendingOutcome(bench.core, agent, { deliverableContent: `${at}\n${text}` });
    }
    const before = await bench.core.db.select().from(outcomes).orderBy(asc(outcomes.id));
    await restoreFrom(await backUp());
    expect(await other.db.select().from(outcomes).orderBy(asc(outcomes.id))).toEqual(before);
  });

  test("is a snapshot despite concurrent writes", async () => {
    await Promise.all([
      backUp().then((file) => restoreFrom(file)),
      ...Array.from({ length: 20 }, () => insertJudgedOutcome(bench.core, agent)),
    ]);
    // All restored rows satisfy the foreign keys.
    const all = await bench.core.db.$count(outcomes);
    expect(await other.db.$count(outcomes)).toBeLessThanOrEqual(all);
  });
});

describe("changes after the backup", () => {
  const core = () => ({ ...bench.core, db: other.db });
  const sender = () => createSender({ db: other.db, chain: bench.core.chain, log: bench.core.log });

  test("a record is imported, not repeated, and pending work is recorded", async () => {
    const done = await insertJudgedOutcome(bench.core, agent);
    const file = await backUp();
    await recordAll(bench);
    const lost = await insertJudgedOutcome(bench.core, agent);
    await recordAll(bench);
    expect(await restoreFrom(file)).toMatchObject({ records: 2, imported: 2 });
    const [kept] = await other.db.select().from(outcomes).where(eq(outcomes.id, done.id));
    // Its verdict was in the backup and is kept completely.
    expect(kept).toMatchObject({ status: "RESOLVED", rebuilt: false, reasoning: done.reasoning });
    const [made] = await other.db.select().from(outcomes).where(eq(outcomes.id, lost.id));
    expect(made).toMatchObject({ status: "RESOLVED", rebuilt: true, verdict: "SUCCESS" });
    const scores = (db: TestDatabase["db"]) =>
      db
        .select({ wallet: reputations.wallet, score: reputations.scoreE4 })
        .from(reputations)
        .orderBy(asc(reputations.wallet));
    expect(await scores(other.db)).toEqual(await scores(bench.core.db));

    const next = await insertJudgedOutcome(core(), agent);
    await settleStalled(core(), sender(), new Date(), 0);
    const [fresh] = await other.db.select().from(outcomes).where(eq(outcomes.id, next.id));
    expect(fresh).toMatchObject({ status: "RESOLVED", rebuilt: false });
    expect(await other.db.$count(ledgerRecords)).toBe(3);
    expect(await other.db.$count(recordings, sql`settled_at is null`)).toBe(0);
  });

  test("a transaction signed before and sent after the backup is settled once", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    await signPending(bench.core, bench.sender, new Date());
    const file = await backUp();
    await settleStalled(bench.core, bench.sender, new Date(Date.now() + 1_000), 0);
    expect(await restoreFrom(file)).toMatchObject({ records: 1, imported: 1 });
    // Its record is settled, so nothing would confirm it: it would stay signed forever.
    expect(await other.db.select().from(chainTransactions)).toMatchObject([
      { status: "confirmed", hash: expect.any(String), blockNumber: expect.any(BigInt) },
    ]);
    await settleStalled(core(), sender(), new Date(Date.now() + 1_000), 0);
    expect(await other.db.$count(ledgerRecords)).toBe(1);
    const [kept] = await other.db.select().from(outcomes).where(eq(outcomes.id, id));
    expect(kept?.status).toBe("RESOLVED");
    expect(await other.db.$count(chainTransactions)).toBe(1);
  });

  test.each([
    ["before its review", 0],
    ["between its verdict and its record", 1],
    ["between its record and the payout", 2],
  ])("a stake returned after a backup from %s is not returned again", async (_, stage) => {
    const files: string[] = [];
    const { dispute, parties } = await openDispute(bench);
    files.push(await backUp());
    await bench.core.db
      .update(disputes)
      .set({
        reviewStartedAt: new Date(),
        judgedAt: new Date(),
        verdict: "REQUESTER_WINS",
        assessed: true,
        finalVerdict: "FAILURE",
        explanation: "It was reviewed.",
        judgeKind: "heuristic",
        judgeId: "a-judge",
        evidenceHash: `0x${"e".repeat(64)}`,
      })
      .where(eq(disputes.id, dispute.id));
    files.push(await backUp());
    await recordAll(bench);
    files.push(await backUp());
    await payUntilNothingOwed(bench.core, bench.sender);
    const { chain } = bench.core;
    const held = () => balanceOf(chain, chain.stake.address);
    const winner = () => balanceOf(chain, parties.requester.address);
    const [before, paid] = [await held(), await winner()];
    expect(before).toBe(0n);

    await restoreFrom(files[stage] ?? "");
    // Another party's stake is in the account, so a second payout would have funds.
    await createJudgedDispute(bench, "CONTRACTOR_WINS");
    const now = await held();
    expect(now).toBe(500_000n);
    for (let round = 0; round < 2; round++) {
      await settleStalled(core(), sender(), new Date(Date.now() + 1_000), 0);
      await advanceOpenPayouts(core(), sender());
    }
    expect([await held(), await winner()]).toEqual([now, paid]);
    const [payout] = await other.db.select().from(payouts);
    expect(payout).toMatchObject({ status: "paid", txHash: expect.stringMatching(/^0x/) });
    const [resolved] = await other.db.select().from(disputes);
    expect(resolved).toMatchObject({ status: "RESOLVED", verdict: "REQUESTER_WINS" });
  });

  test("an owed stake is paid once", async () => {
    await createJudgedDispute(bench, "REQUESTER_WINS");
    await recordAll(bench);
    const file = await backUp();
    await restoreFrom(file);
    const { chain } = bench.core;
    await payUntilNothingOwed(core(), sender());
    await advanceOpenPayouts(core(), sender());
    expect(await balanceOf(chain, chain.stake.address)).toBe(0n);
    const all = await other.db.select().from(payouts);
    expect(all.map(({ status }) => status)).toEqual(["paid"]);
  });

  test.each([
    ["made before the refund", 0],
    ["made between the refund and its record", 1],
    ["with a transfer that was replaced later", 2],
  ])(
    "a refund after a backup %s is imported, and its transfer is marked as used",
    async (_, stage) => {
      const { contractor, requester, outcome } = await createRefundableOutcome(bench);
      const files = [await backUp()];
      const name = async (amountMicro: bigint) => {
        const { transactionHash: refundTxHash } = await payUsdc(
          getFixtureChain(bench),
          contractor.account,
          requester.wallet,
          amountMicro,
        );
        const by = { ...contractor, walletVerified: false };
        await refundOutcome(bench.core, by, { outcomeId: outcome.id, refundTxHash }, new Date());
        return refundTxHash;
      };
      if (stage === 2) await name(outcome.paidMicro);
      const replaced = await backUp();
      await bench.core.db.delete(refunds);
      const txHash = await name(outcome.paidMicro + 1n);
      files.push(await backUp(), replaced);
      await recordAll(bench);
      const [before] = await bench.core.db.select().from(refunds);
      await restoreFrom(files[stage] ?? "");
      const [kept, ...more] = await other.db.select().from(refunds);
      const { id, transferId, acceptedAt, ...shown } = before ?? expect.fail();
      expect([kept, more]).toEqual([expect.objectContaining(shown), []]);
      const [transfer] = await other.db
        .select()
        .from(usedTransfers)
        .where(eq(usedTransfers.id, kept?.transferId ?? ""));
      expect(transfer).toMatchObject({ purpose: "refund", txHash });
      await settleStalled(core(), sender(), new Date(Date.now() + 1_000), 0);
      expect(await other.db.$count(ledgerRecords)).toBe(2);
      expect(await other.db.$count(recordings, sql`settled_at is null`)).toBe(0);
    },
  );

  test("a payment for a lost dispute cannot be used again", async () => {
    const file = await backUp();
    await openDispute(bench);
    expect(await restoreFrom(file)).toMatchObject({ unclaimed: { count: 1, micro: 500_000n } });
    const [used] = await other.db.select().from(usedTransfers);
    const [first] = await bench.core.db.select().from(usedTransfers);
    expect(used).toMatchObject({
      purpose: "unclaimed",
      txHash: first?.txHash,
      logIndex: first?.logIndex,
    });
  });

  /** Pays until nothing is owed. Each round mines blocks, which finalizes earlier ones. */
  async function payUntilNothingOwed(of: typeof bench.core, by: typeof bench.sender) {
    await vi.waitUntil(
      async () => {
        await advanceOpenPayouts(of, by);
        return (await of.db.$count(payouts, sql`status in ('waiting', 'signed')`)) === 0;
      },
      { timeout: 60_000 },
    );
  }
});

describe("refuses without changes:", () => {
  const refused = async (file: string, reason: RegExp) => {
    await expect(restoreFrom(file)).rejects.toThrow(reason);
    expect(await other.db.$count(outcomes)).toBe(0);
  };
  const changed = (file: string, change: (text: string) => string) => {
    const text = gunzipSync(readFileSync(file)).toString();
    writeFileSync(file, gzipSync(change(text)));
  };

  test("a file that is truncated, missing or not a backup", async () => {
    await insertJudgedOutcome(bench.core, agent);
    const file = await backUp();
    truncateSync(file, statSync(file).size - 20);
    await refused(file, /not a complete backup/);
    await refused(join(folder, "nowhere"), /not a complete backup/);
    writeFileSync(join(folder, "text"), "a text");
    await refused(join(folder, "text"), /not a complete backup/);
  });

  test("a file with a changed byte, a removed row or a removed end", async () => {
    await insertJudgedOutcome(bench.core, agent);
    const changes: ((text: string) => string)[] = [
      (text) => text.replace("three rivers of Europe", "three rivers of Asia.."),
      (text) => text.replace(/^.*three rivers of Europe.*\n/m, ""),
      (text) => text.replace(/end of backup\n$/, ""),
    ];
    for (const change of changes) {
      const file = await backUp();
      changed(file, change);
      await refused(file, /not a complete backup/);
    }
  });

  test("a backup of another version or registry", async () => {
    const [version, registry] = [await backUp(), await backUp()];
    changed(version, (text) => text.replace(/"schema":"[^"]*/, '"schema":"0'));
    await refused(version, /made by another version: their last migrations differ\./);
    changed(registry, (text) =>
      text.replace(/"registryAddress":"0x[^"]*/, `"registryAddress":"0x${"1".repeat(40)}`),
    );
    await refused(registry, /belongs to registry 0x1111/);
  });

  test.each<[string, string, RegExp]>([
    ['"public.agents"', '"public.customers"', /: only the backup has the table public.customers\./],
    ['"columns":["', '"columns":["extra","', /: only the backup has the column extra of public/],
    ['"columns":["id",', '"columns":[', /: the backup lacks the column id of public/],
  ])("a backup with other tables or columns, and names one: %s", async (from, to, reason) => {
    const file = await backUp();
    changed(file, (text) => text.replace(from, to));
    await refused(file, reason);
  });

  test("a database that is not empty", async () => {
    const file = await backUp();
    await createTestAgent(other);
    await refused(file, /not empty: public.agents has rows/);
  });

  test("a backup into a missing folder", async () => {
    const text = "x".repeat(300_000);
    for (let at = 0; at < 20; at++) {
      await insertPendingOutcome(bench.core, agent, { deliverableContent: text });
    }
    const file = join(folder, "no", "such", "folder");
    await expect(backup(bench.core, { file, now: new Date() })).rejects.toThrow("ENOENT");
    expect(await bench.core.db.$count(outcomes)).toBe(20);
  });

  test("an existing file", async () => {
    const file = await backUp();
    await expect(backup(bench.core, { file, now: new Date() })).rejects.toThrow("already exists");
  });
});
