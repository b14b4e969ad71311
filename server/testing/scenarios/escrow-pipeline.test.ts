import { eq } from "drizzle-orm";
import { sha256 } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";
import { retryStalled } from "@/server/operations/retry";
import { readStalled } from "@/server/operations/stalled";
import { outcomes } from "@/server/outcomes/tables";
import {
  callEscrow,
  createFundedJob,
  createJob,
  readJobStatus,
  submitDeliverable,
} from "@/server/testing/chain/escrow";
import { type FaultyNode, startFaultyNode } from "@/server/testing/chain/faulty-node";
import { fund, getServiceChain } from "@/server/testing/chain/payments";
import { suspendSweeps } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildTerms, insertAgreement } from "@/server/testing/fixtures/agreement";
import { startReceiver } from "@/server/testing/http/receiver";
import { startTestService, type TestService } from "@/server/testing/service";

const BUDGET = 5_000_000n;
const [COMPLETED, REJECTED] = [3, 4];

let service: TestService;
let node: FaultyNode;
beforeAll(async () => {
  service = await startTestService({
    getNodeUrl: async ({ rpcUrl }) => {
      node = await startFaultyNode(rpcUrl);
      return node.url;
    },
  });
});
afterAll(async () => {
  await service.close();
  await node.close();
});

const getEscrow = () => service.chain.escrowAddresses[0] ?? "";

/** Two parties with verified and funded wallets, and the agreement that both have signed. */
async function agree(row: Parameters<typeof insertAgreement>[3] = {}) {
  const requester = await service.agent({ proven: true });
  const contractor = await service.agent({ proven: true });
  const local = getServiceChain(service);
  for (const { wallet } of [requester, contractor]) await fund(local, wallet);
  const agreement = await insertAgreement(
    service.runtime.core,
    { requester, contractor },
    { valueMicro: String(BUDGET), payment: "escrow", delivery: "content" },
    row,
  );
  const job = {
    client: requester.account,
    provider: contractor.wallet,
    description: `standing:1:${agreement.termsHash}`,
    budgetMicro: BUDGET,
  };
  return { requester, contractor, agreement, local, job };
}

const deliver = ({ apiKey: key }: TestAgent, agreementId: string, deliverableContent: string) =>
  service.call("POST", "/outcome", { key, body: { agreementId, deliverableContent } });

const quote = (key: string, body: object) =>
  service.call("POST", "/evaluator/quote", { key, body: { escrow: getEscrow(), ...body } });
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

describe("an agreed job in escrow", () => {
  test.each([
    ["Danube, Rhine, Loire.", "SUCCESS", COMPLETED, 5],
    ["Danube, Loire, Vistula.", "FAILURE", REJECTED, 0],
  ])(
    "delivered as %s is a %s, and the escrow pays as it says",
    async (text, verdict, state, paidUsdc) => {
      const { requester, contractor, agreement, local } = await agree();
      const { body } = await quote(requester.apiKey, {
        termsHash: agreement.termsHash,
        expiresAt: inDays(3),
      });
      expect(body).toMatchObject({ accepted: true, reason: null, models: 0 });
      const jobId = await createFundedJob(local, {
        client: requester.account,
        provider: body.job.provider,
        evaluator: body.job.evaluator,
        description: body.job.description,
        expiresAt: new Date(body.job.expiredAt * 1_000),
        budgetMicro: BigInt(body.job.budgetMicro),
      });
      await submitDeliverable(local, contractor.account, jobId, text);
      const delivered = await deliver(contractor, agreement.id, text);
      expect(delivered.status).toBe(202);
      const { outcomeId } = delivered.body;
      expect(await service.waitForResolved(outcomeId)).toMatchObject({ verdict, paidUsdc });
      expect(await readJobStatus(local, jobId)).toBe(state);
      const job = {
        escrow: getEscrow(),
        jobId: String(jobId),
        status: state === COMPLETED ? "completed" : "rejected",
        decisionTx: expect.stringMatching(/^0x/),
        budgetUsdc: 5,
        releasedUsdc: state === COMPLETED ? 5 : null,
      };
      const ofOutcome = await service.call("GET", `/outcome/${outcomeId}/escrow`);
      expect(ofOutcome.body).toMatchObject({ jobs: [job] });
      const path = `/agreements/${agreement.id}/escrow`;
      const ofAgreement = await service.call("GET", path, { key: requester.apiKey });
      expect(ofAgreement.body).toMatchObject({ jobs: [job] });
      const stranger = await service.agent({ proven: true });
      expect((await service.call("GET", path, { key: stranger.apiKey })).status).toBe(404);
    },
  );

  test("pays for the bytes that were delivered, of which the evidence has the hash too", async () => {
    const { contractor, agreement, local, job } = await agree();
    const text = " n\u0303 Danube,\u200b Rhine\r\n";
    const jobId = await createFundedJob(local, job);
    await submitDeliverable(local, contractor.account, jobId, text);
    const { body } = await deliver(contractor, agreement.id, text);
    const resolved = await service.waitForResolved(body.outcomeId);
    expect(resolved).toMatchObject({ verdict: "SUCCESS", paidUsdc: 5 });
    const isIt = eq(outcomes.id, body.outcomeId);
    const [outcome] = await service.database.db.select().from(outcomes).where(isIt);
    const hashed = Buffer.concat([
      outcome?.salt ?? Buffer.alloc(0),
      new TextEncoder().encode(text),
    ]);
    expect(resolved.evidence?.deliverableHash).toBe(sha256(hashed));
  });

  test("that is not funded by `startBy` has no outcome: nobody failed", async () => {
    await suspendSweeps(service.database);
    const past = (seconds: number) => new Date(Date.now() - seconds * 1_000);
    const open = await agree({ startBy: past(5) });
    const over = await agree({ startBy: past(3_600), deliverBy: past(120) });
    const refused = [
      await deliver(open.contractor, open.agreement.id, "Danube, Rhine, Loire."),
      await service.call("POST", "/outcome", {
        key: over.requester.apiKey,
        body: { agreementId: over.agreement.id },
      }),
    ];
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([409, "not-paid"]);
      expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    }
  });

  test("takes no URL", async () => {
    const { contractor, agreement } = await agree();
    const body = { agreementId: agreement.id, deliverableUrl: "https://example.com/rivers" };
    const { status } = await service.call("POST", "/outcome", { key: contractor.apiKey, body });
    expect(status).toBe(422);
  });

  test("is not held up by 50 open jobs that cost gas only", async () => {
    const { contractor, agreement, local, job } = await agree();
    for (let count = 0; count < 50; count++) await createJob(local, job);
    const jobId = await createFundedJob(local, job);
    const text = "Danube, Rhine, Loire.";
    await submitDeliverable(local, contractor.account, jobId, text);
    node.requestedMethods.length = 0;
    const { body } = await deliver(contractor, agreement.id, text);
    expect(await service.waitForResolved(body.outcomeId)).toMatchObject({ paidUsdc: 5 });
    expect(node.requestedMethods.filter((method) => method === "eth_call").length).toBeLessThan(25);
  });

  test("that expires in a hundred years is declined, and the agreed outcome is decided", async () => {
    const { requester, contractor, agreement, local, job } = await agree();
    const endless = await createFundedJob(local, {
      ...job,
      expiresAt: new Date("2125-01-01T00:00:00Z"),
    });
    const { body } = await deliver(contractor, agreement.id, "Danube, Rhine, Loire.");
    const readJobs = () =>
      service.call("GET", `/agreements/${agreement.id}/escrow`, { key: requester.apiKey });
    await vi.waitUntil(async () => (await readJobs()).body.jobs.length > 0, { timeout: 30_000 });
    expect((await readJobs()).body.jobs).toMatchObject([
      {
        jobId: String(endless),
        status: "declined",
        reason: expect.stringContaining("expires too late"),
      },
    ]);
    const waiting = async () =>
      (await readStalled(service.runtime.core.db, new Date())).find(
        ({ kind }) => kind === "escrows",
      )?.waiting;
    expect(await waiting()).toBe(1);
    const judgedAt = new Date(Date.now() - HOUR_MS);
    const isIt = eq(outcomes.id, body.outcomeId);
    await service.database.db.update(outcomes).set({ judgedAt }).where(isIt);
    expect(await waiting()).toBe(0);
    const { core } = service.runtime;
    await retryStalled(core, { kind: "records", id: undefined, now: new Date() });
    expect(await service.waitForResolved(body.outcomeId)).toMatchObject({
      verdict: "SUCCESS",
      paidUsdc: 0,
    });
  });

  test("is announced to both parties if it is declined", async () => {
    const { requester, contractor, agreement, local, job } = await agree();
    const receivers = await Promise.all(
      [requester, contractor].map(async ({ apiKey }) => {
        const receiver = await startReceiver();
        const body = { url: receiver.url, events: ["evaluator.declined"] };
        const created = await service.call("POST", "/webhooks", { key: apiKey, body });
        expect(created.status).toBe(201);
        return receiver;
      }),
    );
    await createFundedJob(local, { ...job, budgetMicro: BUDGET - 1n });
    // Judging an outcome of an escrow has the escrows read.
    await deliver(contractor, agreement.id, "Rhine");
    for (const receiver of receivers) {
      const [request] = await receiver.waitFor(1);
      expect(JSON.parse(String(request?.body))).toMatchObject({
        event: "evaluator.declined",
        data: { client: requester.wallet, reason: "The job's budget is not the agreed value." },
      });
      await receiver.close();
    }
  });
});

describe("a quote", () => {
  test.each<[string, object, string]>([
    ["an expiry that leaves too little time", { expiresAt: inDays(1) }, "expires too early"],
    ["an expiry in a hundred years", { expiresAt: "2125-01-01T00:00:00Z" }, "expires too late"],
    [
      "another escrow",
      { escrow: `0x${"1".repeat(40)}`, expiresAt: inDays(3) },
      "does not evaluate jobs",
    ],
  ])("refuses %s", async (_, body, reason) => {
    const { requester, agreement } = await agree();
    const answer = await quote(requester.apiKey, { agreementId: agreement.id, ...body });
    expect(answer.body).toMatchObject({
      accepted: false,
      reason: expect.stringContaining(reason),
    });
  });

  test("refuses an escrow that pays its evaluator a fee", async () => {
    const { requester, agreement, local } = await agree();
    await callEscrow(local, requester.account, "setFees", [1n, 0n]);
    const body = { agreementId: agreement.id, expiresAt: inDays(3) };
    const refused = await quote(requester.apiKey, body);
    expect(refused.body).toMatchObject({ accepted: false, reason: expect.stringContaining("fee") });
    await callEscrow(local, requester.account, "setFees", [0n, 0n]);
    expect((await quote(requester.apiKey, body)).body).toMatchObject({ accepted: true });
  });

  test("is for the parties only", async () => {
    const { agreement } = await agree();
    const stranger = await service.agent({ proven: true });
    for (const ref of [{ agreementId: agreement.id }, { termsHash: agreement.termsHash }]) {
      const { status } = await quote(stranger.apiKey, { ...ref, expiresAt: inDays(3) });
      expect(status).toBe(404);
    }
  });
});

test("the evaluator says who it is, what it costs and how long it takes", async () => {
  const { status, body } = await service.call("GET", "/evaluator");
  expect(status).toBe(200);
  expect(body).toMatchObject({
    escrows: [getEscrow()],
    feeBasisPoints: 0,
    minExpirySeconds: (2 * HOUR_MS) / 1_000,
    maxExpirySeconds: (90 * DAY_MS) / 1_000,
    descriptionPrefix: "standing:1:",
  });
  const network = await service.call("GET", "/network");
  expect(network.body.escrows).toEqual({ evaluator: body.evaluator, addresses: body.escrows });
});

test("without escrows, it says what the operator sets", async () => {
  const { chain } = service.runtime.core;
  const { escrows } = chain;
  chain.escrows = null;
  const { status, body } = await service.call("GET", "/evaluator");
  expect(status).toBe(503);
  expect(body).toMatchObject({
    code: "evaluator-unavailable",
    help: expect.stringContaining("EVALUATOR_KEY"),
  });
  const [requester, contractor] = [await service.agent(), await service.agent()];
  const { version, chainId, valueMicro, nonce, ...terms } = buildTerms(
    chain,
    { requester, contractor },
    { payment: "escrow", delivery: "content" },
  );
  const draft = await service.call("POST", "/agreements/draft", {
    key: requester.apiKey,
    body: { ...terms, valueUsdc: 5 },
  });
  expect([draft.status, draft.body.code]).toEqual([503, "evaluator-unavailable"]);
  chain.escrows = escrows;
});
