import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agents } from "@/server/agents/tables";
import { chainTransactions } from "@/server/chain/tables";
import { outcomes } from "@/server/outcomes/tables";
import { readChainLedger } from "@/server/testing/chain/chain";
import { fund, getServiceChain, payUsdc } from "@/server/testing/chain/payments";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { waitFor, waitForEndedRuns } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildSubmission } from "@/server/testing/fixtures/outcome";
import { startReceiver } from "@/server/testing/http/receiver";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";
import { webhookAttempts, webhookDeliveries } from "@/server/webhooks/tables";

/** Generous, because two services start on a machine that may be busy. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let model: Awaited<ReturnType<typeof startScriptedModel>>;
let one: TestService;
let two: TestService;
beforeAll(async () => {
  model = await startScriptedModel({ answer: () => ({ status: 503 }) });
  one = await startTestService();
  // Loads separate modules, so that only the database and the chain are shared.
  vi.resetModules();
  const { startTestService: openAnother } = await import("@/server/testing/service");
  two = await openAnother({ sharedWith: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
  await model.close();
});

const submit = (at: TestService, { wallet, apiKey }: TestAgent) =>
  at.call("POST", "/outcome", {
    key: apiKey,
    body: buildSubmission(wallet),
  });

test("processes share one rate limit, even for concurrent requests", async () => {
  const agent = await one.agent();
  const asked = Array.from({ length: 16 }, (_, n) => submit(n % 2 ? one : two, agent));
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 202)).toHaveLength(10);
  expect(statuses.filter((status) => status === 429)).toHaveLength(6);
});

test("a nonce from one process is valid at the other, for one registration", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const { body: nonce } = await one.call("POST", "/auth/nonce", { body: {} });
  const walletProof = await signProof(account, nonce);
  const responses = await Promise.all(
    [two, one].map((at) =>
      at.call("POST", "/agents/register", {
        headers: { "X-Wallet-Address": account.address },
        body: { agentAddress: account.address, name: "An agent", walletProof },
      }),
    ),
  );
  expect(responses.filter(({ status }) => status < 300)).toHaveLength(1);
  const registered = await one.database.db
    .select()
    .from(agents)
    .where(eq(agents.wallet, account.address));
  expect(registered).toHaveLength(1);
});

test("concurrent records of two processes use consecutive nonces and are recorded once", async () => {
  const submitted = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const agent = await one.agent();
      return Promise.all([submit(one, agent), submit(two, agent)]);
    }),
  );
  const ids = submitted.flat().map(({ body }) => body.outcomeId as string);
  await Promise.all(ids.map((id, n) => (n % 2 ? one : two).waitForResolved(id)));
  const { db } = one.database;
  const sent = await db
    .select()
    .from(chainTransactions)
    .where(inArray(chainTransactions.purpose, ["record"]))
    .orderBy(chainTransactions.nonce);
  expect(sent.map(({ nonce }) => nonce)).toEqual(sent.map((_, n) => (sent[0]?.nonce ?? 0) + n));
  const recorded = (await readChainLedger(one.chain)).flatMap((record) =>
    record.type === "outcome" && ids.includes(record.id) ? [record.id] : [],
  );
  expect(recorded.sort()).toEqual([...ids].sort());
});

test("a webhook receives each event once from either process", async () => {
  const receiver = await startReceiver();
  const agent = await one.agent();
  const hook = { url: receiver.url, events: ["outcome.resolved"] };
  await one.call("POST", "/webhooks", { key: agent.apiKey, body: hook });
  const responses = await Promise.all([one, two, one, two].map((at) => submit(at, agent)));
  const ids = responses.map(({ body }) => body.outcomeId as string);
  const { db } = one.database;
  const delivered = await waitFor(async () => {
    const found = await db
      .select({ eventId: webhookDeliveries.eventId })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.status, "delivered"));
    return found.length === ids.length && found;
  });
  expect(new Set(delivered.map(({ eventId }) => eventId)).size).toBe(ids.length);
  const received = receiver.requests.map(({ body }) => JSON.parse(body.toString()).data.outcomeId);
  expect([...new Set(received)].sort()).toEqual([...ids].sort());
  // Repeated deliveries are only retries after a time-out, which are logged as attempts.
  expect(received).toHaveLength((await db.select().from(webhookAttempts)).length);
  await receiver.close();
});

test("concurrent submissions under one idempotency key share one payment", async () => {
  const [contractor, requester] = [await one.agent(), await one.agent()];
  const local = getServiceChain(one);
  await fund(local, requester.wallet);
  for (let count = 1; count <= 4; count++) {
    const payment = await payUsdc(local, requester.account, contractor.wallet, 1_000_000n);
    const body = {
      ...buildSubmission(contractor.wallet),
      requesterAgentAddress: requester.wallet,
      paymentTxHash: payment.transactionHash,
    };
    const call = { key: contractor.apiKey, headers: { "Idempotency-Key": randomUUID() }, body };
    const both = await Promise.all([one, two].map((at) => at.call("POST", "/outcome", call)));
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(both[0]?.text).toBe(both[1]?.text);
    const isTheirs = eq(outcomes.submitterAgentId, contractor.id);
    expect(await one.database.db.$count(outcomes, isTheirs)).toBe(count);
  }
});

test("a judge that fails at one process is reported as unavailable by the other", async () => {
  const env = {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "a-key",
    JUDGE_MODEL: "a-model",
  };
  const asking = await startTestService({ env });
  const other = await startTestService({ sharedWith: asking, env });
  await submit(asking, await asking.agent());
  await waitForEndedRuns(asking.database.db, "judge-outcome");
  for (const at of [asking, other]) {
    await waitFor(async () => (await at.call("GET", "/judge")).body.status === "unavailable");
  }
  await other.close();
  await asking.close();
});

test("a stopping process waits for a webhook attempt in progress, which is not repeated", async () => {
  const held: (() => void)[] = [];
  const receiver = await startReceiver({
    answer: () => (response) => void held.push(() => response.writeHead(204).end()),
  });
  const own = await startTestService();
  const agent = await own.agent();
  const hook = { url: receiver.url, events: ["outcome.resolved"] };
  await own.call("POST", "/webhooks", { key: agent.apiKey, body: hook });
  await submit(own, agent);
  await waitFor(async () => held.length === 1);
  const { db } = own.database;
  expect(await db.select().from(webhookAttempts)).toHaveLength(0);
  let stopped = false;
  const stopping = own.runtime.stop().then(() => {
    stopped = true;
  });
  // If `stop` did not wait, it would return during one of these polls and lose the attempt.
  let looks = 0;
  await waitFor(async () => {
    looks += 1;
    return stopped || looks > 50;
  });
  held[0]?.();
  await stopping;
  expect(await db.select().from(webhookAttempts)).toHaveLength(1);
  expect(receiver.requests).toHaveLength(1);
  await receiver.close();
  await own.close();
});
