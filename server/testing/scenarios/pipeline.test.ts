import { createHmac } from "node:crypto";
import { type AddressInfo, createServer } from "node:net";
import { eq, sql } from "drizzle-orm";
import { Webhook } from "standardwebhooks";
import type { Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { judgements, modelStates } from "@/server/judging/tables";
import { HOUR_MS } from "@/server/lib/time";
import { requeue, requeueOverdue } from "@/server/operations/requeue";
import { outcomes } from "@/server/outcomes/tables";
import { unjudgedOutcomes } from "@/server/outcomes/work";
import { computeScore } from "@/server/reputation/score/score";
import { ledgerRecords } from "@/server/reputation/tables";
import { readChainLedger } from "@/server/testing/chain/chain";
import { waitAndHasten, waitFor, waitForEndedRuns } from "@/server/testing/engine/engine";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { ASSESSED_WORK, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import {
  createAnswer,
  type ModelReply,
  type ModelRequest,
  parseMaterial,
  startScriptedModel,
} from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";

const CONTENT = "The Rhine, the Loire and the Vistula are rivers of Europe.";
const WORK = { deliverableContent: CONTENT, valueUsdc: 12.5 };

const row = async (service: TestService, outcomeId: string) =>
  (await service.database.db.select().from(outcomes).where(eq(outcomes.id, outcomeId)))[0];

const reputationOf = async (service: TestService, wallet: string) =>
  (await service.call("GET", `/reputation/${wallet}`)).body;

describe("an outcome", () => {
  let service: TestService;
  let other: TestService;
  let receiver: Receiver;
  beforeAll(async () => {
    service = await startTestService();
    other = await startTestService({ sharedWith: service });
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
    await other.close();
    await service.close();
  });

  test("reaches the chain, the ledger, the score and the webhooks of its parties", async () => {
    const contractor = await service.agent({ proven: true });
    const { body: hook } = await service.call("POST", "/webhooks", {
      key: contractor.apiKey,
      body: { url: receiver.url, events: ["outcome.resolved", "score.updated"] },
    });
    // Both instances cache their results until they learn of changes.
    await waitFor(async () => {
      const [listening] = await service.database.db.sql`
        select count(*)::int as instances from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`;
      return listening?.instances >= 2;
    });
    let before = await reputationOf(other, contractor.wallet);
    expect(before).toMatchObject({ tier: "UNRANKED", totalOutcomes: 0, lastUpdated: null });

    for (const n of [1, 2, 3]) {
      const outcomeId = await service.submit(contractor, { ...ASSESSED_WORK, valueUsdc: 12.5 });
      const requests = await receiver.waitFor(2 * n);
      // The other instance learns of the change about when the callback arrives.
      await waitFor(async () => (await reputationOf(other, contractor.wallet)).totalOutcomes === n);
      const after = await reputationOf(other, contractor.wallet);
      expect(after.score).toBeGreaterThan(before.score);
      const outcome = await service.waitForResolved(outcomeId);

      const received = requests.slice(-2).map(({ body, headers }) => {
        const text = body.toString("utf8");
        expect(
          new Webhook(hook.secret).verify(text, headers as Record<string, string>),
        ).toBeTruthy();
        const hmac = createHmac("sha256", hook.secret).update(body).digest("hex");
        expect(headers["x-service-signature"]).toBe(`sha256=${hmac}`);
        return JSON.parse(text);
      });
      const dataOf = (event: string) => received.find((payload) => payload.event === event)?.data;
      expect(dataOf("outcome.resolved")).toEqual({
        ...outcome,
        agentAddress: contractor.wallet,
        scoreImpact: Math.round((after.score - before.score) * 100) / 100,
      });
      expect(dataOf("score.updated")).toEqual({
        ...after,
        previousScore: before.score,
        version: n,
      });

      const { logs } = await service.runtime.core.chain.client.getTransactionReceipt({
        hash: outcome.onChainTx as Hex,
      });
      const recorded = decodeRecords(logs, service.chain.registryAddress)[
        outcome.recordIndex ?? -1
      ];
      expect(recorded?.record).toEqual({
        type: "outcome",
        id: outcomeId,
        seq: n,
        contractor: contractor.wallet,
        requester: outcome.requesterAgentAddress,
        category: "research",
        valueMicro: 12_500_000,
        paidMicro: 0,
        submittedBy: "contractor",
        proven: true,
        agreed: false,
        verdict: outcome.verdict,
        confPpm: Math.round((outcome.llmConfidence ?? 0) * 1e6),
        resolvedAt: Date.parse(outcome.resolvedAt ?? "") / 1000,
        evidenceHash: outcome.evidenceHash,
      });
      const kept = await service.database.db
        .select()
        .from(ledgerRecords)
        .where(eq(ledgerRecords.outcomeId, outcomeId));
      expect(kept).toMatchObject([
        { record: recorded?.record, txHash: outcome.onChainTx, logIndex: 0 },
      ]);

      // The chain alone is enough to compute the same score.
      const score = computeScore(
        await readChainLedger(service.chain),
        contractor.wallet,
        Date.now() / 1000,
      );
      expect(after.score).toBe(Math.floor(score.scoreE4 / 100) / 100);
      const history = await service.call("GET", `/reputation/${contractor.wallet}/history`);
      expect(history.body.totalElements).toBe(n);
      expect(history.body.content[0]).toMatchObject({
        version: n,
        score: after.score,
        previousScore: before.score,
        cause: "outcome",
        outcomeId,
      });
      before = after;
    }
    expect(receiver.requests).toHaveLength(6);
  });

  test("is requeued once if its run was lost", async () => {
    const agent = await service.agent();
    const lost = await insertPendingOutcome(service.database, agent, {
      deliverableContent: CONTENT,
    });
    const fresh = await insertPendingOutcome(service.database, agent, {
      deliverableContent: CONTENT,
    });
    const anHourLater = new Date(Date.now() + HOUR_MS);
    const { core } = service.runtime;
    await service.database.db
      .update(outcomes)
      .set({ submittedAt: anHourLater })
      .where(eq(outcomes.id, fresh.id));
    expect(
      await Promise.all([1, 2].map(() => requeueOverdue(core, unjudgedOutcomes, anHourLater))),
    ).toEqual([1, 1]);
    expect((await service.waitForResolved(lost.id)).verdict).toBe("SUCCESS");
    expect(await requeueOverdue(core, unjudgedOutcomes, anHourLater)).toBe(0);
    const [runs] = await service.database.db.execute<{ count: number }>(sql`
      select count(*)::int from engine_runs r join engine_events e on e.id = r.event_id
      where r.function_id = 'standing-judge-outcome' and e.data->>'outcomeId' = ${lost.id}`);
    expect(runs?.count).toBe(1);
    const ids = (await readChainLedger(service.chain)).map((record) => "id" in record && record.id);
    expect(ids.filter((id) => id === lost.id)).toHaveLength(1);
    expect((await row(service, fresh.id))?.status).toBe("EVALUATING");
  });

  test("fails after four tries, within about a minute, if its deliverable cannot be fetched", async () => {
    let tried = 0;
    const gone = createServer((socket) => {
      tried += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => gone.listen(0, "127.0.0.1", listening));
    const { port } = gone.address() as AddressInfo;
    const outcomeId = await service.submit(await service.agent(), {
      deliverableContent: undefined,
      deliverableUrl: `http://127.0.0.1:${port}/report.txt`,
    });
    // Each waiting retry is read, then made due: none waits longer than half a minute.
    const waits: number[] = [];
    await waitFor(async () => {
      const moved = await service.database.db.sql<{ seconds: number }[]>`
        with waiting as (
          select run_id, extract(epoch from due_at - now())::float8 as seconds from engine_jobs
          where function_id = 'standing-judge-outcome' and state = 'sleeping' and due_at > now()
        )
        update engine_jobs j set due_at = now() from waiting
        where j.run_id = waiting.run_id returning seconds`;
      waits.push(...moved.map(({ seconds }) => seconds));
      const { body } = await service.call("GET", `/outcome/${outcomeId}`);
      return body.status === "RESOLVED";
    });
    expect(Math.max(...waits)).toBeLessThanOrEqual(31);
    const { verdict, llmJudgeReasoning } = await service.waitForResolved(outcomeId);
    expect(verdict).toBe("FAILURE");
    expect(llmJudgeReasoning).toMatch(/could not be/i);
    expect(tried).toBe(4);
    gone.close();
  });
});

const readMaterial = ({ body }: ModelRequest) => parseMaterial(body.messages.at(-1)?.content ?? "");

/** Replies as a model that accepts the work. */
const candid = (request: ModelRequest): ModelReply => createAnswer(readMaterial(request));

describe("a judge that cannot decide", () => {
  let model: Awaited<ReturnType<typeof startScriptedModel>>;
  let service: TestService;
  let reply: ModelReply | typeof candid = { status: 500 };
  beforeAll(async () => {
    model = await startScriptedModel({
      answer: (request) => (typeof reply === "function" ? reply(request) : reply),
    });
    service = await startTestService({
      env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "a-key", JUDGE_MODEL: "a-model" },
    });
  });
  afterAll(async () => {
    await service.close();
    await model.close();
  });

  test("leaves the outcome evaluating until it can decide, without a fallback to another judge", async () => {
    const agent = await service.agent();
    const outcomeId = await service.submit(agent, WORK);
    const { db } = service.database;
    /** Starts one more run, whose turn it is to probe the model. */
    const startRun = async (cause: string) => {
      await db.update(modelStates).set({ probeAt: sql`now()` });
      await requeue(service.runtime.core, unjudgedOutcomes, { now: new Date(), cause });
    };
    const troubles: ModelReply[] = [
      { status: 500 },
      { content: "I think it is fine." },
      { status: 429, headers: { "retry-after": "3000" } },
    ];
    await waitForEndedRuns(db, "judge-outcome");
    for (const [index, trouble] of troubles.entries()) {
      reply = trouble;
      const before = model.requests.length;
      await startRun(`trouble-${index}`);
      const runs = await waitForEndedRuns(db, "judge-outcome", 2 + index);
      expect(runs.every(({ status }) => status === "completed")).toBe(true);
      await waitFor(async () => model.requests.length > before);
      expect((await service.call("GET", `/outcome/${outcomeId}`)).body.status).toBe("EVALUATING");
      expect(await row(service, outcomeId)).toMatchObject({ judgedAt: null, verdict: null });
      expect(await db.select().from(judgements)).toEqual([]);
    }
    // The endpoint's wait is respected, up to five minutes.
    await waitFor(async () => {
      const [state] = await db.select().from(modelStates);
      return Number(state?.probeAt) - Date.now() > 250_000;
    });
    reply = candid;
    await startRun("repaired");
    expect(await service.waitForResolved(outcomeId)).toMatchObject({
      verdict: "SUCCESS",
      judge: { kind: "llm", id: "a-model" },
    });
  });

  const isOnWork = (request: ModelRequest) => readMaterial(request).deliverable.includes("Vistula");
  const undecided = (request: ModelRequest): ModelReply =>
    createAnswer(readMaterial(request), isOnWork(request) ? "unclear" : "yes");
  const refusing = (request: ModelRequest): ModelReply =>
    isOnWork(request) ? { content: "", refusal: "I can't read that." } : candid(request);

  test.each([
    ["every model refuses to read", refusing, /no usable answer/],
    ["no model can decide about", undecided, /could not tell/],
  ])("fails agreed work that %s, without weight", async (_, model, reason) => {
    const contractor = await service.agent({ proven: true });
    const requester = await service.agent({ proven: true });
    const parties = { contractor, requester };
    const criteria = ["Names a river"];
    const { id } = await insertAgreement(service.runtime.core, parties, { criteria });
    reply = model;
    const body = { agreementId: id, deliverableContent: CONTENT };
    const sent = await service.call("POST", "/outcome", { key: contractor.apiKey, body });
    const { outcomeId } = sent.body;
    await waitAndHasten(
      service.database.db,
      "judge-outcome",
      async () => (await row(service, outcomeId))?.status === "RESOLVED",
    );
    const resolved = await service.waitForResolved(outcomeId);
    expect(resolved).toMatchObject({
      verdict: "FAILURE",
      finalVerdict: "FAILURE",
      llmConfidence: 0.5,
      assessed: false,
      agreed: true,
    });
    expect(resolved.llmJudgeReasoning).toMatch(/^The requirement holds\.\nNot assessed \(FAILURE/);
    expect(resolved.llmJudgeReasoning).toMatch(reason);
    expect(resolved.evidence?.agreement?.requirements).toMatchObject([{ passed: true }]);
  });

  test("is not asked about an empty deliverable", async () => {
    const asked = model.requests.length;
    const id = await service.submit(await service.agent(), { deliverableContent: " " });
    expect(await service.waitForResolved(id)).toMatchObject({
      verdict: "FAILURE",
      judge: { kind: "gate" },
    });
    expect(model.requests).toHaveLength(asked);
  });
});
