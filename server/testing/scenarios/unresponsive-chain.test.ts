import { eq, inArray, isNotNull, sql } from "drizzle-orm";
import { createPublicClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { outcomes } from "@/server/outcomes/tables";
import { recordings } from "@/server/settlement/tables";
import { readChainLedger } from "@/server/testing/chain/chain";
import {
  type FaultyNode,
  OVER_RATE_LIMIT,
  startFaultyNode,
} from "@/server/testing/chain/faulty-node";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { hasten, waitAndHasten, waitFor, waitForDueJob } from "@/server/testing/engine/engine";
import { ASSESSED_WORK } from "@/server/testing/fixtures/outcome";
import { startTestService, type TestService } from "@/server/testing/service";

const areResolved = async ({ database }: TestService, ids: string[]) => {
  const rows = await database.db.select().from(outcomes).where(inArray(outcomes.id, ids));
  return rows.length === ids.length && rows.every(({ status }) => status === "RESOLVED");
};

const timesOnChain = async ({ chain }: TestService, outcomeId: string) =>
  (await readChainLedger(chain)).filter(
    (record) => record.type === "outcome" && record.id === outcomeId,
  ).length;

const reputationOf = async (service: TestService, wallet: string) =>
  (await service.call("GET", `/reputation/${wallet}`)).body;

/** Returns the score. To be polled: a process learns of a change a moment after it was made. */
const scoreOf = async (service: TestService, wallet: string): Promise<number> =>
  (await reputationOf(service, wallet)).score;

let node: FaultyNode;
let service: TestService;
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

test("outcomes stay evaluating until the chain responds and one transaction records all of them", async () => {
  const agent = await service.agent();
  node.setBehavior("hang-up");
  const ids = await Promise.all(Array.from({ length: 5 }, () => service.submit(agent)));
  await waitFor(async () => {
    const { db } = service.database;
    const judged = await db.select().from(outcomes).where(isNotNull(outcomes.judgedAt));
    return judged.length === ids.length;
  });
  await waitForDueJob(service.database.db, "record-verdicts");
  for (const id of ids) {
    const { body } = await service.call("GET", `/outcome/${id}`);
    expect(body.status).toBe("EVALUATING");
    expect(body).not.toHaveProperty("verdict");
  }
  expect((await reputationOf(service, agent.wallet)).tier).toBe("UNRANKED");

  node.setBehavior("answer");
  await waitAndHasten(service.database.db, "record-verdicts", () => areResolved(service, ids));
  const resolved = await Promise.all(ids.map((id) => service.waitForResolved(id)));
  expect(new Set(resolved.map(({ onChainTx }) => onChainTx)).size).toBe(1);
  expect(resolved.map(({ recordIndex }) => recordIndex).sort()).toEqual([0, 1, 2, 3, 4]);
  const { logs } = await createPublicClient({
    transport: http(service.chain.rpcUrl),
  }).getTransactionReceipt({
    hash: resolved[0]?.onChainTx as Hex,
  });
  const placed = decodeRecords(logs, service.chain.registryAddress);
  for (const { outcomeId, recordIndex } of resolved) {
    expect(placed[recordIndex ?? -1]?.record).toMatchObject({ id: outcomeId });
  }
  await expect.poll(() => reputationOf(service, agent.wallet)).toMatchObject({ totalOutcomes: 5 });
});

test("a node that limits requests fails no function, and one transaction records all outcomes", async () => {
  const { db } = service.database;
  const agent = await service.agent();
  // Longer than a request waits.
  node.setBehavior({ ...OVER_RATE_LIMIT, status: 429, retryAfter: "6" });
  const ids = await Promise.all(Array.from({ length: 3 }, () => service.submit(agent)));
  await waitForDueJob(db, "record-verdicts");
  // Everything that a schedule starts, and retries nothing.
  const now = new Date();
  await db.execute(sql`update engine_crons set last_tick = now() - interval '61 minutes'`);
  for (const name of ["records", "escrows", "identities"]) {
    await waitFor(async () => {
      const [run] = await db.execute(sql`
        select output from engine_runs join engine_events e on e.id = event_id
        where function_id = 'standing-do-due-work' and e.data->>'work' = ${name}
          and engine_runs.created_at >= ${now.toISOString()}::timestamptz and status = 'completed'`);
      return run;
    });
  }
  const before = node.requestedMethods.length;
  node.setBehavior({ ...OVER_RATE_LIMIT, isLate: true }, ["eth_sendRawTransaction"]);
  await waitFor(async () => {
    await hasten(db, "record-verdicts");
    return node.requestedMethods.slice(before).includes("eth_sendRawTransaction");
  });
  node.setBehavior("answer");
  await waitAndHasten(db, "record-verdicts", () => areResolved(service, ids));
  for (const id of ids) expect(await timesOnChain(service, id)).toBe(1);
  expect(await db.execute(sql`select * from engine_runs where status = 'failed'`)).toEqual([]);
});

test("a squatter's outcomes are recorded before the takeover that removes their weight", async () => {
  const account = privateKeyToAccount(generatePrivateKey());
  const register = async (walletProof?: unknown) =>
    (
      await service.call("POST", "/agents/register", {
        headers: { "X-Wallet-Address": account.address },
        body: { agentAddress: account.address, name: "An agent", walletProof },
      })
    ).body;
  const squatter = { ...(await register()), wallet: account.address };
  const settled = await service.submit(squatter, ASSESSED_WORK);
  await service.waitForResolved(settled);
  await expect.poll(() => scoreOf(service, account.address)).toBeGreaterThan(0);

  node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
  const pending = await service.submit(squatter);
  await waitFor(async () => {
    const { db } = service.database;
    const [signed] = await db.select().from(recordings).where(eq(recordings.subjectId, pending));
    return signed;
  });
  const { body: nonce } = await service.call("POST", "/auth/nonce", { body: {} });
  const owner = await register(await signProof(account, nonce));
  expect(owner.takeover).toBe(true);
  node.setBehavior("answer");
  await waitAndHasten(
    service.database.db,
    "record-verdicts",
    async () => (await scoreOf(service, account.address)) === 0,
  );

  const ledger = (await readChainLedger(service.chain)).filter(
    (record) =>
      record.type === "takeover" ||
      (record.type === "outcome" && [settled, pending].includes(record.id)),
  );
  expect(ledger.map(({ type }) => type)).toEqual(["outcome", "outcome", "takeover"]);
  const [, last, takeover] = ledger;
  if (last?.type !== "outcome" || takeover?.type !== "takeover") throw new Error("not reached");
  expect(last.proven).toBe(false);
  expect(takeover.at).toBeGreaterThan(last.resolvedAt);
  await expect
    .poll(() => reputationOf(service, account.address))
    .toMatchObject({ totalOutcomes: 2 });

  const own = await service.submit({ ...owner, wallet: account.address }, ASSESSED_WORK);
  await service.waitForResolved(own);
  await expect.poll(() => scoreOf(service, account.address)).toBeGreaterThan(0);
});

// Comes last: it ends the service and opens another in its place.
test("a failed broadcast and a crash after it lead to a single record", async () => {
  const agent = await service.agent();
  node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
  const id = await service.submit(agent);
  const first = await waitFor(async () => {
    const { db } = service.database;
    const [signed] = await db
      .select()
      .from(recordings)
      .where(inArray(recordings.subjectId, [id]));
    return signed;
  });
  await waitForDueJob(service.database.db, "record-verdicts");
  await service.runtime.stop();
  expect(await timesOnChain(service, id)).toBe(0);

  node.setBehavior("answer");
  const next = await startTestService({ sharedWith: service });
  // On start it sends the signed transaction unchanged.
  expect(await timesOnChain(next, id)).toBe(1);
  await waitAndHasten(next.database.db, "record-verdicts", () => areResolved(next, [id]));
  expect(await timesOnChain(next, id)).toBe(1);
  const again = await next.database.db
    .select()
    .from(recordings)
    .where(eq(recordings.subjectId, id));
  expect(again).toMatchObject([{ id: first.id, transactionId: first.transactionId }]);
  await next.close();
});
