import { asc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { MAX_BATCH } from "@/server/chain/registry/encode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { chainTransactions } from "@/server/chain/tables";
import { disputes } from "@/server/disputes/tables";
import { anchors } from "@/server/reputation/tables";
import { recordDirectly } from "@/server/testing/chain/chain";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { createJudgedDispute } from "@/server/testing/fixtures/dispute";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { signPending } from "./sign-pending";
import { recordings } from "./tables";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const NOW = new Date("2026-11-21T12:00:00.900Z");
const SECONDS = NOW.getTime() / 1000 - 0.9;

const stored = () =>
  bench.core.db
    .select()
    .from(recordings)
    .orderBy(asc(recordings.createdAt), asc(recordings.position));

describe("signing pending records", () => {
  test("puts all of them into one transaction, oldest verdict first", async () => {
    const later = await insertJudgedOutcome(bench.core, agent, {
      judgedAt: new Date("2026-11-21T11:00:01Z"),
    });
    const first = await insertJudgedOutcome(bench.core, agent, {
      judgedAt: new Date("2026-11-21T11:00:00Z"),
      submittedBy: "requester",
      taskCategory: "legal",
      verdict: "FAILURE",
      valueMicro: 1n,
      paidMicro: 1_000_000_000_000_000n,
      evidenceHash: null,
    });
    await insertPendingOutcome(bench.core, agent);
    const signed = await signPending(bench.core, bench.sender, NOW);
    expect(signed).toHaveLength(1);
    const rows = await stored();
    expect(
      rows.map(({ subjectId, position, transactionId }) => [subjectId, position, transactionId]),
    ).toEqual([
      [first.id, 0, signed[0]],
      [later.id, 1, signed[0]],
    ]);
    expect(rows[0]?.record).toEqual({
      type: "outcome",
      id: first.id,
      contractor: first.contractor,
      requester: agent.wallet,
      category: "legal",
      valueMicro: 1,
      paidMicro: 1e15,
      submittedBy: "requester",
      agreed: false,
      proven: false,
      verdict: "FAILURE",
      confPpm: 900_000,
      resolvedAt: SECONDS,
    });
    expect(await signPending(bench.core, bench.sender, NOW)).toEqual([]);
  });

  test("uses a second transaction for records that do not fit into one", async () => {
    for (let n = 0; n <= MAX_BATCH; n++) await insertJudgedOutcome(bench.core, agent);
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(2);
    const rows = await stored();
    expect(rows).toHaveLength(MAX_BATCH + 1);
    const nonces = await bench.core.db.select().from(chainTransactions);
    expect(new Set(nonces.map(({ nonce }) => nonce)).size).toBe(2);
  });

  test("wakes the recorder again if there are more than one call signs", async () => {
    const wallet = agent.wallet;
    await bench.core.db
      .insert(anchors)
      .values(Array.from({ length: 11 }, (_, n) => ({ wallet, from: new Date(n * 1_000) })));
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(10);
    expect(bench.core.published.map(({ name }) => name)).toEqual(["outcome/verdicts-pending"]);
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(1);
    expect(bench.core.published).toHaveLength(1);
  });

  test("selects no record twice if run concurrently", async () => {
    await Promise.all(Array.from({ length: 5 }, () => insertJudgedOutcome(bench.core, agent)));
    const signed = await Promise.all(
      Array.from({ length: 5 }, () => signPending(bench.core, bench.sender, NOW)),
    );
    expect(signed.flat()).toHaveLength(1);
    expect(await stored()).toHaveLength(5);
  });

  test("waits for another process that is signing, and skips the records that it signed", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    let signing: Promise<string[]> = Promise.resolve([]);
    await bench.core.db.transaction(async (other) => {
      await other.execute(sql`select pg_advisory_xact_lock(hashtextextended('sign-waiting', 0))`);
      let isDone = false;
      signing = signPending(bench.core, bench.sender, NOW).finally(() => {
        isDone = true;
      });
      await waitFor(async () => isDone || (await countWaiting(bench.core.db)) > 0);
      const { transactionId } = await bench.sender.signTransaction(other, {
        signer: "recorder",
        purpose: "record",
        to: bench.core.chain.registryAddress,
        data: "0x",
        gas: 21_000n,
      });
      const record = { type: "takeover", wallet: agent.wallet, at: 1 } as const;
      await other
        .insert(recordings)
        .values({ kind: "outcome", subjectId: id, record, transactionId, position: 0 });
    });
    expect(await signing).toEqual([]);
    expect(await stored()).toHaveLength(1);
  });

  test("sets `proven` if the submitter itself has verified the wallet by then", async () => {
    const [late, gone] = [await createTestAgent(bench.core), await createTestAgent(bench.core)];
    const byLate = await insertJudgedOutcome(bench.core, late, { proven: false });
    const byGone = await insertJudgedOutcome(bench.core, gone, { proven: true });
    const walletVerifiedAt = new Date();
    await bench.core.db.update(agents).set({ walletVerifiedAt }).where(eq(agents.id, late.id));
    // Taken over: another agent now has the wallet and has verified it.
    await bench.core.db.delete(agents).where(eq(agents.id, gone.id));
    await bench.core.db
      .insert(agents)
      .values({ wallet: gone.wallet, name: "Owner", walletVerifiedAt });
    await signPending(bench.core, bench.sender, NOW);
    const proven = (await stored()).map(
      ({ record }) => record.type === "outcome" && [record.id, record.proven],
    );
    expect(proven).toEqual([
      [byLate.id, true],
      [byGone.id, false],
    ]);
  });
});

describe("if the node does not respond", () => {
  test("signing changes nothing", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    bench.node.setBehavior("hang-up");
    await expect(signPending(bench.core, bench.sender, NOW)).rejects.toThrow();
    expect(await stored()).toEqual([]);
    bench.node.setBehavior("answer");
    await signPending(bench.core, bench.sender, NOW);
    expect((await stored()).map(({ subjectId }) => subjectId)).toEqual([id]);
  });

  test("signing holds at most one database connection", async () => {
    await insertJudgedOutcome(bench.core, agent);
    bench.node.setBehavior("silence");
    const signing = Array.from({ length: 8 }, () =>
      signPending(bench.core, bench.sender, NOW).catch(() => []),
    );
    // The pool has four.
    await Promise.all(
      Array.from({ length: 3 }, () => bench.core.db.execute(sql`select pg_sleep(0.1)`)),
    );
    bench.node.setBehavior("answer");
    await Promise.all(signing);
  }, 60_000);
});

describe("records that the registry would refuse", () => {
  test("are not signed until the recorder is authorized", async () => {
    await insertJudgedOutcome(bench.core, agent);
    await bench.allowRecorder(false);
    expect(await signPending(bench.core, bench.sender, NOW)).toEqual([]);
    expect(await stored()).toEqual([]);
    await bench.allowRecorder(true);
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(1);
  });

  test("do not block others", async () => {
    const rows = [
      await insertJudgedOutcome(bench.core, agent),
      await insertJudgedOutcome(bench.core, agent),
      await insertJudgedOutcome(bench.core, agent),
    ];
    const [first, known, last] = rows.map(({ id }) => id);
    await recordDirectly(bench.core.chain, [
      { ...(sampleOutcomes(1, 1)[0] as OutcomeRecord), id: known ?? "" },
    ]);
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(1);
    expect((await stored()).map(({ subjectId }) => subjectId)).toEqual([first, last]);
  });

  test("do not block newer ones, however many are refused", async () => {
    const refused = await Promise.all(
      Array.from({ length: 2 * MAX_BATCH }, () => insertJudgedOutcome(bench.core, agent)),
    );
    const samples = sampleOutcomes(refused.length, 1) as OutcomeRecord[];
    const known = samples.map((one, at) => ({ ...one, id: refused[at]?.id ?? "" }));
    for (let at = 0; at < known.length; at += MAX_BATCH) {
      await recordDirectly(bench.core.chain, known.slice(at, at + MAX_BATCH));
    }
    const { id } = await insertJudgedOutcome(bench.core, agent);
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(1);
    expect((await stored()).map(({ subjectId }) => subjectId)).toEqual([id]);
  });

  test("do not block newer disputes or anchors", async () => {
    const kept = await createJudgedDispute(bench, "REQUESTER_WINS", { stakes: {} });
    await bench.core.db.insert(disputes).values(
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const unknown = await insertPendingOutcome(bench.core, agent, { status: "RESOLVED" });
          const { id: _, ...same } = kept.dispute;
          return { ...same, outcomeId: unknown.id, judgedAt: new Date(0) };
        }),
      ),
    );
    const wallet = agent.wallet;
    const [from, until] = [new Date(2_000_000), new Date(1_000_000)];
    await bench.core.db
      .insert(anchors)
      .values(Array.from({ length: 10 }, () => ({ wallet, from, until, createdAt: new Date(0) })));
    const [anchor] = await bench.core.db
      .insert(anchors)
      .values({ wallet, from, until: null })
      .returning();
    const before = (await stored()).length;
    expect(await signPending(bench.core, bench.sender, NOW)).toHaveLength(2);
    // Signed in one database transaction, so they have the same time.
    const added = (await stored()).slice(before).map(({ subjectId }) => subjectId);
    expect(new Set(added)).toEqual(new Set([kept.dispute.id, anchor?.id]));
  });

  test("are tried for one round only while the recorder is not authorized", async () => {
    for (let n = 0; n < 2 * MAX_BATCH; n++) await insertJudgedOutcome(bench.core, agent);
    await bench.allowRecorder(false);
    bench.node.requestedMethods.length = 0;
    expect(await signPending(bench.core, bench.sender, NOW)).toEqual([]);
    expect(bench.node.requestedMethods.length).toBeLessThan(1.5 * MAX_BATCH);
  });
});
