import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, describe, expect, test, vi } from "vitest";
import { authenticate } from "@/server/agents/authenticate";
import { revokeAllKeys } from "@/server/agents/keys";
import { agents } from "@/server/agents/tables";
import { agreementEnded, createAgreementEvent } from "@/server/agreements/events";
import { findAgreements, lockAgreement } from "@/server/agreements/queries";
import { agreements } from "@/server/agreements/tables";
import { openDatabase } from "@/server/db/client";
import type { Transaction } from "@/server/lib/context";
import { createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { insertOutcomes, type NewSubmission, storeSubmission } from "./store-submission";
import { findByIdempotencyKey } from "./submit";
import { outcomes } from "./tables";

const database = await createTestDatabase();
afterAll(database.close);
const { db } = database;
const core = createTestCore(database);

const REQUESTER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

/** Creates a submission of a new agent, or of that of `earlier`. */
async function createSubmission(
  changes: Partial<NewSubmission> = {},
  text = "A text",
): Promise<NewSubmission> {
  const id = randomUUID();
  const { apiKey } = await createTestAgent(core);
  const submitter = changes.submitter ?? (await authenticate(db, apiKey));
  if (!submitter) throw new Error("the agent has no key");
  return {
    id,
    input: {
      contractorAgentAddress: submitter.wallet as `0x${string}`,
      requesterAgentAddress: REQUESTER,
      taskDescription: `Task: ${text}`,
      taskCategory: "ops",
      deliverableContent: text,
      valueUsdc: 12.5,
    },
    inputHash: `0x${"1".repeat(64)}`,
    submittedBy: "contractor",
    agreement: null,
    idempotencyKey: null,
    client: "client",
    response: { outcomeId: id, status: "EVALUATING", estimatedResolutionSeconds: 30 },
    ...changes,
    submitter,
  };
}

/** Stores submissions concurrently, and returns for each whether it was stored, or its error's code. */
async function storeAll(submissions: NewSubmission[]): Promise<unknown[]> {
  const results = await Promise.allSettled(
    submissions.map((submission) => storeSubmission(core, submission, null)),
  );
  return results.map((result) =>
    result.status === "fulfilled"
      ? result.value
      : (result.reason.code ?? result.reason.cause?.code ?? result.reason),
  );
}

/** Creates a delivery under a new agreement, or its report if the deadline has passed. */
async function createDelivery(changes: Partial<NewSubmission> = {}, isLate = false) {
  const [contractor, requester] = [await createTestAgent(core), await createTestAgent(core)];
  const submitter = await authenticate(db, (isLate ? requester : contractor).apiKey);
  if (!submitter) throw new Error("the agent has no key");
  const deliverBy = new Date(Date.now() + (isLate ? -61_000 : 60_000));
  const agreement = await insertAgreement(core, { contractor, requester }, {}, { deliverBy });
  const submittedBy = isLate ? "requester" : "contractor";
  const submission = await createSubmission({ submitter, submittedBy, agreement, ...changes });
  return { ...submission, agreement };
}

async function readAgreement({ id }: { id: string }) {
  const [row] = await findAgreements(db, [id]);
  return row ?? expect.fail();
}

const readStored = (id: string) => db.select().from(outcomes).where(eq(outcomes.id, id));

const isPublished = ({ id }: NewSubmission) =>
  core.published.filter((event) => event.data.outcomeId === id).length === 1;

/** Runs `work` in a transaction. Returns a function that commits it. */
async function holdTransaction(
  work: (tx: Transaction) => Promise<unknown>,
): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let committing = Promise.resolve();
  await new Promise<void>((hold, fail) => {
    committing = db.transaction(async (tx) => {
      await work(tx);
      hold();
      await released;
    });
    committing.catch(fail);
  });
  return () => {
    release();
    return committing;
  };
}

describe("concurrent submissions", () => {
  test("are stored each with its own data, in few transactions", async () => {
    const texts = ["", "\\", '"', "{a,b}", "null", "é🌍\n\t", "x".repeat(100_000)];
    const submissions = await Promise.all(
      texts.map((text, n) => createSubmission({ idempotencyKey: n % 2 ? `key ${n}` : null }, text)),
    );
    const transactions = new Set<unknown>();
    expect(await storeAll(submissions)).toEqual(texts.map(() => true));
    for (const [n, submission] of submissions.entries()) {
      const [row] = await readStored(submission.id);
      const [xmin] = await db.execute(
        sql`select xmin::text from ${outcomes} where id = ${submission.id}`,
      );
      transactions.add(xmin?.xmin);
      expect(row).toMatchObject({
        contractor: submission.submitter.wallet,
        requester: REQUESTER,
        submitterAgentId: submission.submitter.id,
        taskDescription: `Task: ${texts[n]}`,
        deliverableContent: texts[n],
        deliverableUrl: null,
        valueMicro: 12_500_000n,
        submittedBy: "contractor",
        proven: false,
        idempotencyKey: submission.idempotencyKey,
        inputHash: submission.inputHash,
        storedAnswer: JSON.stringify(submission.response),
        status: "EVALUATING",
      });
      expect(isPublished(submission)).toBe(true);
    }
    expect(transactions.size).toBeLessThan(texts.length);
  });

  test("with the same idempotency key are stored once, in one batch or several", async () => {
    const first = await createSubmission({ idempotencyKey: "order-1" });
    const { submitter } = first;
    const others = await Promise.all(
      Array.from({ length: 5 }, () => createSubmission({ submitter, idempotencyKey: "order-1" })),
    );
    const bystander = await createSubmission({ idempotencyKey: "order-1" });
    const results = await storeAll([first, ...others, bystander]);
    expect(results.filter((isStored) => isStored === true)).toHaveLength(2);
    expect(results.at(-1)).toBe(true);
    const rows = await db
      .select()
      .from(outcomes)
      .where(eq(outcomes.submitterAgentId, submitter.id));
    expect(rows).toHaveLength(1);
    expect(
      await Promise.all([
        findByIdempotencyKey(db, submitter.id, "order-1"),
        findByIdempotencyKey(db, submitter.id, "order-2"),
        findByIdempotencyKey(db, bystander.submitter.id, "order-1"),
        findByIdempotencyKey(db, randomUUID(), "order-1"),
      ]),
    ).toEqual([
      { inputHash: first.inputHash, storedAnswer: rows[0]?.storedAnswer },
      null,
      { inputHash: first.inputHash, storedAnswer: JSON.stringify(bystander.response) },
      null,
    ]);
  });

  test("of two processes that wait for the same transaction don't wait for each other", async () => {
    const other = openDatabase(database.url);
    const { submitter } = await createSubmission();
    const create = (order: number[]) =>
      Promise.all(order.map((n) => createSubmission({ submitter, idempotencyKey: `order ${n}` })));
    const [first = expect.fail()] = await create([2]);
    const [ours, theirs] = [await create([1, 2, 3]), await create([3, 2, 1])];
    const release = await holdTransaction((tx) => insertOutcomes(tx, [first]));
    const storing = [
      storeAll(ours),
      ...theirs.map((one) => storeSubmission({ ...core, db: other.db }, one, null)),
    ];
    await vi.waitFor(async () => {
      const waiting = await db.execute(sql`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      expect(waiting).toHaveLength(2);
    });
    await release();
    const stored = (await Promise.all(storing)).flat();
    expect(stored.filter((isStored) => isStored === true)).toHaveLength(2);
    expect(stored.filter((isStored) => isStored === false)).toHaveLength(4);
    await other.close();
  });

  test("that are refused affect no others", async () => {
    const [revoked, deleted, faulty, ...sound] = await Promise.all([
      createSubmission(),
      createSubmission(),
      createSubmission({}, "a\0b"),
      createSubmission(),
      createSubmission(),
    ]);
    await db.transaction((tx) => revokeAllKeys(tx, revoked.submitter.id));
    await db.delete(agents).where(eq(agents.id, deleted.submitter.id));
    const results = await storeAll([...sound, revoked, deleted, faulty]);
    expect(results).toEqual([true, true, "unauthenticated", "unauthenticated", "22021"]);
    for (const { id } of [revoked, deleted, faulty]) expect(await readStored(id)).toEqual([]);
    for (const { id } of sound) expect(await readStored(id)).toHaveLength(1);
  });

  test("of other agents don't wait for one that is locked, which sees the lock's changes", async () => {
    const [locked, free] = await Promise.all([createSubmission(), createSubmission()]);
    const release = await holdTransaction((tx) => revokeAllKeys(tx, locked.submitter.id));
    const waiting = storeAll([locked]);
    expect(await storeAll([free])).toEqual([true]);
    await release();
    expect(await waiting).toEqual(["unauthenticated"]);
    expect(await readStored(locked.id)).toEqual([]);
  });
});

describe("concurrent deliveries and reports", () => {
  test("share transactions with other submissions, and each ends its agreement", async () => {
    const deliveries = [await createDelivery(), await createDelivery(), await createDelivery()];
    const reports = [await createDelivery({}, true), await createDelivery({}, true)];
    const all = [...deliveries, await createSubmission(), ...reports];
    expect(await storeAll(all)).toEqual(all.map(() => true));
    const transactions = await db.execute(
      sql`select distinct xmin::text from ${outcomes} where id in ${all.map(({ id }) => id)}`,
    );
    expect(transactions.length).toBeLessThan(all.length);
    for (const { id, agreement, submittedBy } of [...deliveries, ...reports]) {
      const status = submittedBy === "contractor" ? "DELIVERED" : "NOT_DELIVERED";
      expect(await readAgreement(agreement)).toMatchObject({
        status,
        outcomeId: id,
        endedAt: expect.any(Date),
      });
      expect(await readStored(id)).toMatchObject([{ agreementId: agreement.id, agreed: true }]);
      expect(core.published).toContainEqual(createAgreementEvent(agreementEnded, agreement.id));
    }
  });

  test("of one agreement are stored once and refuse no others", async () => {
    const first = await createDelivery();
    const { submitter, agreement } = first;
    const more = [1, 2, 3].map(() => createSubmission({ submitter, agreement }));
    const rivals = [first, ...(await Promise.all(more))];
    const results = await storeAll([...rivals, await createSubmission(), await createDelivery()]);
    expect(results.slice(rivals.length)).toEqual([true, true]);
    const others = results.filter((result) => result !== true);
    expect(others).toEqual(["agreement-ended", "agreement-ended", "agreement-ended"]);
    const { outcomeId } = await readAgreement(agreement);
    const stored = await Promise.all(rivals.map(({ id }) => readStored(id)));
    expect(stored.flat()).toMatchObject([{ id: outcomeId }]);
  });

  test("don't wait for an agreement that is locked; its own waits and sees the lock's changes", async () => {
    const [locked, free] = [await createDelivery(), await createDelivery()];
    const { id } = locked.agreement;
    const release = await holdTransaction(async (tx) => {
      await lockAgreement(tx, locked.submitter, id);
      await tx.update(agreements).set({ status: "CANCELLED" }).where(eq(agreements.id, id));
    });
    const waiting = storeAll([locked, free]);
    await vi.waitFor(async () => expect(await readStored(free.id)).toHaveLength(1));
    await release();
    expect(await waiting).toEqual(["agreement-ended", true]);
    expect(await readStored(locked.id)).toEqual([]);
  });

  test.each([
    ["delivery", "agreement-ended", false],
    ["report", "delivery-pending", true],
  ] as const)("a %s at the wrong time is refused as %s", async (_, code, isLate) => {
    const one = await createDelivery({}, isLate);
    const deliverBy = new Date(Date.now() + (isLate ? 60_000 : -61_000));
    await db.update(agreements).set({ deliverBy }).where(eq(agreements.id, one.agreement.id));
    expect(await storeAll([one, await createDelivery()])).toEqual([code, true]);
    expect((await readAgreement(one.agreement)).status).toBe("AGREED");
  });

  test("have the payment of their agreement, also if it came after they were read", async () => {
    const delivery = await createDelivery();
    const { contractor, requester, id } = delivery.agreement;
    const payment = await insertUsedTransfer(db, { from: requester, to: contractor });
    await db.update(agreements).set({ paymentTransferId: payment.id }).where(eq(agreements.id, id));
    expect(await storeAll([delivery])).toEqual([true]);
    expect(await readStored(delivery.id)).toMatchObject([
      {
        paymentTransferId: payment.id,
        paymentTxHash: payment.txHash,
        paidMicro: payment.amountMicro,
      },
    ]);
  });
});
