import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { getContractAddress, type Hex, pad } from "viem";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { findTransfers } from "@/server/agreements/find-transfers";
import type { Terms } from "@/server/agreements/schema";
import { agreements } from "@/server/agreements/tables";
import type { Transaction } from "@/server/lib/context";
import { DAY_MS } from "@/server/lib/time";
import { lockOutcome } from "@/server/outcomes/queries";
import type { PublicOutcome } from "@/server/outcomes/schema";
import { searchDeliveryPayments } from "@/server/outcomes/search-delivery-payments";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { addAnchor } from "@/server/reputation/anchors";
import { anchors, reputations } from "@/server/reputation/tables";
import { authorizeTransfer } from "@/server/testing/chain/authorization";
import { sendDirectly } from "@/server/testing/chain/chain";
import { type FaultyNode, startFaultyNode } from "@/server/testing/chain/faulty-node";
import {
  assembleBytecode,
  encodeUsdcCall,
  fund,
  getServiceChain,
  type LocalPayments,
  payInOneTransaction,
  payUsdc,
} from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildTerms, insertAgreement, signTerms } from "@/server/testing/fixtures/agreement";
import { ASSESSED_WORK, buildSubmission } from "@/server/testing/fixtures/outcome";
import { insertUsedTransfer } from "@/server/testing/fixtures/transfer";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let local: LocalPayments;
let node: FaultyNode;
beforeAll(async () => {
  service = await startTestService({
    getNodeUrl: async ({ rpcUrl }) => {
      node = await startFaultyNode(rpcUrl);
      return node.url;
    },
  });
  local = getServiceChain(service);
});
afterEach(() => node.setBehavior("answer"));
afterAll(async () => {
  await service.close();
  await node.close();
});

async function createRichAgent(): Promise<TestAgent> {
  const agent = await service.agent({ proven: true });
  await fund(local, agent.wallet);
  return agent;
}

const USDC = 1_000_000n;

async function pay(from: TestAgent, to: TestAgent, micro: bigint): Promise<string> {
  return (await payUsdc(local, from.account, to.wallet, micro)).transactionHash;
}

interface Deal {
  contractor: TestAgent;
  requester: TestAgent;
}

/** Submits an outcome between two agents as `by`, with work that the built-in judge passes. */
const submit = ({ contractor, requester }: Deal, by: TestAgent, changes: object) =>
  service.call("POST", "/outcome", {
    key: by.apiKey,
    body: {
      ...buildSubmission(contractor.wallet),
      requesterAgentAddress: requester.wallet,
      ...changes,
    },
  });

/** Reports as the requester that nothing was delivered. */
const report = (deal: Deal, paymentTxHash?: string) =>
  submit(deal, deal.requester, {
    deliverableContent: undefined,
    ...(paymentTxHash ? { paymentTxHash } : {}),
  });

const refund = (outcomeId: string, by: TestAgent, refundTxHash: string) =>
  service.call("POST", `/outcome/${outcomeId}/refund`, { key: by.apiKey, body: { refundTxHash } });

const read = async (outcomeId: string): Promise<PublicOutcome> =>
  (await service.call("GET", `/outcome/${outcomeId}`)).body;

const waitForSuperseded = (outcomeId: string) =>
  waitFor(async () => {
    const outcome = await read(outcomeId);
    return outcome.superseded?.status === "recorded" && outcome;
  });

const codes = (calls: CallResult[]) => calls.map(({ status, body }) => body.code ?? status);

describe("a stranger that pays without being asked", () => {
  /** Pays `victim`, reports the failure, and returns the resolved outcome. */
  async function payUnasked(stranger: TestAgent, victim: TestAgent): Promise<PublicOutcome> {
    const deal = { contractor: victim, requester: stranger };
    const { body } = await report(deal, await pay(stranger, victim, 2n * USDC));
    return service.waitForResolved(body.outcomeId);
  }

  test("cannot name the refund as the payment of its own work", async () => {
    const stranger = await createRichAgent();
    const thefts: CallResult[] = [];
    const refunds: CallResult[] = [];
    for (let n = 0; n < 4; n += 1) {
      const victim = await createRichAgent();
      const { outcomeId, resolvedAt = "" } = await payUnasked(stranger, victim);
      const refundTxHash = await pay(victim, stranger, 2n * USDC);
      const theft = { contractor: stranger, requester: victim };
      const stolen = await submit(theft, stranger, { paymentTxHash: refundTxHash });
      thefts.push(stolen);
      refunds.push(await refund(outcomeId, victim, refundTxHash));
      const until = new Date(Date.parse(resolvedAt) + 7 * 86_400_000).toISOString();
      expect.soft(stolen.body.detail).toContain(outcomeId);
      expect.soft(stolen.body.detail).toContain(until);
    }
    expect(codes(thefts)).toEqual(Array(4).fill("payment-reserved"));
    expect(codes(refunds)).toEqual(Array(4).fill(200));
    const { body } = await service.call("GET", `/reputation/${stranger.wallet}`);
    expect(body.score).toBe(0);
  });

  test("cannot take it by naming it at the same time", async () => {
    const stranger = await createRichAgent();
    for (let n = 0; n < 3; n += 1) {
      const victim = await createRichAgent();
      const { outcomeId } = await payUnasked(stranger, victim);
      const refundTxHash = await pay(victim, stranger, 3n * USDC);
      const theft = { contractor: stranger, requester: victim };
      const [stolen, returned] = await Promise.all([
        submit(theft, stranger, { paymentTxHash: refundTxHash }),
        refund(outcomeId, victim, refundTxHash),
      ]);
      expect(returned.status).toBe(200);
      expect(["payment-reserved", "payment-used"]).toContain(stolen.body.code);
    }
  });

  test("cannot take it while the outcome is being judged", async () => {
    const [stranger, victim] = [await createRichAgent(), await createRichAgent()];
    const unasked = await pay(stranger, victim, 2n * USDC);
    const refundTxHash = await pay(victim, stranger, 2n * USDC);
    // The verdict is not recorded.
    node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
    const { body } = await report({ contractor: victim, requester: stranger }, unasked);
    const theft = { contractor: stranger, requester: victim };
    const stolen = await submit(theft, stranger, { paymentTxHash: refundTxHash });
    expect(stolen.body.code).toBe("payment-reserved");
    expect(stolen.body.detail).toContain(`outcome ${body.outcomeId}`);
    expect(stolen.body.detail).toContain("7 days after its verdict");
    node.setBehavior("answer");
    await service.waitForResolved(body.outcomeId);
    expect((await refund(body.outcomeId, victim, refundTxHash)).status).toBe(200);
  });

  test("can name transfers that cannot be the refund", async () => {
    const [stranger, victim] = [await createRichAgent(), await createRichAgent()];
    const theft = { contractor: stranger, requester: victim };
    const earlier = await pay(victim, stranger, 2n * USDC);
    const { outcomeId } = await payUnasked(stranger, victim);
    const smaller = await pay(victim, stranger, 2n * USDC - 1n);
    for (const paymentTxHash of [earlier, smaller]) {
      expect((await submit(theft, stranger, { paymentTxHash })).status).toBe(202);
    }
    const refundTxHash = await pay(victim, stranger, 2n * USDC);
    expect((await refund(outcomeId, victim, refundTxHash)).status).toBe(200);
    const later = await pay(victim, stranger, 2n * USDC);
    expect((await submit(theft, stranger, { paymentTxHash: later })).status).toBe(202);
  });

  test("leaves the payer free to name its transfer as a payment of its own", async () => {
    const [stranger, victim] = [await createRichAgent(), await createRichAgent()];
    await payUnasked(stranger, victim);
    const payments = [2n * USDC - 1n, 2n * USDC];
    const { transactionHash } = await payInOneTransaction(
      local,
      victim.account,
      stranger.wallet,
      payments,
    );
    const work = { contractor: stranger, requester: victim };
    // The first of the two is too small to be the refund.
    const claimed = await submit(work, stranger, { paymentTxHash: transactionHash });
    expect((await read(claimed.body.outcomeId)).paidUsdc).toBe(1.999999);
    const own = await submit(work, victim, { paymentTxHash: transactionHash });
    expect((await read(own.body.outcomeId)).paidUsdc).toBe(2);
  });
});

describe("a payer that submits its own outcome for a payment that the contractor named", () => {
  /** Lets a contractor name the payment of a client; both can pay. */
  async function claim(changes: object = {}) {
    const deal = { contractor: await createRichAgent(), requester: await createRichAgent() };
    const paymentTxHash = await pay(deal.requester, deal.contractor, 5n * USDC);
    const { body } = await submit(deal, deal.contractor, { paymentTxHash, ...changes });
    return { deal, paymentTxHash, outcomeId: body.outcomeId as string };
  }
  const failed = { deliverableContent: undefined };

  async function payStake(from: TestAgent): Promise<string> {
    const { stakeAddress } = (await service.call("GET", "/network")).body;
    return (await payUsdc(local, from.account, stakeAddress, 500_000n)).transactionHash;
  }
  const openDispute = (outcomeId: string, by: TestAgent, stakePaymentTxHash: string) =>
    service.call("POST", "/disputes", {
      key: by.apiKey,
      body: { outcomeId, reason: "The work was never asked for.", stakePaymentTxHash },
    });

  test("has the payment from then on, while the contractor's outcome is recorded as superseded", async () => {
    const { deal, paymentTxHash, outcomeId } = await claim(failed);
    // Neither is recorded yet, or only the older one is.
    const { body } = await report(deal, paymentTxHash);
    const by = body.outcomeId;
    expect((await read(outcomeId)).superseded).toMatchObject({ by });
    const [older, own] = [await waitForSuperseded(outcomeId), await service.waitForResolved(by)];
    expect(older.superseded).toEqual({
      by,
      status: "recorded",
      onChainTx: expect.any(String),
      recordIndex: 0,
    });
    for (const outcome of [older, own]) {
      expect(outcome).toMatchObject({ paymentTxHash, paidUsdc: 5, verdict: "FAILURE" });
    }
    expect(own.superseded).toBeUndefined();
    const ledger = await (await fetch(`${service.base}/ledger`)).text();
    const { onChainTx: txHash } = older.superseded ?? {};
    const records = ledger
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(records).toContainEqual(
      expect.objectContaining({ type: "superseded", outcomeId, by, txHash }),
    );

    for (const called of [
      await openDispute(outcomeId, deal.contractor, await payStake(deal.contractor)),
      await refund(
        outcomeId,
        deal.contractor,
        await pay(deal.contractor, deal.requester, 5n * USDC),
      ),
    ]) {
      expect([called.status, called.body.code]).toEqual([409, "superseded"]);
      expect(called.body).toMatchObject({ supersededBy: by, detail: expect.stringContaining(by) });
    }
    const opened = await openDispute(by, deal.contractor, await payStake(deal.contractor));
    expect(opened.status).toBe(201);
    const refundTxHash = await pay(deal.contractor, deal.requester, 5n * USDC);
    expect((await refund(by, deal.contractor, refundTxHash)).status).toBe(200);
  });

  test("does so once", async () => {
    const { deal, paymentTxHash, outcomeId } = await claim();
    const calls = await Promise.all([1, 2, 3].map(() => report(deal, paymentTxHash)));
    expect(codes(calls).sort()).toEqual([202, "payment-used", "payment-used"]);
    const own = calls.find(({ status }) => status === 202)?.body.outcomeId;
    expect((await read(outcomeId)).superseded?.by).toBe(own);
    for (const { body } of calls.filter(({ status }) => status !== 202)) {
      expect(body.detail).toBe(`Your outcome ${own} already has this payment.`);
    }
    // The contractor can't take it back.
    const again = await submit(deal, deal.contractor, { paymentTxHash });
    expect(again.body.code).toBe("payment-used");
  });

  test("takes each payment of one transaction separately", async () => {
    const deal = { contractor: await createRichAgent(), requester: await createRichAgent() };
    const amounts = [3n * USDC, 4n * USDC];
    const { contractor, requester } = deal;
    const paid = await payInOneTransaction(local, requester.account, contractor.wallet, amounts);
    const paymentTxHash = paid.transactionHash;
    const paidUsdc: number[] = [];
    for (const by of [contractor, contractor, requester, requester]) {
      const { body } = await submit(deal, by, { paymentTxHash });
      paidUsdc.push((await read(body.outcomeId)).paidUsdc);
    }
    expect(paidUsdc).toEqual([3, 4, 3, 4]);
  });

  test("cannot once a dispute over it has been opened", async () => {
    const { deal, paymentTxHash, outcomeId } = await claim();
    await service.waitForResolved(outcomeId);
    const opened = await openDispute(outcomeId, deal.requester, await payStake(deal.requester));
    const { status, body } = await report(deal, paymentTxHash);
    expect([status, body.code]).toEqual([409, "payment-used"]);
    expect(body.detail).toContain(`dispute ${opened.body.disputeId}`);
    expect((await read(outcomeId)).superseded).toBeUndefined();
  });

  /** Starts `request` while the outcome is locked, changes the outcome, and unlocks it. */
  async function changeDuring<T>(
    outcomeId: string,
    request: () => Promise<T>,
    change: (tx: Transaction) => Promise<unknown>,
  ): Promise<T> {
    const { db } = service.database;
    let response: Promise<T> | undefined;
    await db.transaction(async (tx) => {
      await lockOutcome(tx, outcomeId);
      response = request();
      await waitFor(async () => {
        const [waiting] = await db.execute(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting;
      });
      await change(tx);
    });
    return response ?? expect.fail();
  }

  describe("or what comes first, if both arrive at once:", () => {
    const updateOutcome = (outcomeId: string, fields: Partial<typeof outcomes.$inferInsert>) => {
      return (tx: Transaction) => tx.update(outcomes).set(fields).where(eq(outcomes.id, outcomeId));
    };

    test("a dispute or a refund of the contractor", async () => {
      const other = randomUUID();
      const disputed = await claim();
      const late = await changeDuring(
        disputed.outcomeId,
        () => report(disputed.deal, disputed.paymentTxHash),
        updateOutcome(disputed.outcomeId, { disputeId: other }),
      );
      expect([late.body.code, late.body.detail]).toEqual([
        "payment-used",
        expect.stringContaining(other),
      ]);
      const refunded = await claim();
      const { outcomeId, paymentTxHash } = refunded;
      const txHash = `0x${"cd".repeat(32)}`;
      const tooLate = await changeDuring(
        outcomeId,
        () => report(refunded.deal, paymentTxHash),
        (tx) => tx.insert(refunds).values({ outcomeId, txHash, amountMicro: 1n }),
      );
      expect([tooLate.body.code, tooLate.body.detail]).toEqual([
        "payment-used",
        expect.stringContaining(txHash),
      ]);
    });

    test("the payer's own outcome, before a dispute or a refund of the contractor", async () => {
      const supersededBy = randomUUID();
      const { deal, outcomeId } = await claim(failed);
      await service.waitForResolved(outcomeId);
      const stake = await payStake(deal.contractor);
      const refundTxHash = await pay(deal.contractor, deal.requester, 5n * USDC);
      for (const request of [
        () => openDispute(outcomeId, deal.contractor, stake),
        () => refund(outcomeId, deal.contractor, refundTxHash),
      ]) {
        const late = await changeDuring(
          outcomeId,
          request,
          updateOutcome(outcomeId, { supersededBy }),
        );
        expect(late.body).toMatchObject({ code: "superseded", supersededBy });
        await service.database.db.transaction(updateOutcome(outcomeId, { supersededBy: null }));
      }
    });
  });

  test("can do so for seven days after the contractor's outcome resolved, however old its payment", async () => {
    const [contractor, requester] = [await createRichAgent(), await createRichAgent()];
    const claimPaymentOf = async (days: number) => {
      await setChainTime(Date.now() - days * DAY_MS);
      const paymentTxHash = await pay(requester, contractor, 5n * USDC);
      await setChainTime(Date.now());
      const { body } = await submit({ contractor, requester }, contractor, { paymentTxHash });
      await service.waitForResolved(body.outcomeId);
      return { paymentTxHash, outcomeId: body.outcomeId as string };
    };
    // The contractor waited eight days.
    const recent = await claimPaymentOf(8);
    expect((await report({ contractor, requester }, recent.paymentTxHash)).status).toBe(202);

    const old = await claimPaymentOf(1);
    const resolvedAt = new Date(Date.now() - 7 * DAY_MS - 1_000);
    await service.database.db
      .update(outcomes)
      .set({ resolvedAt })
      .where(eq(outcomes.id, old.outcomeId));
    const { status, body } = await report({ contractor, requester }, old.paymentTxHash);
    expect([status, body.code]).toEqual([409, "payment-used"]);
    expect(body.detail).toContain(new Date(resolvedAt.getTime() + 7 * DAY_MS).toISOString());
  });

  /** Sets the clock of the chain's next blocks, in milliseconds. */
  const setChainTime = (ms: number) =>
    local.node.request({ method: "evm_setTime", params: [Math.floor(ms / 1000)] } as never);
});

describe("an agent without work that anyone ordered", () => {
  const readReputation = async ({ wallet }: TestAgent) =>
    (await service.call("GET", `/reputation/${wallet}`)).body;

  test("gains nothing from anchors that return its mistaken transfers", async () => {
    const agent = await createRichAgent();
    const anchors = [await createRichAgent(), await createRichAgent()];
    const { core } = service.runtime;
    for (const { wallet } of anchors) {
      await addAnchor(core, { wallet, until: null, reason: null, now: new Date() });
    }
    await waitFor(async () => {
      const { body } = await service.call("GET", "/anchors");
      return body.totalElements === 2;
    });
    for (let n = 0; n < 6; n += 1) {
      const anchor = anchors[n % 2] as TestAgent;
      await pay(agent, anchor, 20n * USDC);
      const paymentTxHash = await pay(anchor, agent, 20n * USDC);
      const work = { ...ASSESSED_WORK, paymentTxHash, valueUsdc: 20 };
      const { body } = await submit({ contractor: agent, requester: anchor }, agent, work);
      await service.waitForResolved(body.outcomeId);
    }
    await expect.poll(async () => (await readReputation(agent)).totalOutcomes).toBe(6);
    const { score, ceiling } = await readReputation(agent);
    // As much as one wallet of its own would have given it by paying in circles.
    expect(ceiling).toEqual({ score: 64.7, liftedBy: "anchor" });
    const { body } = await service.call("GET", `/agents/${agent.wallet}/outcomes`);
    const backings = body.content.map(({ backing }: { backing: string }) => backing);
    expect(backings).toEqual(Array(6).fill("paid"));
    expect(score).toBeLessThan(64.7);
  });

  test("can't state a value that nobody paid: 100,000 USDC count as 2", async () => {
    const scores: number[] = [];
    for (const valueUsdc of [2, 100_000]) {
      const [agent, itself] = [await service.agent(), await service.agent()];
      const deal = { contractor: agent, requester: itself };
      const { body } = await submit(deal, agent, { ...ASSESSED_WORK, valueUsdc });
      await service.waitForResolved(body.outcomeId);
      await expect.poll(async () => (await readReputation(agent)).totalOutcomes).toBe(1);
      scores.push((await readReputation(agent)).score);
    }
    expect(scores[0]).toBeGreaterThan(0);
    expect(scores[1]).toBe(scores[0]);
  });
});

describe("a contractor that names each client's payment with work it invented", () => {
  test("loses every payment to the outcomes of its ten clients", async () => {
    const scammer = await createRichAgent();
    const claims: { deal: Deal; paymentTxHash: string; outcomeId: string }[] = [];
    for (let n = 0; n < 10; n += 1) {
      const client = await createRichAgent();
      const deal = { contractor: scammer, requester: client };
      const paymentTxHash = await pay(client, scammer, 50n * USDC);
      const work = { ...ASSESSED_WORK, paymentTxHash, valueUsdc: 50 };
      const { body } = await submit(deal, scammer, work);
      await service.waitForResolved(body.outcomeId);
      claims.push({ deal, paymentTxHash, outcomeId: body.outcomeId });
    }
    const readScore = async () =>
      (await service.call("GET", `/reputation/${scammer.wallet}`)).body.score;
    const check = async () =>
      (await service.call("GET", `/agents/${scammer.wallet}/check?valueUsdc=5`)).body;
    expect(await readScore()).toBeGreaterThan(40);
    expect((await check()).limit.failedUsdc).toBe(0);

    const reports: CallResult[] = [];
    for (const { deal, paymentTxHash } of claims) reports.push(await report(deal, paymentTxHash));
    expect(codes(reports)).toEqual(Array(10).fill(202));
    for (const [index, { outcomeId }] of claims.entries()) {
      const shown = await waitForSuperseded(outcomeId);
      expect(shown.superseded?.by).toBe(reports[index]?.body.outcomeId);
    }
    expect(await readScore()).toBe(0);
    const { recommendation, limit } = await check();
    expect(recommendation.action).not.toMatch(/^hire/);
    // Ten jobs of 5 USDC.
    expect(limit.failedUsdc).toBe(50);
  }, 120_000);
});

describe("a client that owes the value of delivered work", () => {
  const search = () => searchDeliveryPayments(service.runtime.core);
  const findRow = async (id: string) =>
    (await service.database.db.select().from(agreements).where(eq(agreements.id, id)))[0];
  const recordOf = async ({ wallet }: TestAgent) =>
    (await service.call("GET", `/agents/${wallet}`)).body.asClient;
  const settle = (agreementId: string, by: TestAgent) =>
    service.call("POST", `/agreements/${agreementId}/settled`, { key: by.apiKey });

  const createDeal = async (): Promise<Deal> => ({
    contractor: await createRichAgent(),
    requester: await createRichAgent(),
  });

  /** Has the contractor deliver under terms of 5 USDC; the work succeeds. Returns the agreement's id. */
  async function deliver(deal: Deal, terms: Partial<Terms> = {}, work = "Rhine"): Promise<string> {
    const { id } = await insertAgreement(service.runtime.core, deal, terms);
    const { body } = await service.call("POST", "/outcome", {
      key: deal.contractor.apiKey,
      body: { agreementId: id, deliverableContent: work },
    });
    await service.waitForResolved(body.outcomeId);
    return id;
  }

  /** As if the verdict had been recorded so many days earlier, and the last search two days ago. */
  async function pass(days: number, { requester }: Deal) {
    await service.database.db.execute(sql`
      update outcomes set resolved_at = resolved_at - ${days} * interval '1 day'
      where requester = ${requester.wallet}`);
    await service.database.db.execute(sql`
      update agreements set delivery_payment_searched_at = now() - interval '2 days'
      where requester = ${requester.wallet} and delivery_payment_searched_at is not null`);
  }

  test("has no record until a job is paid or left unpaid, and is never shown as zero unpaid", async () => {
    const deal = await createDeal();
    const none = {
      summary: "No record as a client.",
      leftUnpaid: null,
      leftUnpaidUsdc: null,
      paid: 0,
    };
    expect(await recordOf(deal.requester)).toMatchObject({ ...none, ordered: 0 });
    await deliver(deal);
    await pass(6, deal);
    expect(await search()).toBe(0);
    expect(await recordOf(deal.requester)).toMatchObject({
      ...none,
      ordered: 1,
    });
  });

  test("left it unpaid if seven days later no transfer of the value is on chain", async () => {
    const deal = await createDeal();
    const early = await pay(deal.requester, deal.contractor, 5n * USDC);
    // Blocks have whole seconds.
    await new Promise((later) => setTimeout(later, 1_000 - (Date.now() % 1_000)));
    const agreementId = await deliver(deal);
    await pay(deal.requester, deal.contractor, 5n * USDC - 1n);
    await pay(deal.contractor, deal.requester, 5n * USDC);
    await pass(8, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({
      summary: "No record as a client: no paid job, 1 left unpaid (5.00 USDC).",
      leftUnpaid: 1,
      leftUnpaidUsdc: 5,
    });
    // Paid late, it is paid.
    const txHash = await pay(deal.requester, deal.contractor, 5n * USDC);
    expect(txHash).not.toBe(early);
    await pass(1, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({
      summary: "As a client: 1 of 1 job paid (5.00 USDC), none left unpaid, 0 disputes lost.",
      leftUnpaid: 0,
    });
    const read = await service.call("GET", `/agreements/${agreementId}`, {
      key: deal.contractor.apiKey,
    });
    expect(read.body).toMatchObject({
      deliveryPaymentTxHash: txHash,
      requesterAsClient: { paid: 1, leftUnpaid: 0 },
    });
  });

  test("pays one job with one transfer, the oldest first, also in one transaction", async () => {
    const deal = await createDeal();
    const oldest = await deliver(deal);
    const newer = await deliver(deal);
    const newest = await deliver(deal);
    await payInOneTransaction(local, deal.requester.account, deal.contractor.wallet, [
      5n * USDC,
      6n * USDC,
    ]);
    await pass(8, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({ paid: 2, paidUsdc: 10, leftUnpaid: 1 });
    const used = await Promise.all([oldest, newer, newest].map(findRow));
    expect(used.map((row) => row?.deliveryPaymentTxHash !== null)).toEqual([true, true, false]);
    expect(used[0]?.deliveryPaymentLogIndex).not.toBe(used[1]?.deliveryPaymentLogIndex);
    // A later search has the same transfers, and uses none of them again.
    await pass(1, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({ paid: 2, leftUnpaid: 1 });
  });

  test.each(["eth_getLogs", "eth_getBlockByNumber", "eth_getTransactionReceipt"])(
    "is not known to have paid while the node fails at %s",
    async (method) => {
      const deal = await createDeal();
      await deliver(deal);
      await pay(deal.requester, deal.contractor, 5n * USDC);
      await pass(8, deal);
      for (const behavior of ["hang-up", "forget"] as const) {
        node.setBehavior(behavior, [method]);
        await expect(search()).rejects.toThrow();
        expect(await recordOf(deal.requester)).toMatchObject({
          leftUnpaid: null,
        });
      }
      node.setBehavior("answer");
      await search();
      expect(await recordOf(deal.requester)).toMatchObject({ paid: 1, leftUnpaid: 0 });
    },
  );

  test("can't be made to look unpaid by a contractor that names the transfer for other work", async () => {
    const deal = await createDeal();
    await deliver(deal);
    const paymentTxHash = await pay(deal.requester, deal.contractor, 5n * USDC);
    const invented = await submit(deal, deal.contractor, { paymentTxHash });
    expect(invented.status).toBe(202);
    await service.waitForResolved(invented.body.outcomeId);
    await pass(8, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({ paid: 2, leftUnpaid: 0 });
  });

  test("can't pay for it with a transfer that it named for other work", async () => {
    const deal = await createDeal();
    await deliver(deal);
    const paymentTxHash = await pay(deal.requester, deal.contractor, 5n * USDC);
    const { body } = await report(deal, paymentTxHash);
    await service.waitForResolved(body.outcomeId);
    await pass(8, deal);
    await search();
    expect(await recordOf(deal.requester)).toMatchObject({ ordered: 2, paid: 1, leftUnpaid: 1 });
  });

  describe("and pays by the agreement's digest", () => {
    const payBy = async (
      id: string,
      deal: Deal,
      changes: Partial<Parameters<typeof authorizeTransfer>[2]> = {},
    ) => {
      const { digest } = (await findRow(id)) ?? expect.fail();
      const transfer = { to: deal.contractor.wallet, amountMicro: 5n * USDC, nonce: digest as Hex };
      const { account } = deal.requester;
      const call = await authorizeTransfer(local, account, { ...transfer, ...changes });
      return sendDirectly(local.chain, account, call);
    };
    const readPayment = async (id: string, { apiKey: key }: TestAgent) =>
      (await service.call("GET", `/agreements/${id}`, { key })).body.deliveryPaymentTxHash;
    const find = () => findTransfers(service.runtime.core);

    test("is known to both to have paid by the next search, and pays once", async () => {
      const deal = await createDeal();
      const agreementId = await deliver(deal);
      const { status, transactionHash } = await payBy(agreementId, deal);
      expect([status, (await payBy(agreementId, deal)).status]).toEqual(["success", "reverted"]);
      await Promise.all([find(), find(), find()]);
      for (const party of [deal.contractor, deal.requester])
        expect(await readPayment(agreementId, party)).toBe(transactionHash);
      expect(await recordOf(deal.requester)).toMatchObject({ paid: 1, leftUnpaid: 0 });
      await pass(8, deal);
      expect(await search()).toBe(0);
    });

    test("also before the verdict, and until the daily search takes over, which ends too", async () => {
      const deal = await createDeal();
      const { core } = service.runtime;
      const unjudged = { status: "DELIVERED", endedAt: new Date() } as const;
      const { id: early } = await insertAgreement(core, deal, {}, unjudged);
      const first = await payBy(early, deal);
      await find();
      expect(await readPayment(early, deal.contractor)).toBe(first.transactionHash);
      const inTime = await deliver(deal);
      await pass(6, deal);
      const second = await payBy(inTime, deal);
      await find();
      expect(await readPayment(inTime, deal.contractor)).toBe(second.transactionHash);
      const late = await deliver(deal);
      await pass(8, deal);
      await search();
      await pass(88, deal);
      const third = await payBy(late, deal);
      await find();
      expect(await readPayment(late, deal.contractor)).toBeNull();
      await search();
      expect(await readPayment(late, deal.contractor)).toBe(third.transactionHash);
      const tooLate = await deliver(deal);
      await pass(8, deal);
      await search();
      await pass(90, deal);
      await payBy(tooLate, deal);
      await Promise.all([find(), search()]);
      expect(await readPayment(tooLate, deal.contractor)).toBeNull();
    });

    test("is not searched each minute for work that is not owed", async () => {
      const deal = await createDeal();
      const failed = await deliver(deal, {}, "Danube");
      const settled = await deliver(deal);
      expect((await settle(settled, deal.contractor)).status).toBe(200);
      const unassessed = await deliver(deal);
      await service.database.db.execute(sql`
        update outcomes set assessed = false where agreement_id = ${unassessed}`);
      for (const id of [failed, settled, unassessed]) {
        await payBy(id, deal);
        await find();
        expect(await readPayment(id, deal.contractor)).toBeNull();
      }
    });

    test.each<[string, (id: string, deal: Deal) => Promise<unknown>]>([
      ["less than the value", (id, deal) => payBy(id, deal, { amountMicro: 5n * USDC - 1n })],
      ["to its own wallet", (id, deal) => payBy(id, deal, { to: deal.requester.wallet })],
      [
        "by another wallet",
        async (id, { contractor }) => payBy(id, { contractor, requester: await createRichAgent() }),
      ],
      [
        "by the contractor's own",
        (id, { contractor, requester }) =>
          payBy(id, { contractor: requester, requester: contractor }),
      ],
      [
        "by another nonce, even in one transaction with this one",
        async (id, { requester, contractor }) => {
          const transfer = { amountMicro: 5n * USDC, nonce: (await findRow(id))?.digest as Hex };
          const other = { ...transfer, to: contractor.wallet, nonce: pad("0x9") };
          const data = assembleBytecode([
            await authorizeTransfer(local, requester.account, {
              ...transfer,
              to: requester.wallet,
            }),
            await authorizeTransfer(local, requester.account, other),
          ]);
          return sendDirectly(local.chain, requester.account, { data, gas: 4_000_000n });
        },
      ],
    ])("has not paid %s", async (_, transfer) => {
      const deal = await createDeal();
      const agreementId = await deliver(deal);
      const used = await transfer(agreementId, deal);
      expect(used).toMatchObject({ status: "success" });
      await find();
      expect(await readPayment(agreementId, deal.contractor)).toBeNull();
    });

    test("has not paid before the proposal, or by a transfer that counted for something else", async () => {
      const deal = await createDeal();
      const [early, used] = [await deliver(deal), await deliver(deal)];
      await payBy(early, deal);
      const later = { proposedAt: new Date(Date.now() + 5_000) };
      await service.database.db.update(agreements).set(later).where(eq(agreements.id, early));
      const { transactionHash: txHash, ...block } = await payBy(used, deal);
      const parties = { from: deal.requester.wallet, to: deal.contractor.wallet };
      const { blockNumber, blockHash } = block;
      const chainId = local.chain.id;
      const position = { chainId, txHash, logIndex: 1, blockNumber, blockHash };
      await insertUsedTransfer(service.database.db, { ...position, ...parties });
      await find();
      for (const id of [early, used]) expect(await readPayment(id, deal.contractor)).toBeNull();
    });

    test("pays no other job, whichever search comes first, nor proves other work", async () => {
      const deal = await createDeal();
      const [older, newer] = [await deliver(deal), await deliver(deal)];
      const { transactionHash } = await payBy(newer, deal);
      await pass(8, deal);
      await search();
      await find();
      expect(await readPayment(older, deal.contractor)).toBeNull();
      expect(await readPayment(newer, deal.contractor)).toBe(transactionHash);
      expect(await recordOf(deal.requester)).toMatchObject({ paid: 1, leftUnpaid: 1 });
      const other = { paymentTxHash: transactionHash };
      expect(codes([await submit(deal, deal.contractor, other)])).toEqual(["payment-used"]);
      expect(codes([await report(deal, transactionHash)])).toEqual(["payment-used"]);
    });
  });

  test("owes nothing for work that failed, or for terms with another payment", async () => {
    const deal = await createDeal();
    await deliver(deal, {}, "Danube");
    await deliver(deal, { valueMicro: "0" });
    await pass(8, deal);
    expect(await search()).toBe(0);
    expect(await recordOf(deal.requester)).toMatchObject({
      ordered: 2,
      leftUnpaid: null,
    });
  });

  test("is cleared by the contractor alone, once and for all", async () => {
    const deal = await createDeal();
    const agreementId = await deliver(deal);
    await pass(8, deal);
    await search();
    expect((await recordOf(deal.requester)).leftUnpaid).toBe(1);
    const stranger = await service.agent({ proven: true });
    expect(codes([await settle(agreementId, deal.requester)])).toEqual(["forbidden"]);
    expect(codes([await settle(agreementId, stranger)])).toEqual(["not-found"]);
    expect((await recordOf(deal.requester)).leftUnpaid).toBe(1);
    const calls = [
      await settle(agreementId, deal.contractor),
      await settle(agreementId, deal.contractor),
    ];
    expect(codes(calls)).toEqual([200, 200]);
    expect(calls[0]?.body.settledAt).toEqual(expect.any(String));
    expect(calls[1]?.body.settledAt).toBe(calls[0]?.body.settledAt);
    // The contractor's word is no payment on chain.
    expect(await recordOf(deal.requester)).toMatchObject({ paid: 0, leftUnpaid: null });
  });

  test("can't be cleared before the delivery, after none, and under other terms", async () => {
    const deal = await createDeal();
    const { core } = service.runtime;
    const agreed = await insertAgreement(core, deal);
    const ended = await insertAgreement(
      core,
      deal,
      {},
      { status: "CANCELLED", endedAt: new Date() },
    );
    const upfront = await insertAgreement(core, deal, { payment: "upfront" });
    const calls = await Promise.all(
      [agreed, ended, upfront].map(({ id }) => settle(id, deal.contractor)),
    );
    expect(codes(calls)).toEqual(["conflict", "agreement-ended", "conflict"]);
  });

  test("can't be made to look unpaid by a contractor that delivers rubbish, and refunds it", async () => {
    const deal = await createDeal();
    const paid = async () => ({
      paymentTxHash: await pay(deal.requester, deal.contractor, 5n * USDC),
    });
    const good = await submit(deal, deal.contractor, await paid());
    await service.waitForResolved(good.body.outcomeId);
    const summary = "As a client: 1 of 1 job paid (5.00 USDC), none left unpaid, 0 disputes lost.";
    expect(await recordOf(deal.requester)).toMatchObject({ summary, refunded: 0 });
    for (const refunded of [1, 2]) {
      const rubbish = { deliverableContent: undefined, ...(await paid()) };
      const { body } = await submit(deal, deal.contractor, rubbish);
      await service.waitForResolved(body.outcomeId);
      const back = await pay(deal.contractor, deal.requester, 5n * USDC);
      expect((await refund(body.outcomeId, deal.contractor, back)).status).toBe(200);
      expect(await recordOf(deal.requester)).toMatchObject({ summary, refunded });
    }
  });

  test("has counts without judgement: expired upfront terms, and reports that were refunded", async () => {
    const deal = await createDeal();
    const ended = { status: "EXPIRED", endedAt: new Date() } as const;
    const { core } = service.runtime;
    await insertAgreement(core, deal, { payment: "upfront" }, ended);
    // Never accepted.
    await insertAgreement(core, deal, { payment: "upfront" }, { ...ended, agreedAt: null });
    const { body } = await report(deal, await pay(deal.requester, deal.contractor, 2n * USDC));
    await service.waitForResolved(body.outcomeId);
    const back = await pay(deal.contractor, deal.requester, 2n * USDC);
    expect((await refund(body.outcomeId, deal.contractor, back)).status).toBe(200);
    expect(await recordOf(deal.requester)).toMatchObject({
      summary: "No record as a client.",
      ordered: 0,
      expired: 1,
      refunded: 1,
      leftUnpaid: null,
    });
  });
});

describe("a record that is bought", () => {
  const check = async ({ wallet }: TestAgent, query = "") =>
    (await service.call("GET", `/agents/${wallet}/check${query}`)).body;

  /** Creates a client that the operator knows. */
  async function createAnchor(): Promise<TestAgent> {
    const client = await createRichAgent();
    const { wallet } = client;
    await addAnchor(service.runtime.core, { wallet, until: null, reason: null, now: new Date() });
    await waitFor(async () => {
      const rows = await service.database.db
        .select()
        .from(anchors)
        .where(eq(anchors.wallet, wallet));
      return rows[0]?.seq !== null;
    });
    return client;
  }

  /** Submits a job and waits for its verdict. */
  async function record(deal: Deal, by: TestAgent, changes: object) {
    const { status, body } = await submit(deal, by, changes);
    expect(status, JSON.stringify(body)).toBe(202);
    return service.waitForResolved(body.outcomeId);
  }

  async function recordPaid(deal: Deal, by: TestAgent, usdc: number, changes: object) {
    const paymentTxHash = await pay(deal.requester, deal.contractor, BigInt(usdc * 1e6));
    return record(deal, by, { ...ASSESSED_WORK, valueUsdc: usdc, paymentTxHash, ...changes });
  }

  /** Lends one amount to each wallet in turn, which pays it to `contractor`, all in one transaction. */
  async function payByFlashLoan(contractor: TestAgent, payers: TestAgent[], micro: bigint) {
    const lender = await createRichAgent();
    const { client } = local.chain;
    const nonce = await client.getTransactionCount(lender.account);
    const spender = getContractAddress({ from: lender.wallet, nonce: BigInt(nonce + 1) });
    for (const { account } of [lender, contractor, ...payers])
      await sendDirectly(
        local.chain,
        account,
        encodeUsdcCall(local, "approve", [spender, 100n * micro]),
      );
    const holders = [lender, ...payers.flatMap((payer) => [payer, contractor]), lender];
    const data = assembleBytecode(
      holders.slice(1).map(({ wallet }, index) => {
        return encodeUsdcCall(local, "transferFrom", [holders[index]?.wallet, wallet, micro]);
      }),
    );
    return sendDirectly(local.chain, lender.account, { data, gas: 4_000_000n });
  }

  test("by a flash loan and three small jobs for an anchor is worth nothing", async () => {
    const [scammer, anchor] = [await createRichAgent(), await createAnchor()];
    const payers: TestAgent[] = [];
    for (let n = 0; n < 9; n += 1) payers.push(await createRichAgent());
    const { status, transactionHash } = await payByFlashLoan(scammer, payers, 100n * USDC);
    expect(status).toBe("success");
    const invented = { ...ASSESSED_WORK, valueUsdc: 100, paymentTxHash: transactionHash };
    for (const requester of payers)
      await record({ contractor: scammer, requester }, scammer, invented);
    for (let n = 0; n < 3; n += 1)
      await recordPaid({ contractor: scammer, requester: anchor }, anchor, 2, {});
    const asked = await check(scammer, "?valueUsdc=60");
    expect(asked.recommendation).toMatchObject({ action: "use-escrow", limitUsdc: 0 });
    expect(asked.limit).toMatchObject({
      limitUsdc: 0,
      earnedUsdc: 0,
      clients: [{ walletAddress: anchor.wallet, paidUsdc: 6 }],
    });
    expect((await check(scammer)).recommendation.action).toBe("use-escrow");
  }, 120_000);

  test("from two anchors is worth at most 1,000 USDC, and nothing by verdicts of 0.5", async () => {
    const [rich, vague] = [await createRichAgent(), await createRichAgent()];
    const clients = [await createAnchor(), await createAnchor()];
    for (const requester of clients) {
      const minted = encodeUsdcCall(local, "mint", [requester.wallet, 300_000n * USDC]);
      await sendDirectly(local.chain, requester.account, minted);
      await recordPaid({ contractor: rich, requester }, requester, 100_000, {});
      // Nothing that this task asks for can be assessed.
      await recordPaid({ contractor: vague, requester }, requester, 100_000, {
        taskDescription: "Write something nice.",
        deliverableContent: "Something nice.",
      });
    }
    const { limit, recommendation } = await check(rich, "?valueUsdc=1000");
    expect(limit).toMatchObject({ limitUsdc: 1_000, earnedUsdc: 1_000 });
    expect(limit.clients.map((client: { paidUsdc: number }) => client.paidUsdc)).toEqual([
      1_000, 1_000,
    ]);
    const readIn = async (category: string) =>
      (await check(rich, `?category=${category}`)).limit.limitUsdc;
    expect([await readIn("research"), await readIn("ops")]).toEqual([1_000, 0]);
    // Two jobs reach no tier.
    expect(recommendation.action).toBe("use-escrow");
    expect((await check(vague)).limit).toMatchObject({ limitUsdc: 0, earnedUsdc: 0, clients: [] });
  }, 120_000);

  test("by free jobs with oneself does not hide paid failures", async () => {
    const [cheat, friend] = [await createRichAgent(), await createRichAgent()];
    const wrong = { deliverableContent: ASSESSED_WORK.deliverableContent.replace("+", "-") };
    for (let n = 0; n < 3; n += 1)
      await recordPaid({ contractor: cheat, requester: await createRichAgent() }, cheat, 10, wrong);
    expect((await check(cheat)).recommendation.action).toBe("do-not-hire");
    for (let n = 0; n < 7; n += 1)
      await record({ contractor: cheat, requester: friend }, cheat, ASSESSED_WORK);
    expect((await check(cheat)).recommendation.action).toBe("do-not-hire");
  }, 120_000);

  test("small paid failures are a caution, not a danger", async () => {
    const honest = await createRichAgent();
    const wrong = { deliverableContent: ASSESSED_WORK.deliverableContent.replace("+", "-") };
    for (let n = 0; n < 3; n += 1)
      await recordPaid(
        { contractor: honest, requester: await createRichAgent() },
        honest,
        1,
        wrong,
      );
    const { risk, recommendation } = await check(honest);
    expect(recommendation.action).toBe("use-escrow");
    expect(risk.flags).toContainEqual(
      expect.objectContaining({ risk: "failures-in-a-row", severity: "caution" }),
    );
  }, 120_000);

  test("is not lent out twice: signed upfront agreements reserve the limit", async () => {
    const [agent, client] = [await createRichAgent(), await createRichAgent()];
    const { core } = service.runtime;
    const propose = async (changes: Partial<Terms>) => {
      const deal = { contractor: agent, requester: client };
      const terms = buildTerms(core.chain, deal, { valueMicro: "40000000", ...changes });
      const signature = await signTerms(core.chain, client.account, terms);
      const body = { terms, signature };
      const proposed = await service.call("POST", "/agreements", { key: client.apiKey, body });
      expect(proposed.status, proposed.text).toBe(201);
      return { id: proposed.body.agreementId as string, terms };
    };
    const accept = async ({ id, terms }: Awaited<ReturnType<typeof propose>>) => {
      const body = { signature: await signTerms(core.chain, agent.account, terms) };
      const { status } = await service.call("POST", `/agreements/${id}/accept`, {
        key: agent.apiKey,
        body,
      });
      expect(status).toBe(200);
    };
    const readReserved = async (query?: string) => (await check(agent, query)).limit.reservedUsdc;
    await accept(await propose({ payment: "on-delivery" }));
    const upfront = await propose({ payment: "upfront" });
    expect(await readReserved()).toBe(0);
    await accept(upfront);
    expect(await readReserved()).toBe(40);
    expect(await readReserved(`?agreementId=${upfront.id}`)).toBe(0);
    const askAbout = (wallet: string, agreementId: string) =>
      service.call("GET", `/agents/${wallet}/check?agreementId=${agreementId}`);
    expect(
      codes([
        await askAbout(agent.wallet, randomUUID()),
        await askAbout(client.wallet, upfront.id),
      ]),
    ).toEqual(["not-found", "not-found"]);
    await accept(await propose({ payment: "upfront" }));
    expect(await readReserved(`?agreementId=${upfront.id}`)).toBe(40);
  });

  /** Creates a trusted agent with a limit of 900 USDC. */
  async function createTrusted(): Promise<TestAgent> {
    const agent = await createRichAgent();
    for (let n = 0; n < 3; n += 1) {
      const requester = await createAnchor();
      await recordPaid({ contractor: agent, requester }, requester, 450, {});
    }
    // It takes weeks to earn.
    const score = { scoreE4: 800_000, tier: "TRUSTED" } as const;
    const isOwn = eq(reputations.wallet, agent.wallet);
    await service.database.db.update(reputations).set(score).where(isOwn);
    return agent;
  }

  /** Proposes upfront terms over 900 USDC. */
  async function offer(deal: Deal, by: TestAgent): Promise<string> {
    const { chain } = service.runtime.core;
    const terms = buildTerms(chain, deal, { payment: "upfront", valueMicro: "900000000" });
    const body = { terms, signature: await signTerms(chain, by.account, terms) };
    const {
      status,
      text,
      body: proposed,
    } = await service.call("POST", "/agreements", {
      key: by.apiKey,
      body,
    });
    expect(status, text).toBe(201);
    return proposed.agreementId;
  }
  const end = (agreementId: string, how: "cancel" | "decline", by: TestAgent) =>
    service.call("POST", `/agreements/${agreementId}/${how}`, { key: by.apiKey, body: {} });

  test("is not lent out twice by offers that it signed alone, nor by those that were withdrawn", async () => {
    const contractor = await createTrusted();
    const clients = await Promise.all([1, 2, 3].map(createRichAgent));
    const [first, second, third] = clients as [TestAgent, TestAgent, TestAgent];
    const ask = async (agreementId: string) => {
      const asked = await check(contractor, `?valueUsdc=900&agreementId=${agreementId}`);
      return [asked.recommendation.action, asked.limit.reservedUsdc];
    };
    const offers = [await offer({ contractor, requester: first }, contractor)];
    const [own = ""] = offers;
    // Its own offer doesn't lower what a client is told.
    expect(await ask(own)).toEqual(["hire", 0]);

    const other = await offer({ contractor, requester: second }, contractor);
    expect([await ask(own), await ask(other)]).toEqual(Array(2).fill(["use-escrow", 900]));
    const { recommendation } = await check(contractor, "?valueUsdc=900");
    expect(recommendation.summary).toBe(
      "Use escrow: its record covers no payment; agreements that it signed reserve 1,800.",
    );
    expect((await end(own, "cancel", contractor)).status).toBe(200);
    expect(await ask(other)).toEqual(["use-escrow", 900]);
    expect((await end(other, "decline", second)).status).toBe(200);
    const last = await offer({ contractor, requester: third }, contractor);
    expect(await ask(last)).toEqual(["use-escrow", 1_800]);

    // Nothing can be paid any more once blocks after `startBy` were searched.
    const startBy = new Date(Date.now() - DAY_MS / 24);
    const isTheirs = eq(agreements.contractor, contractor.wallet);
    await service.database.db.update(agreements).set({ startBy }).where(isTheirs);
    await findTransfers(service.runtime.core);
    expect(await ask(last)).toEqual(["hire", 0]);
  }, 120_000);

  test("is not used up by terms that only others signed", async () => {
    const [contractor, requester] = [await createRichAgent(), await createRichAgent()];
    const declined = await offer({ contractor, requester }, requester);
    await offer({ contractor, requester }, requester);
    expect((await end(declined, "decline", contractor)).status).toBe(200);
    expect((await check(contractor)).limit.reservedUsdc).toBe(0);
  });
});
