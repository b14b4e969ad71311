import { eq, sql } from "drizzle-orm";
import { createTestClient, http } from "viem";
import { foundry } from "viem/chains";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openChain } from "@/server/chain/client";
import { balanceOf } from "@/server/chain/payments/usdc";
import { usedTransfers } from "@/server/chain/tables";
import type { Dispute } from "@/server/disputes/schema";
import { disputes } from "@/server/disputes/tables";
import { fund, payUsdc } from "@/server/testing/chain/payments";
import { hasten, waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import {
  createAnswer,
  type ModelReply,
  parseMaterial,
  startScriptedModel,
} from "@/server/testing/model/scripted-model";
import { startTestService } from "@/server/testing/service";

const WORK = "The Rhine rises in the Alps and ends in the North Sea.";

/** Opens a service with a response window of one hour, and two parties that have USDC. */
async function startScene(env: Record<string, string> = {}) {
  const service = await startTestService({ env: { DISPUTE_RESPONSE_WINDOW: "1h", ...env } });
  const chain = await openChain({ ...service.chain, isLocal: true });
  const transport = http(service.chain.rpcUrl);
  const node = createTestClient({ chain: foundry, mode: "anvil", transport });
  const [contractor, requester] = [await service.agent(), await service.agent()];
  for (const { wallet } of [contractor, requester]) await fund({ chain, node }, wallet);

  const pay = async ({ account }: TestAgent, micro: bigint) =>
    (await payUsdc({ chain, node }, account, chain.stakeAddress, micro)).transactionHash;
  /** Resolves an outcome between the two parties. */
  const resolveOutcome = async () => {
    const outcomeId = await service.submit(contractor, {
      requesterAgentAddress: requester.wallet,
      taskDescription: "Name one river of the Alps and where it ends.",
      deliverableContent: WORK,
    });
    await service.waitForResolved(outcomeId);
    return outcomeId;
  };
  const openDispute = async (
    by: TestAgent,
    outcomeId: string,
    micro: bigint,
    deliverableContent?: string,
  ) => {
    const stakePaymentTxHash = await pay(by, micro);
    const { status, body } = await service.call("POST", "/disputes", {
      key: by.apiKey,
      body: { outcomeId, reason: "It is not so.", stakePaymentTxHash, deliverableContent },
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.disputeId as string;
  };
  const respond = async (
    by: TestAgent,
    disputeId: string,
    micro: bigint,
    statement = "It is right.",
  ) =>
    service.call("POST", `/disputes/${disputeId}/stake`, {
      key: by.apiKey,
      body: { stakePaymentTxHash: await pay(by, micro), statement },
    });
  const waitForDispute = (disputeId: string, holds: (dispute: Dispute) => boolean) =>
    waitFor(async () => {
      const { body } = await service.call("GET", `/disputes/${disputeId}`);
      return holds(body) && (body as Dispute);
    });
  const isDone = ({ status, stakes }: Dispute) =>
    status === "RESOLVED" &&
    !stakes.some(({ stakeReturnStatus: state }) => state === "waiting" || state === "sent");
  const expire = async (disputeId: string) => {
    const { db } = service.database;
    await db.update(disputes).set({ expiresAt: sql`now()` }).where(eq(disputes.id, disputeId));
  };
  /** Like `waitForDispute`, while making delayed calls of the review due. */
  const waitWhileTimePasses = (disputeId: string, holds: (dispute: Dispute) => boolean) =>
    waitFor(async () => {
      await hasten(service.database.db, "review-dispute");
      const { body } = await service.call("GET", `/disputes/${disputeId}`);
      return holds(body) && (body as Dispute);
    });
  const usdc = (of: TestAgent) => balanceOf(chain, of.wallet as `0x${string}`);
  return {
    service,
    chain,
    node,
    contractor,
    requester,
    resolveOutcome,
    openDispute,
    respond,
    waitForDispute,
    isDone,
    expire,
    waitWhileTimePasses,
    usdc,
  };
}
type Scene = Awaited<ReturnType<typeof startScene>>;

/** Reads the reputation of an agent once the process knows of its first outcome. */
async function readReputation({ service }: Scene, { wallet }: TestAgent) {
  return waitFor(async () => {
    const { body } = await service.call("GET", `/reputation/${wallet}`);
    return body.totalOutcomes > 0 && body;
  });
}

describe("with the built-in judge", () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await startScene();
  });
  afterAll(() => scene.service.close());

  test("a dispute that both sides staked on is reviewed at once, recorded, and its winner paid", async () => {
    const {
      contractor,
      requester,
      resolveOutcome,
      openDispute,
      respond,
      waitForDispute,
      isDone,
      usdc,
    } = scene;
    const outcomeId = await resolveOutcome();
    const before = [await usdc(contractor), await usdc(requester)];
    const disputeId = await openDispute(requester, outcomeId, 500_000n);
    expect((await respond(contractor, disputeId, 1_250_000n)).status).toBe(200);

    const dispute = await waitForDispute(disputeId, isDone);
    expect(dispute).toMatchObject({
      verdict: "CONTRACTOR_WINS",
      finalVerdict: "SUCCESS",
      recordedVerdict: "SUCCESS",
      recordedAssessed: false,
      // The review found nothing to decide by, so a lost stake makes no success of it.
      assessed: false,
      checks: expect.arrayContaining([
        expect.objectContaining({
          check: "refusal",
          outcome: "pass",
          observed: expect.any(String),
        }),
      ]),
      reason: expect.stringMatching(/^Automated checks; no language model was used/),
      judge: { kind: "heuristic", id: "builtin-checks/v3" },
      onChainTx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      stakes: [
        { party: "requester", state: "forfeited", stakeReturnTx: null },
        { party: "contractor", state: "returned", stakeReturnTx: expect.any(String) },
      ],
    });
    expect([await usdc(contractor), await usdc(requester)]).toEqual([
      before[0],
      (before[1] ?? 0n) - 500_000n,
    ]);
    const outcome = await scene.service.call("GET", `/outcome/${outcomeId}`);
    expect(outcome.body).toMatchObject({
      verdict: "SUCCESS",
      finalVerdict: "SUCCESS",
      assessed: false,
      disputeId,
    });
    const listed = await scene.service.call("GET", "/explore/disputes");
    expect(listed.body.content).toMatchObject([{ disputeId, assessed: false }]);
    expect(await readReputation(scene, contractor)).toMatchObject({
      score: 0,
      assessedOutcomes: 0,
      assessedSuccessRate: null,
    });
    const record = await scene.chain.client.getTransactionReceipt({
      hash: dispute.onChainTx as `0x${string}`,
    });
    expect(record.to?.toLowerCase()).toBe(scene.chain.registryAddress.toLowerCase());
  });

  test("an unanswered dispute is reviewed when the time is over, and a winner without a stake is paid nothing", async () => {
    const {
      requester,
      contractor,
      resolveOutcome,
      openDispute,
      respond,
      expire,
      waitWhileTimePasses,
      isDone,
      usdc,
    } = scene;
    const disputeId = await openDispute(requester, await resolveOutcome(), 600_000n);
    await expire(disputeId);
    const dispute = await waitWhileTimePasses(disputeId, isDone);
    expect(dispute).toMatchObject({
      verdict: "CONTRACTOR_WINS",
      stakes: [
        { party: "requester", state: "forfeited" },
        { party: "contractor", state: "none", stakeReturnStatus: "none" },
      ],
    });

    // A stake that arrives too late is returned.
    const before = await usdc(contractor);
    const late = await respond(contractor, disputeId, 700_000n);
    expect(late.status).toBe(409);
    expect(late.body.detail).toContain("0.7 USDC is sent back");
    await waitFor(async () => (await usdc(contractor)) === before);
  });

  test("the stake account holds only forfeited stakes", async () => {
    const { database } = scene.service;
    const all = await database.db.select().from(usedTransfers);
    expect(all.map(({ amountMicro }) => amountMicro)).toHaveLength(4);
    expect(await balanceOf(scene.chain, scene.chain.stakeAddress)).toBe(500_000n + 600_000n);
  });

  /** Returns the contractor's reputation, the outcome and its ledger record, once a dispute is resolved. */
  const readResult = async (contractor: TestAgent, outcomeId: string, disputeId: string) => {
    const dispute = await scene.waitWhileTimePasses(disputeId, scene.isDone);
    const outcome = (await scene.service.call("GET", `/outcome/${outcomeId}`)).body;
    const ledger = (await (await fetch(`${scene.service.base}/ledger`)).text()).split("\n");
    const record = ledger.find((line) => line.includes('"dispute"') && line.includes(outcomeId));
    const reputation = await readReputation(scene, contractor);
    return { dispute, outcome, record: JSON.parse(record ?? "null"), reputation };
  };
  const unassessedSuccess = {
    dispute: { verdict: "CONTRACTOR_WINS", assessed: false, evidence: { assessed: false } },
    outcome: { verdict: "FAILURE", finalVerdict: "SUCCESS", assessed: false },
    record: { verdict: "CONTRACTOR_WINS", assessed: false },
    reputation: { score: 0, confirmedOutcomes: 1, assessedOutcomes: 0 },
  };

  test("a paid failure that the client concedes, as after a private settlement, is no evidence of success", async () => {
    const { service, requester, openDispute, respond } = scene;
    const contractor = await service.agent();
    await fund(scene, contractor.wallet);
    const paid = await payUsdc(scene, requester.account, contractor.wallet, 20_000_000n);
    const outcomeId = await service.submit(contractor, {
      requesterAgentAddress: requester.wallet,
      deliverableContent: "",
      valueUsdc: 20,
      paymentTxHash: paid.transactionHash,
    });
    expect(await service.waitForResolved(outcomeId)).toMatchObject({ verdict: "FAILURE" });
    const disputeId = await openDispute(contractor, outcomeId, 500_000n);
    expect((await respond(requester, disputeId, 500_000n, "I concede the dispute.")).status).toBe(
      200,
    );
    expect(await readResult(contractor, outcomeId, disputeId)).toMatchObject(unassessedSuccess);
  });

  test("a success that the contractor concedes was assessed: it spoke against itself", async () => {
    const { service, requester, openDispute, respond } = scene;
    const contractor = await service.agent();
    await fund(scene, contractor.wallet);
    const outcomeId = await service.submit(contractor, { requesterAgentAddress: requester.wallet });
    await service.waitForResolved(outcomeId);
    const disputeId = await openDispute(requester, outcomeId, 500_000n);
    await respond(contractor, disputeId, 500_000n, "I concede the dispute.");
    expect(await readResult(contractor, outcomeId, disputeId)).toMatchObject({
      dispute: { verdict: "REQUESTER_WINS", assessed: true },
      outcome: { verdict: "SUCCESS", finalVerdict: "FAILURE", assessed: true },
      record: { verdict: "REQUESTER_WINS", assessed: true },
      reputation: { score: 0, assessedOutcomes: 1, assessedSuccessRate: 0 },
    });
  });

  test("a failure that is overturned because no check fails any more weighs nothing", async () => {
    const { service, requester, openDispute, expire } = scene;
    const contractor = await service.agent();
    await fund(scene, contractor.wallet);
    const outcomeId = await service.submit(requester, {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      deliverableContent: "",
    });
    expect(await service.waitForResolved(outcomeId)).toMatchObject({ verdict: "FAILURE" });
    const disputeId = await openDispute(contractor, outcomeId, 500_000n, WORK);
    await expire(disputeId);
    const result = await readResult(contractor, outcomeId, disputeId);
    expect(result).toMatchObject({ ...unassessedSuccess, reputation: { score: 0 } });
    expect(result.dispute.reason).toContain("because no check fails for the deliverable supplied");
  });
});

test("a review by a model that overturns the verdict lowers the score and pays the requester", async () => {
  let isDown = false;
  let refused = 0;
  const model = await startScriptedModel({
    answer: (request): ModelReply => {
      if (isDown) {
        refused += 1;
        return { status: 401 };
      }
      const material = parseMaterial(request.body.messages.at(-1)?.content ?? "");
      // Only a review shows the parties' sides.
      return createAnswer(material, material.sides.length > 0 ? "no" : "yes");
    },
  });
  const scene = await startScene({
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: model.url,
    JUDGE_MODEL: "scripted-1",
  });
  try {
    const {
      service,
      contractor,
      requester,
      resolveOutcome,
      openDispute,
      respond,
      waitForDispute,
      isDone,
      usdc,
      waitWhileTimePasses,
    } = scene;
    const outcomeId = await resolveOutcome();
    const reputation = async () =>
      (await service.call("GET", `/reputation/${contractor.wallet}`)).body;
    // A process learns of a change a moment after it was made.
    await expect.poll(async () => (await reputation()).totalOutcomes).toBeGreaterThan(0);
    const { score } = await reputation();
    const before = [await usdc(contractor), await usdc(requester)];

    // The model is down when it should review: the dispute stays open, and no stake is forfeited.
    isDown = true;
    const disputeId = await openDispute(requester, outcomeId, 800_000n);
    await respond(contractor, disputeId, 500_000n);
    await waitFor(async () => refused > 0);
    const open = await waitForDispute(disputeId, ({ phase }) => phase === "in-review");
    expect(open).toMatchObject({ status: "OPEN", stakes: [{ state: "held" }, { state: "held" }] });
    isDown = false;
    const dispute = await waitWhileTimePasses(disputeId, isDone);
    expect(dispute).toMatchObject({
      verdict: "REQUESTER_WINS",
      recordedVerdict: "SUCCESS",
      finalVerdict: "FAILURE",
      judge: { kind: "llm", id: "scripted-1" },
      stakes: [
        { party: "requester", state: "returned", amountUsdc: 0.8 },
        { party: "contractor", state: "forfeited" },
      ],
    });
    expect(dispute.reason).toContain("The recorded verdict, success, is overturned");
    expect(dispute.reason).not.toContain("Rhine");
    expect([await usdc(contractor), await usdc(requester)]).toEqual([
      (before[0] ?? 0n) - 500_000n,
      before[1],
    ]);
    await expect.poll(async () => (await reputation()).score).toBeLessThan(score);
    const outcome = await service.call("GET", `/outcome/${outcomeId}`);
    expect(outcome.body).toMatchObject({ verdict: "SUCCESS", finalVerdict: "FAILURE" });
    const history = await service.call("GET", `/reputation/${contractor.wallet}/history`);
    expect(history.body.content[0]).toMatchObject({ cause: "dispute", outcomeId });
  } finally {
    await scene.service.close();
    await model.close();
  }
});
