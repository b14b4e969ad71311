import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "@/server/lib/time";
import {
  callEscrow,
  createFundedJob,
  readJobStatus,
  submitDeliverable,
} from "@/server/testing/chain/escrow";
import { fund, getServiceChain } from "@/server/testing/chain/payments";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { startReceiver } from "@/server/testing/http/receiver";
import { startTestService, type TestService } from "@/server/testing/service";

const BUDGET = 5_000_000n;
const [COMPLETED, REJECTED] = [3, 4];

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const getEscrow = () => service.chain.escrowAddresses[0] ?? "";

/** Two parties with verified and funded wallets, and the agreement that both have signed. */
async function agree() {
  const requester = await service.agent({ proven: true });
  const contractor = await service.agent({ proven: true });
  const local = getServiceChain(service);
  for (const { wallet } of [requester, contractor]) await fund(local, wallet);
  const agreement = await insertAgreement(
    service.runtime.core,
    { requester, contractor },
    { valueMicro: String(BUDGET) },
  );
  return { requester, contractor, agreement, local };
}

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
      expect(body).toMatchObject({ accepted: true, reason: null });
      const jobId = await createFundedJob(local, {
        client: requester.account,
        provider: body.job.provider,
        evaluator: body.job.evaluator,
        description: body.job.description,
        expiresAt: new Date(body.job.expiredAt * 1_000),
        budgetMicro: BigInt(body.job.budgetMicro),
      });
      await submitDeliverable(local, contractor.account, jobId, text);
      const delivered = await service.call("POST", "/outcome", {
        key: contractor.apiKey,
        body: { agreementId: agreement.id, deliverableContent: text },
      });
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

  test("is announced to both parties if it is declined", async () => {
    const { requester, contractor, agreement, local } = await agree();
    const receivers = await Promise.all(
      [requester, contractor].map(async ({ apiKey }) => {
        const receiver = await startReceiver();
        const body = { url: receiver.url, events: ["evaluator.declined"] };
        const created = await service.call("POST", "/webhooks", { key: apiKey, body });
        expect(created.status).toBe(201);
        return receiver;
      }),
    );
    await createFundedJob(local, {
      client: requester.account,
      provider: contractor.wallet,
      description: `standing:1:${agreement.termsHash}`,
      budgetMicro: BUDGET - 1n,
    });
    // Judging any outcome under an agreement has the escrows read.
    await service.call("POST", "/outcome", {
      key: contractor.apiKey,
      body: { agreementId: agreement.id, deliverableContent: "Rhine" },
    });
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
    worstCaseSeconds: HOUR_MS / 1_000,
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
  chain.escrows = escrows;
});
