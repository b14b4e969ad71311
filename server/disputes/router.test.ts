import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { generatePrivateKey } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sha256 } from "@/server/lib/hash";
import {
  fund,
  getServiceChain,
  type LocalPayments,
  payUsdc,
} from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { startReceiver } from "@/server/testing/http/receiver";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { webhookPayloads } from "@/server/webhooks/schema";
import { disputeSchema } from "./schema";
import { disputes } from "./tables";

let service: TestService;
let local: LocalPayments;
let contractor: TestAgent;
let requester: TestAgent;
let outcomeId: string;
beforeAll(async () => {
  service = await startTestService({ env: { DISPUTE_RESPONSE_WINDOW: "1d" } });
  local = getServiceChain(service);
});
afterAll(() => service.close());
beforeEach(async () => {
  [contractor, requester] = [await service.agent({ proven: true }), await service.agent()];
  for (const { wallet } of [contractor, requester]) await fund(local, wallet);
  const { body } = await service.call("POST", "/outcome", {
    key: contractor.apiKey,
    body: {
      contractorAgentAddress: contractor.wallet,
      requesterAgentAddress: requester.wallet,
      taskDescription: "Name three rivers of Europe.",
      taskCategory: "research",
      deliverableContent: "The Rhine, the Loire and the Vistula.",
      valueUsdc: 12.5,
    },
  });
  ({ outcomeId } = await service.waitForResolved(body.outcomeId));
});

const paid = async (by: TestAgent) =>
  (await payUsdc(local, by.account, local.chain.stakeAddress, 500_000n)).transactionHash;

const open = (by: { apiKey?: string }, body: object) =>
  service.call("POST", "/disputes", { body, ...(by.apiKey ? { key: by.apiKey } : {}) });
const stake = (by: { apiKey?: string }, disputeId: string, body: object) =>
  service.call("POST", `/disputes/${disputeId}/stake`, {
    body,
    ...(by.apiKey ? { key: by.apiKey } : {}),
  });
const get = (disputeId: string, key?: string) =>
  service.call("GET", `/disputes/${disputeId}`, key ? { key } : {});

const challenge = async () => ({
  outcomeId,
  reason: "It names only two rivers.",
  stakePaymentTxHash: await paid(requester),
});

const refusal = ({ status, body }: CallResult) => [status, body.code];

describe("a dispute", () => {
  test("is opened, answered, announced to both parties, and decided", async () => {
    const receivers = await Promise.all([startReceiver(), startReceiver()]);
    for (const [index, { apiKey: key }] of [contractor, requester].entries()) {
      const created = await service.call("POST", "/webhooks", {
        key,
        body: { url: receivers[index]?.url, events: ["dispute.opened", "dispute.resolved"] },
      });
      expect(created.status).toBe(201);
    }
    const first = await challenge();
    const opened = await open(requester, first);
    expect(opened.status).toBe(201);
    const { disputeId, expiresAt } = opened.body;
    expect(opened.body).toEqual({
      disputeId,
      status: "OPEN",
      stakeUsdc: "0.50",
      expiresAt,
      disputeReview: "checks-only",
    });
    const network = await service.call("GET", "/network");
    expect(network.body.disputeReview).toBe("checks-only");
    expect(opened.headers.get("Location")).toBe(`/api/v1/disputes/${disputeId}`);
    expect(opened.headers.get("RateLimit-Policy")).toBe('"dispute";q=5;w=60');

    const seen = await get(disputeId);
    expect(seen.status).toBe(200);
    expect(seen.headers.get("Cache-Control")).toBe("public, no-cache");
    expect(seen.body).toMatchObject({
      outcomeId,
      status: "OPEN",
      phase: "awaiting-answer",
      openedBy: "requester",
      expiresAt,
      stakes: [
        { party: "requester", state: "held", paymentTxHash: first.stakePaymentTxHash },
        { party: "contractor", state: "none", paymentTxHash: null },
      ],
      statements: [{ party: "requester", text: "It names only two rivers." }],
    });
    expect((await service.call("GET", `/outcome/${outcomeId}`)).body).toMatchObject({
      disputeId,
      verdict: "SUCCESS",
      finalVerdict: "SUCCESS",
    });

    const answered = await stake(contractor, disputeId, {
      stakePaymentTxHash: await paid(contractor),
      statement: "It names three.",
    });
    expect(answered.status).toBe(200);
    expect(answered.headers.get("RateLimit-Policy")).toBe('"stake";q=5;w=60');
    expect(answered.body).toMatchObject({
      disputeId,
      stakes: [{ party: "requester" }, { party: "contractor", amountUsdc: 0.5 }],
      statements: [{ party: "requester" }, { party: "contractor", text: "It names three." }],
    });
    expect(answered.body.phase).not.toBe("awaiting-answer");

    const decided = await waitFor(async () => {
      const { body } = await get(disputeId);
      return body.status === "RESOLVED" && body;
    });
    expect(disputeSchema.parse(decided)).toEqual(decided);
    for (const receiver of receivers) {
      const deliveries = await receiver.waitFor(2);
      const payloads = deliveries.map(({ body }) => JSON.parse(body.toString()));
      const of = (event: string) => payloads.find((payload) => payload.event === event);
      for (const event of ["dispute.opened", "dispute.resolved"] as const) {
        expect(webhookPayloads[event].payload.parse(of(event))).toEqual(of(event));
        expect(of(event).data.disputeId).toBe(disputeId);
      }
      expect(of("dispute.resolved").data).toMatchObject({
        status: "RESOLVED",
        verdict: decided.verdict,
        agentAddress: contractor.wallet,
        scoreImpact: expect.any(Number),
      });
      await receiver.close();
    }
  });

  test("is opened and answered once under an Idempotency-Key, even by requests at once", async () => {
    const headers = { "Idempotency-Key": "a key" };
    const post = async (path: string, { apiKey: key }: TestAgent, body: object) => {
      const send = () => service.call("POST", path, { key, body, headers });
      const all = [...(await Promise.all([send(), send(), send()])), await send(), await send()];
      expect(new Set(all.map(({ text }) => text)).size).toBe(1);
      const replayed = all.map((result) => result.headers.get("Idempotent-Replayed"));
      expect(replayed.filter((value) => value === null)).toHaveLength(1);
      return all.at(-1) as CallResult;
    };
    const opened = await post("/disputes", requester, await challenge());
    const { disputeId } = opened.body;
    expect(opened.status).toBe(201);
    expect(opened.headers.get("Location")).toBe(`/api/v1/disputes/${disputeId}`);
    expect(opened.headers.get("RateLimit")).toMatch(/^"dispute";r=4;/);
    const answer = { stakePaymentTxHash: await paid(contractor), statement: "It names three." };
    const answered = await post(`/disputes/${disputeId}/stake`, contractor, answer);
    expect(answered.body.statements).toHaveLength(2);
  });

  test("shows the salt of its evidence hashes to verified parties only", async () => {
    const evidence = await startReceiver({
      answer: () => (response) =>
        void response.writeHead(200, { "content-type": "text/plain" }).end("A list."),
    });
    const opened = await open(requester, { ...(await challenge()), evidenceUrl: evidence.url });
    await evidence.close();
    const { disputeId } = opened.body;
    const stranger = await service.agent({ proven: true });
    for (const key of [undefined, requester.apiKey, stranger.apiKey]) {
      const seen = await get(disputeId, key);
      expect(seen.body).not.toHaveProperty("private");
      expect(seen.headers.get("Cache-Control")).toBe(
        key ? "private, no-store" : "public, no-cache",
      );
    }
    const { body } = await get(disputeId, contractor.apiKey);
    const salt = Buffer.from(body.private.salt, "hex");
    expect(salt).toHaveLength(16);
    const bare = Buffer.from(sha256("A list.").slice(2), "hex");
    expect(body.statements[0].evidenceHash).toBe(sha256(Buffer.concat([salt, bare])));
  });

  test("is judged by the deliverable that the contractor supplies for an empty one of the requester", async () => {
    const submitted = await service.call("POST", "/outcome", {
      key: requester.apiKey,
      body: {
        contractorAgentAddress: contractor.wallet,
        requesterAgentAddress: requester.wallet,
        taskDescription: "Name three rivers of Europe.",
        taskCategory: "research",
        deliverableContent: "",
        valueUsdc: 12.5,
      },
    });
    const failed = await service.waitForResolved(submitted.body.outcomeId);
    expect(failed.verdict).toBe("FAILURE");
    const deliverableContent = "The Rhine, the Loire and the Vistula.";
    const opened = await open(contractor, {
      outcomeId: failed.outcomeId,
      reason: "I delivered this list.",
      deliverableContent,
      stakePaymentTxHash: await paid(contractor),
    });
    expect(opened.status).toBe(201);
    const { disputeId } = opened.body;
    const seen = await get(disputeId);
    expect(seen.text).not.toContain("Loire");
    const { deliverableHash } = seen.body.statements[0];

    expect((await get(disputeId, requester.apiKey)).text).not.toContain("Loire");
    const { body } = await get(disputeId, contractor.apiKey);
    expect(body.private.deliverableContent).toBe(deliverableContent);
    const salt = Buffer.from(body.private.salt, "hex");
    const bare = Buffer.from(sha256(deliverableContent).slice(2), "hex");
    expect(deliverableHash).toBe(sha256(Buffer.concat([salt, bare])));

    await stake(requester, disputeId, {
      stakePaymentTxHash: await paid(requester),
      statement: "I never saw that list.",
    });
    const decided = await waitFor(async () => {
      const now = await get(disputeId);
      return now.body.status === "RESOLVED" && now.body;
    });
    expect(decided).toMatchObject({
      verdict: "CONTRACTOR_WINS",
      finalVerdict: "SUCCESS",
      evidence: { deliverableHash },
    });
    expect(decided.reason).toContain("the contractor supplied in the dispute");
  });

  test("is opened and answered over MCP by agents that only know what the tools tell", async () => {
    const call = async (by: TestAgent, name: string, args: object) => {
      const response = await fetch(service.base.replace("/api/v1", "/mcp"), {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-API-Key": by.apiKey },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name, arguments: args },
        }),
      });
      const [, data = ""] = /^data: (.*)$/m.exec(await response.text()) ?? [];
      return JSON.parse(data).result;
    };
    const pay = async (by: TestAgent, name: string, args: object) => {
      const refused = await call(by, name, args);
      const { code, stake } = JSON.parse(refused.content[0].text);
      expect(code).toBe("invalid-request");
      const micro = BigInt(Number(stake.stakeUsdc) * 1_000_000);
      const { transactionHash } = await payUsdc(local, by.account, stake.stakeAddress, micro);
      return call(by, name, { ...args, stakePaymentTxHash: transactionHash });
    };
    const challenged = { outcomeId, reason: "It names only two rivers." };
    const opened = await pay(requester, "open_dispute", challenged);
    const { disputeId } = opened.structuredContent;
    const statement = "It names three.";
    const answered = await pay(contractor, "answer_dispute", { disputeId, statement });
    expect(answered.structuredContent).toMatchObject({
      disputeId,
      stakes: [
        { party: "requester", state: "held" },
        { party: "contractor", state: "held" },
      ],
      untrusted: { "#/statements/1/text": statement },
    });
  });

  test("with malformed evidence is read without it", async () => {
    const opened = await open(requester, await challenge());
    const { disputeId } = opened.body;
    await service.database.db
      .update(disputes)
      .set({
        status: "RESOLVED",
        verdict: "CONTRACTOR_WINS",
        explanation: "It names three.",
        resolvedAt: new Date(),
        evidence: { disputeId: "x" } as never,
      })
      .where(eq(disputes.id, disputeId));
    const read = await get(disputeId);
    expect([read.status, read.body.disputeId]).toEqual([200, disputeId]);
    expect(read.body).not.toHaveProperty("evidence");
  });

  test.each([
    ["that does not exist", randomUUID(), 404, "not-found"],
    ["whose id is invalid", "1234", 400, "invalid-request"],
  ])("%s cannot be read or answered", async (_, id, status, code) => {
    expect(refusal(await get(id))).toEqual([status, code]);
    const answer = await stake(contractor, id, { stakePaymentTxHash: await paid(contractor) });
    expect(refusal(answer)).toEqual([status, code]);
  });
});

describe("a disputing agent", () => {
  test("needs the key of a party", async () => {
    const body = await challenge();
    expect(refusal(await open({}, body))).toEqual([401, "unauthenticated"]);
    expect(refusal(await open(await service.agent(), body))).toEqual([403, "forbidden"]);
    const { disputeId } = (await open(requester, body)).body;
    const answer = { stakePaymentTxHash: await paid(contractor) };
    expect(refusal(await stake({}, disputeId, answer))).toEqual([401, "unauthenticated"]);
    expect(refusal(await stake(await service.agent(), disputeId, answer))).toEqual([
      403,
      "forbidden",
    ]);
    expect(refusal(await open(requester, { ...body, outcomeId: randomUUID() }))).toEqual([
      404,
      "not-found",
    ]);
  });

  test("can try five times a minute, whatever the result", async () => {
    const { disputeId } = (await open(requester, await challenge())).body;
    const tries = [];
    for (let n = 0; n < 5; n++) tries.push((await open(requester, {})).status);
    expect(tries).toEqual([400, 400, 400, 400, 429]);
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push((await stake(contractor, disputeId, {})).status);
    expect(answers).toEqual([400, 400, 400, 400, 400, 429]);
  });
});

describe("fields", () => {
  test.each<[string, string, object]>([
    ["no reason", "#/reason", { reason: undefined }],
    ["a blank reason", "#/reason", { reason: " \n" }],
    ["a reason too long", "#/reason", { reason: "x".repeat(10_001) }],
    ["no payment", "#/stakePaymentTxHash", { stakePaymentTxHash: undefined }],
    ["an invalid hash", "#/stakePaymentTxHash", { stakePaymentTxHash: "0x12" }],
    ["an invalid id", "#/outcomeId", { outcomeId: "12" }],
    ["a blank deliverable", "#/deliverableContent", { deliverableContent: " \n" }],
    ["a deliverable too long", "#/deliverableContent", { deliverableContent: "x".repeat(500_001) }],
    ["a URL of another scheme", "#/evidenceUrl", { evidenceUrl: "ftp://example.org/a" }],
    ["an unknown field", "#/evidence", { evidence: "misspelt" }],
  ])("%s is refused with its pointer", async (_, pointer, changes) => {
    const called = await open(requester, {
      outcomeId,
      reason: "Two.",
      stakePaymentTxHash: generatePrivateKey(),
      ...changes,
    });
    expect(refusal(called)).toEqual([400, "invalid-request"]);
    expect(called.body.errors).toMatchObject([{ pointer }]);
  });
});
