import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AppError } from "@/server/lib/errors";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";
import { createTestContext, createTestCore, type TestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows, type TestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement, signCancellation, signTerms } from "@/server/testing/fixtures/agreement";
import { acceptAgreement } from "./accept";
import { cancelAgreement, declineAgreement } from "./end";
import type { AgreementRow } from "./public-agreement";
import { lockAgreement } from "./queries";
import type { Terms } from "./schema";
import { agreements } from "./tables";
import { endOverdue } from "./work";

let database: TestDatabase;
let core: TestCore;
let local: TestChain;
beforeAll(async () => {
  [database, local] = await Promise.all([createTestDatabase(), startTestChain()]);
});
afterAll(async () => {
  await local.close();
  await database.close();
});

let requester: TestAgent;
let contractor: TestAgent;
beforeEach(async () => {
  await deleteAllRows(database);
  core = createTestCore(database, { chain: local.chain });
  [requester, contractor] = await Promise.all([createTestAgent(core), createTestAgent(core)]);
});

const authenticated = (agent: TestAgent, walletVerified = true) => ({
  ...agent,
  name: "",
  walletVerified,
  keyId: null,
  sessionId: null,
});
const decline = ({ id }: AgreementRow, by: TestAgent) =>
  declineAgreement(createTestContext(core).context, authenticated(by), id);
const cancel = ({ id }: AgreementRow, by: TestAgent, signature?: string) =>
  cancelAgreement(createTestContext(core).context, authenticated(by), {
    agreementId: id,
    signature,
  });
const sign = (row: AgreementRow, { account }: TestAgent) =>
  signCancellation(core.chain, account, row);

type Row = Partial<typeof agreements.$inferInsert>;
const agree = (changes: Partial<Terms> = {}, row: Row = {}) =>
  insertAgreement(core, { requester, contractor }, changes, row);
/** A proposal of the requester. */
const propose = (row: Row = {}) =>
  agree({}, { status: "PROPOSED", contractorSignature: null, agreedAt: null, ...row });

const read = async ({ id }: AgreementRow) => {
  const [row] = await database.db.select().from(agreements).where(eq(agreements.id, id));
  return row ?? expect.fail();
};
const ended = (row: AgreementRow) => ({
  id: `agreement-ended:${row.id}`,
  name: "agreement/ended",
  data: { agreementId: row.id },
});

/** Expects that a request is refused, and changes and announces nothing. */
async function expectRefused(row: AgreementRow, request: () => Promise<unknown>, code: string) {
  const before = await read(row);
  const published = core.published.length;
  const error = await request().then(
    () => expect.fail("it was accepted"),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(AppError);
  expect(error.code).toBe(code);
  expect(await read(row)).toEqual(before);
  expect(core.published).toHaveLength(published);
  return error as AppError;
}

describe("a proposal", () => {
  test("is declined by the other party, once", async () => {
    const row = await propose();
    const declined = await decline(row, contractor);
    expect(declined).toMatchObject({ status: "DECLINED", endedAt: expect.any(String) });
    expect(await decline(row, contractor)).toEqual(declined);
    expect(core.published).toEqual([ended(row)]);
    await expectRefused(row, () => cancel(row, requester), "agreement-ended");
  });

  test("is cancelled by the party that proposed it, once", async () => {
    const row = await propose();
    const cancelled = await cancel(row, requester);
    expect(cancelled).toMatchObject({ status: "CANCELLED", endedAt: expect.any(String) });
    expect(await cancel(row, requester)).toEqual(cancelled);
    expect(core.published).toEqual([ended(row)]);
    await expectRefused(row, () => decline(row, contractor), "agreement-ended");
  });

  test("is not declined by its author, nor cancelled by the other party", async () => {
    const row = await propose();
    await expectRefused(row, () => decline(row, requester), "forbidden");
    await expectRefused(row, () => cancel(row, contractor), "forbidden");
  });

  test("is not ended by a third agent, whatever its state", async () => {
    const stranger = await createTestAgent(core);
    const row = await propose();
    const agreed = await agree({ payment: "upfront" });
    for (const one of [row, agreed]) {
      await expectRefused(one, () => decline(one, stranger), "not-found");
      await expectRefused(one, () => cancel(one, stranger), "not-found");
      await expectRefused(
        one,
        async () => cancel(one, stranger, await sign(one, contractor)),
        "not-found",
      );
    }
  });

  test("is not declined by an unverified registration of the other wallet", async () => {
    const row = await propose();
    const { context } = createTestContext(core);
    const squatter = authenticated(contractor, false);
    await expectRefused(row, () => declineAgreement(context, squatter, row.id), "not-found");
  });

  test("is neither declined nor cancelled after the time to accept", async () => {
    const row = await propose({ startBy: new Date(Date.now() - 1) });
    await expectRefused(row, () => decline(row, contractor), "agreement-ended");
    await expectRefused(row, () => cancel(row, requester), "agreement-ended");
  });

  test("that is accepted and cancelled at once is one of the two", async () => {
    for (let i = 0; i < 8; i++) {
      const row = await propose();
      const signature = await signTerms(core.chain, contractor.account, row.terms);
      const { context } = createTestContext(core);
      const input = { agreementId: row.id, signature };
      const results = await Promise.allSettled([
        acceptAgreement(context, authenticated(contractor), input),
        cancel(row, requester),
      ]);
      const refusals = results.flatMap((one) => (one.status === "rejected" ? one.reason.code : []));
      // The later one finds that the agreement has ended, or that it needs a signature.
      const { status } = await read(row);
      expect(refusals).toEqual([status === "AGREED" ? "invalid-request" : "agreement-ended"]);
    }
  });
});

describe("an agreement", () => {
  test("is cancelled by both parties, each with a signature, in either order", async () => {
    for (const [first, second, name] of [
      [requester, contractor, "requester"],
      [contractor, requester, "contractor"],
    ] as const) {
      const row = await agree();
      const requested = await cancel(row, first, await sign(row, first));
      expect(requested).toMatchObject({ status: "AGREED", cancellationRequestedBy: name });
      expect(await cancel(row, first, await sign(row, first))).toEqual(requested);
      expect(core.published).not.toContainEqual(ended(row));
      const cancelled = await cancel(row, second, await sign(row, second));
      expect(cancelled).toMatchObject({ status: "CANCELLED", cancellationRequestedBy: name });
      expect(core.published).toContainEqual(ended(row));
      expect(await cancel(row, first)).toEqual(cancelled);
    }
  });

  test("is cancelled when both ask at once", async () => {
    const row = await agree();
    const [one, other] = [await sign(row, requester), await sign(row, contractor)];
    await Promise.all([cancel(row, requester, one), cancel(row, contractor, other)]);
    expect((await read(row)).status).toBe("CANCELLED");
    expect(core.published).toEqual([ended(row)]);
  });

  test("is not cancelled without the signature of the party itself", async () => {
    const row = await agree();
    const unsigned = await expectRefused(row, () => cancel(row, requester), "invalid-request");
    expect(unsigned.errors).toMatchObject([{ pointer: "#/signature", code: "missing" }]);
    const other = await agree();
    for (const signature of [
      await sign(row, contractor),
      // Of another agreement, and of the terms instead of their cancellation.
      await sign(other, requester),
      await signTerms(core.chain, requester.account, row.terms),
    ]) {
      await expectRefused(row, () => cancel(row, requester, signature), "signature-invalid");
    }
  });

  test("is not declined", async () => {
    const row = await agree();
    await expectRefused(row, () => decline(row, contractor), "conflict");
  });

  test.each(["DELIVERED", "NOT_DELIVERED"] as const)(
    "is neither cancelled nor declined once it is %s",
    async (status) => {
      const row = await agree({ payment: "upfront" }, { status, endedAt: new Date() });
      await expectRefused(row, () => cancel(row, contractor), "agreement-ended");
      await expectRefused(
        row,
        async () => cancel(row, requester, await sign(row, requester)),
        "agreement-ended",
      );
      await expectRefused(row, () => decline(row, contractor), "agreement-ended");
    },
  );
});

describe("the signatures of both cancel an agreement", () => {
  const past = () => new Date(Date.now() - 1);

  test("no later than `startBy` on upfront terms, and never that of the contractor alone", async () => {
    const row = await agree({ payment: "upfront" });
    await expectRefused(row, () => cancel(row, contractor), "invalid-request");
    await cancel(row, requester, await sign(row, requester));
    await database.db.update(agreements).set({ startBy: past() });
    const signature = await sign(row, contractor);
    const error = await expectRefused(row, () => cancel(row, contractor, signature), "conflict");
    expect(error.detail).toMatch(/could be cancelled until/);
  });

  test("no later than the deadline on other terms", async () => {
    const row = await agree({ payment: "on-delivery" }, { startBy: past(), deliverBy: past() });
    const signature = await sign(row, requester);
    await expectRefused(row, () => cancel(row, requester, signature), "conflict");
  });
});

describe("proposals that were not accepted in time", () => {
  const due = { startBy: new Date(Date.now() - 1) };

  test("expire and are announced, once, with the time until which they could be accepted", async () => {
    const rows = [await propose(due), await propose(due)];
    const others = [
      await propose(),
      await agree({}, due),
      await propose({ ...due, status: "DECLINED" }),
    ];
    expect(await endOverdue(core)).toBe(2);
    expect(await endOverdue(core)).toBe(0);
    for (const row of rows) {
      expect(await read(row)).toMatchObject({ status: "EXPIRED", endedAt: row.startBy });
    }
    for (const row of others) expect((await read(row)).status).toBe(row.status);
    expect(new Set(core.published.map(({ id }) => id))).toEqual(
      new Set(rows.map((row) => ended(row).id)),
    );
  });

  test("all expire, however many they are", async () => {
    const { terms, termsHash, ...row } = await propose(due);
    const count = 250;
    await database.db.insert(agreements).values(
      Array.from({ length: count }, (_, i) => ({
        ...row,
        id: randomUUID(),
        terms,
        termsHash: `0x${i.toString(16).padStart(64, "0")}`,
        digest: `0x${i.toString(16).padStart(64, "0")}`,
      })),
    );
    expect(await endOverdue(core)).toBe(count + 1);
    expect(core.published).toHaveLength(count + 1);
  });

  test("expire without waiting for one that another transaction has locked", async () => {
    const [locked, free] = [await propose(due), await propose(due)];
    await database.db.transaction(async (tx) => {
      await lockAgreement(tx, { id: requester.id }, locked.id);
      expect(await endOverdue(core)).toBe(1);
    });
    expect((await read(free)).status).toBe("EXPIRED");
    expect(await endOverdue(core)).toBe(1);
  });
});
