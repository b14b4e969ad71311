import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AgreementRow } from "@/server/agreements/public-agreement";
import { findAgreements } from "@/server/agreements/queries";
import type { Terms } from "@/server/agreements/schema";
import { agreements } from "@/server/agreements/tables";
import { endOverdue } from "@/server/agreements/work";
import { usedTransfers } from "@/server/chain/tables";
import { DAY_SECONDS } from "@/server/lib/time";
import {
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import { createTestContext } from "@/server/testing/core";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { submitOutcome } from "./submit";
import { outcomes } from "./tables";

let service: TestService;
let local: LocalPayments;
beforeAll(async () => {
  service = await startTestService();
  local = getServiceChain(service);
});
afterAll(() => service.close());

type Deal = Awaited<ReturnType<typeof agree>>;

/** A time without milliseconds, as terms have it, `seconds` from now. */
const inSeconds = (seconds: number) =>
  `${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 19)}Z`;

/** Creates two verified agents with an agreement of both. */
async function agree(terms: Partial<Terms> = {}, row: Partial<AgreementRow> = {}) {
  const contractor = await service.agent({ proven: true });
  const requester = await service.agent({ proven: true });
  const agreement = await insertAgreement(
    service.runtime.core,
    { contractor, requester },
    { valueMicro: "12500000", ...terms },
    row,
  );
  return { contractor, requester, agreement };
}

const LATE = { deliverBy: inSeconds(-60) };
const WORK = { deliverableContent: "The Rhine, the Loire and the Vistula." };

const submit = (
  { agreement }: Pick<Deal, "agreement">,
  agent: Pick<TestAgent, "apiKey">,
  body: object,
  headers: Record<string, string> = {},
) =>
  service.call("POST", "/outcome", {
    key: agent.apiKey,
    body: { agreementId: agreement.id, ...body },
    headers,
  });
const deliver = (deal: Deal, body: object = WORK, headers = {}) =>
  submit(deal, deal.contractor, body, headers);
const report = (deal: Deal, body: object = {}, headers = {}) =>
  submit(deal, deal.requester, body, headers);

const refusal = ({ status, body }: CallResult) => [status, body.code];
const pointers = ({ body }: CallResult) =>
  body.errors?.map((one: { pointer: string }) => one.pointer);
const findOutcomes = ({ agreement }: Deal) =>
  service.database.db.select().from(outcomes).where(eq(outcomes.agreementId, agreement.id));
async function findAgreement({ agreement }: Deal) {
  const [row] = await findAgreements(service.database.db, [agreement.id]);
  return row;
}

/** Expects that refused requests changed nothing. */
async function expectUntouched(deal: Deal) {
  expect(await findOutcomes(deal)).toEqual([]);
  expect(await findAgreement(deal)).toEqual(deal.agreement);
}

describe("a delivery", () => {
  test("ends the agreement with the task, parties and value of its terms", async () => {
    const deal = await agree({ valueMicro: "999999999999999" });
    const { status, body } = await deliver(deal);
    expect(status).toBe(202);
    expect(body).toEqual({
      outcomeId: expect.any(String),
      status: "EVALUATING",
      estimatedResolutionSeconds: 30,
    });
    expect(await findOutcomes(deal)).toMatchObject([
      {
        id: body.outcomeId,
        agreed: true,
        contractor: deal.contractor.wallet,
        requester: deal.requester.wallet,
        taskDescription: "Name three rivers of Europe.",
        taskCategory: "research",
        valueMicro: 999_999_999_999_999n,
        submittedBy: "contractor",
      },
    ]);
    expect(await findAgreement(deal)).toMatchObject({
      status: "DELIVERED",
      outcomeId: body.outcomeId,
      endedAt: expect.any(Date),
    });
  });

  test("by a URL is refused unless the terms allow one, with content or without", async () => {
    const deal = await agree({ delivery: "content" });
    for (const content of [{}, WORK]) {
      const called = await deliver(deal, { deliverableUrl: "https://a.example/work", ...content });
      expect(refusal(called)).toEqual([422, "agreement-mismatch"]);
      expect(pointers(called)).toEqual(["#/deliverableUrl"]);
    }
    await expectUntouched(deal);
    expect((await deliver(deal)).status).toBe(202);
  });

  test("may repeat the terms, with addresses and value in another form", async () => {
    const deal = await agree();
    const { status } = await deliver(deal, {
      ...WORK,
      contractorAgentAddress: deal.contractor.wallet.toLowerCase(),
      requesterAgentAddress: deal.requester.wallet.toLowerCase(),
      taskDescription: " Name three rivers of Europe.\n",
      taskCategory: "research",
      valueUsdc: 12.5,
    });
    expect(status).toBe(202);
  });

  test("with fields that differ from the terms is refused with each of them", async () => {
    const deal = await agree();
    const called = await deliver(deal, {
      ...WORK,
      contractorAgentAddress: deal.requester.wallet,
      requesterAgentAddress: deal.contractor.wallet,
      taskDescription: "Name four rivers of Europe.",
      taskCategory: "ops",
      valueUsdc: 12.500001,
    });
    expect(refusal(called)).toEqual([422, "agreement-mismatch"]);
    expect(called.body.errors).toEqual([
      expect.objectContaining({
        pointer: "#/contractorAgentAddress",
        suggestion: deal.contractor.wallet,
      }),
      expect.objectContaining({
        pointer: "#/requesterAgentAddress",
        suggestion: deal.requester.wallet,
      }),
      expect.objectContaining({ pointer: "#/taskDescription", detail: "must be the agreed task" }),
      expect.objectContaining({ pointer: "#/taskCategory", suggestion: "research" }),
      expect.objectContaining({ pointer: "#/valueUsdc", suggestion: "12.5" }),
    ]);
    await expectUntouched(deal);
  });

  test("makes the terms' title public by repeating it, and can have no other", async () => {
    const titled = await agree({ title: "Rivers of Europe" });
    const other = await deliver(titled, { ...WORK, title: "Rivers of Asia" });
    expect([...refusal(other), other.body.errors]).toEqual([
      422,
      "agreement-mismatch",
      [expect.objectContaining({ pointer: "#/title", suggestion: "Rivers of Europe" })],
    ]);
    expect((await deliver(titled, { ...WORK, title: "Rivers of Europe" })).status).toBe(202);
    expect(await findOutcomes(titled)).toMatchObject([{ title: "Rivers of Europe" }]);

    const unnamed = await agree();
    const named = await deliver(unnamed, { ...WORK, title: "Rivers of Europe" });
    expect([...refusal(named), ...pointers(named)]).toEqual([422, "agreement-mismatch", "#/title"]);

    const silent = await agree({ title: "Rivers of Europe" });
    await deliver(silent);
    expect(await findOutcomes(silent)).toMatchObject([{ title: null }]);
  });

  test("is accepted once, also if two come at once", async () => {
    const deal = await agree();
    const results = await Promise.all([1, 2, 3].map(() => deliver(deal)));
    expect(results.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    const [stored, ...more] = await findOutcomes(deal);
    expect(more).toEqual([]);
    const again = await deliver(deal);
    expect(refusal(again)).toEqual([409, "agreement-ended"]);
    expect(again.body.outcomeId).toBe(stored?.id);
  });

  test("without a deliverable is a delivery, with the usual warning", async () => {
    const deal = await agree();
    const { body } = await deliver(deal, {});
    expect(body.warnings).toEqual(["No deliverable was sent: the verdict will be FAILURE."]);
    expect(await findAgreement(deal)).toMatchObject({ status: "DELIVERED" });
  });

  test("after the deadline is refused", async () => {
    const deal = await agree(LATE);
    expect(refusal(await deliver(deal))).toEqual([409, "agreement-ended"]);
    await expectUntouched(deal);
  });

  test.each([
    ["PROPOSED", "agreement-not-agreed"],
    ["DECLINED", "agreement-ended"],
    ["CANCELLED", "agreement-ended"],
    ["EXPIRED", "agreement-ended"],
  ] as const)("under one that is %s is refused", async (status, code) => {
    const deal = await agree({}, { status });
    expect(refusal(await deliver(deal))).toEqual([409, code]);
    await expectUntouched(deal);
  });

  test("by a wallet that no one has proven to own is refused", async () => {
    const [contractor, requester] = [await service.agent(), await service.agent()];
    const agreement = await insertAgreement(service.runtime.core, { contractor, requester }, LATE);
    const deal = { contractor, requester, agreement };
    expect(refusal(await deliver(deal))).toEqual([403, "forbidden"]);
    expect(refusal(await report(deal))).toEqual([403, "forbidden"]);
    await expectUntouched(deal);
  });

  test("by a third party, or under an unknown agreement, is the same 404", async () => {
    const deal = await agree();
    const stranger = await service.agent({ proven: true });
    const foreign = await submit(deal, stranger, WORK);
    const unknown = await submit(
      { agreement: { ...deal.agreement, id: randomUUID() } },
      stranger,
      WORK,
    );
    expect(refusal(foreign)).toEqual([404, "not-found"]);
    const { requestId: _, ...problem } = foreign.body;
    expect(unknown.body).toMatchObject(problem);
    await expectUntouched(deal);
  });
});

describe("a report that nothing was delivered", () => {
  test("ends the agreement after the deadline, without a warning", async () => {
    const deal = await agree(LATE);
    const { status, body } = await report(deal);
    expect([status, body.warnings]).toEqual([202, undefined]);
    expect(await findOutcomes(deal)).toMatchObject([
      { submittedBy: "requester", agreed: true, deliverableContent: null, deliverableUrl: null },
    ]);
    expect(await findAgreement(deal)).toMatchObject({ status: "NOT_DELIVERED" });
    expect(refusal(await deliver(deal))).toEqual([409, "agreement-ended"]);
  });

  test("cannot have a deliverable", async () => {
    const deal = await agree(LATE);
    const url = "https://example.org/rubbish";
    for (const body of [WORK, { deliverableContent: "" }, { deliverableUrl: url }]) {
      const called = await report(deal, body);
      expect(refusal(called)).toEqual([403, "forbidden"]);
      expect(pointers(called)).toEqual([`#/${Object.keys(body)[0]}`]);
    }
    await expectUntouched(deal);
  });

  test("is refused before the deadline, with the time to wait only if it is short", async () => {
    const [far, near] = [await agree(), await agree({ deliverBy: inSeconds(50) })];
    const early = await report(far);
    expect(refusal(early)).toEqual([409, "delivery-pending"]);
    expect(early.body.detail).toContain(far.agreement.deliverBy.toISOString());
    expect(early.headers.get("Retry-After")).toBeNull();
    const seconds = Number((await report(near)).headers.get("Retry-After"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(110);
    await expectUntouched(far);
  });

  test("is refused after a delivery", async () => {
    const deal = await agree();
    await deliver(deal);
    await service.database.db
      .update(agreements)
      .set({ deliverBy: new Date(Date.now() - 1_000) })
      .where(eq(agreements.id, deal.agreement.id));
    expect(refusal(await report(deal))).toEqual([409, "agreement-ended"]);
    expect(await findOutcomes(deal)).toMatchObject([{ submittedBy: "contractor" }]);
  });
});

describe("a payment", () => {
  test("can't be named, by its transaction or an x402 receipt, whatever the terms say", async () => {
    for (const payment of ["upfront", "on-delivery"] as const) {
      const deal = await agree({ payment });
      await fund(local, deal.requester.wallet);
      const paid = await payUsdc(
        local,
        deal.requester.account,
        deal.contractor.wallet,
        12_500_000n,
      );
      const transaction = paid.transactionHash;
      const receipt = { success: true, network: `eip155:${local.chain.id}`, transaction };
      const x402 = Buffer.from(JSON.stringify(receipt)).toString("base64");
      for (const named of [{ paymentTxHash: transaction }, { payment: { x402 } }]) {
        for (const called of [
          await deliver(deal, { ...WORK, ...named }),
          await report(deal, named),
        ]) {
          expect([...refusal(called), ...pointers(called)]).toEqual([
            422,
            "agreement-mismatch",
            "#/paymentTxHash",
          ]);
        }
      }
      await expectUntouched(deal);
      expect(await service.database.db.$count(usedTransfers)).toBe(0);
    }
  });
});

describe("an idempotency key", () => {
  test("replays a delivery byte for byte, also once the agreement has ended", async () => {
    const deal = await agree();
    const headers = { "Idempotency-Key": randomUUID() };
    const first = await deliver(deal, {}, headers);
    const again = await deliver(deal, {}, headers);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const other = await deliver(deal, WORK, headers);
    expect(refusal(other)).toEqual([422, "idempotency-key-reused"]);
  });

  test("replays a delivery that another process stored after both had looked", async () => {
    const deal = await agree();
    const { context } = createTestContext(service.runtime.core);
    const submitter = { ...deal.contractor, walletVerified: true };
    const submitAs = (key: string) => {
      const submitted = { agreementId: deal.agreement.id, ...WORK };
      return submitOutcome(context, submitter, { key, stored: null }, submitted);
    };
    const first = await submitAs("once");
    expect(await submitAs("once")).toEqual({ response: first.response, replayed: true });
    await expect(submitAs("again")).rejects.toMatchObject({ code: "agreement-ended" });
    expect(await findOutcomes(deal)).toHaveLength(1);
  });
});

describe("at the deadline", () => {
  test("a delivery that gets the lock later is refused, and a report only a minute after it", async () => {
    const deal = await agree({ deliverBy: inSeconds(2) });
    const sent: Promise<CallResult>[] = [];
    await service.database.db.sql.begin(async (tx) => {
      await tx`select from agreements where id = ${deal.agreement.id} for update`;
      // Sent in time, but the lock comes too late.
      sent.push(deliver(deal));
      await waitFor(async () => (await countWaiting(service.database.db)) > 0);
      await waitFor(async () => Date.now() > deal.agreement.deliverBy.getTime());
    });
    const [delivered] = await Promise.all(sent);
    expect(delivered && refusal(delivered)).toEqual([409, "agreement-ended"]);
    const early = await report(deal);
    expect(refusal(early)).toEqual([409, "delivery-pending"]);
    expect(Number(early.headers.get("Retry-After"))).toBeLessThanOrEqual(60);
    await moveDeadline(deal, 60);
    expect((await report(deal)).status).toBe(202);
    expect(await findAgreement(deal)).toMatchObject({ status: "NOT_DELIVERED" });
  });

  test("a report is possible for 30 days: then the agreement has lapsed, and nobody failed", async () => {
    const deal = await agree();
    await moveDeadline(deal, 30 * DAY_SECONDS);
    expect(refusal(await report(deal))).toEqual([409, "agreement-ended"]);
    const read = () =>
      service.call("GET", `/agreements/${deal.agreement.id}`, { key: deal.requester.apiKey });
    const shown = (await read()).body;
    expect(shown.status).toBe("LAPSED");
    const path = "/agreements?status=LAPSED";
    const listed = await service.call("GET", path, { key: deal.requester.apiKey });
    expect(listed.body.content).toMatchObject([
      { agreementId: deal.agreement.id, status: "LAPSED", endedAt: shown.endedAt },
    ]);
    await endOverdue(service.runtime.core);
    expect((await read()).body).toEqual(shown);
    expect(await findAgreement(deal)).toMatchObject({ status: "LAPSED" });
  });
});

/** Moves the deadline to so many seconds ago. */
const moveDeadline = ({ agreement }: Deal, seconds: number) =>
  service.database.db
    .update(agreements)
    .set({ deliverBy: new Date(Date.now() - seconds * 1_000) })
    .where(eq(agreements.id, agreement.id));

describe("a submission without an agreement", () => {
  test("must have every field of the task", async () => {
    const agent = await service.agent();
    const called = await service.call("POST", "/outcome", { key: agent.apiKey, body: WORK });
    expect(refusal(called)).toEqual([400, "invalid-request"]);
    expect(called.body.errors).toEqual(
      [
        "contractorAgentAddress",
        "requesterAgentAddress",
        "taskDescription",
        "taskCategory",
        "valueUsdc",
      ].map((field) => ({ pointer: `#/${field}`, detail: "is required", code: "missing" })),
    );
  });
});
