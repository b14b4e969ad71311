import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { createSender } from "@/server/chain/transactions/sender";
import { explorerRanks } from "@/server/explorer/tables";
import { DAY_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { readLedger } from "@/server/reputation/queries";
import { computeScore } from "@/server/reputation/score/score";
import { ledgerRecords, reputations } from "@/server/reputation/tables";
import { recordDirectly } from "@/server/testing/chain/chain";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import { sampleOutcomes } from "@/server/testing/fixtures/random-records";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { readSettledState, sendPending } from "@/server/testing/fixtures/settled-state";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { confirmAndSettle, NotConfirmedYet, settleTransaction } from "./settle-transaction";
import { signPending } from "./sign-pending";
import { recordings } from "./tables";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const now = new Date();

const onChain = () => sendPending(bench, now);

const find = async (id: string) =>
  (await bench.core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];

const state = () => readSettledState(bench);

describe("settling a confirmed transaction", () => {
  test("counts each requester that paid once in the explorer", async () => {
    const [paying, claiming] = [createWallet(1), createWallet(2)];
    const insert = (requester: string, paidMicro: bigint) =>
      insertJudgedOutcome(bench.core, agent, { requester, paidMicro });
    await insert(paying, 1_000_000n);
    await insert(claiming, 0n);
    await settleTransaction(bench.core, await onChain());
    await insert(paying, 1_000_000n);
    await insert(createWallet(3), 1_000_000n);
    await settleTransaction(bench.core, await onChain());

    const [{ requesters } = {}] = await bench.core.db
      .selectDistinct({ requesters: explorerRanks.requesters })
      .from(explorerRanks)
      .where(eq(explorerRanks.agentId, agent.id));
    expect(requesters).toBe(2);
    const [reputation] = await bench.core.db.select().from(reputations);
    expect(reputation?.totals?.confirmedRequesters).toBe(2);
  });

  test("updates outcome, ledger, score, history and events together", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    const placed = await onChain();
    expect(await find(id)).toMatchObject({ status: "EVALUATING", onChainTx: null });
    await settleTransaction(bench.core, placed);

    const { receipt } = placed;
    const resolvedAt = new Date(Math.floor(now.getTime() / 1000) * 1000);
    expect(await find(id)).toMatchObject({
      status: "RESOLVED",
      onChainTx: receipt.transactionHash,
      recordIndex: 0,
      resolvedAt,
      finalVerdict: "SUCCESS",
      assessed: true,
    });
    const [decoded] = decodeRecords(receipt.logs, bench.core.chain.registryAddress);
    const { ledger, history } = await state();
    expect(ledger).toMatchObject([
      {
        seq: 1,
        type: "outcome",
        record: decoded?.record,
        txHash: receipt.transactionHash,
        logIndex: 0,
      },
    ]);
    const score = computeScore(
      await readLedger(bench.core.db, agent.wallet),
      agent.wallet,
      now.getTime() / 1000,
    );
    expect(score.scoreE4).toBeGreaterThan(0);
    expect(await state()).toMatchObject({ reputations: [{ ...score, version: 1 }] });
    expect(history).toMatchObject([
      { wallet: agent.wallet, version: 1, cause: "outcome", outcomeId: id, scoreE4: score.scoreE4 },
    ]);
    const published = bench.core.published;
    expect(published.map(({ id, name }) => [id, name])).toEqual([
      [`outcome-resolved:${id}`, "outcome/resolved"],
      [`score-updated:${agent.wallet}:1`, "reputation/score-updated"],
    ]);
    expect(published[0]?.data).toEqual({
      outcomeId: id,
      scoreImpact: Math.floor(score.scoreE4 / 100) / 100,
    });
  });

  test("gives each outcome its position in the transaction", async () => {
    const rows = [];
    for (let n = 0; n < 3; n++) rows.push(await insertJudgedOutcome(bench.core, agent));
    const placed = await onChain();
    await settleTransaction(bench.core, placed);
    const settled = await Promise.all(rows.map(({ id }) => find(id)));
    expect(settled.map((row) => [row?.onChainTx, row?.recordIndex])).toEqual(
      [0, 1, 2].map((index) => [placed.receipt.transactionHash, index]),
    );
    expect((await state()).reputations).toMatchObject([{ totalOutcomes: 3, version: 3 }]);
  });

  test("counts an outcome whose signer's clock was ahead", async () => {
    await insertJudgedOutcome(bench.core, agent);
    const placed = await onChain();
    const dayBefore = new Date(now.getTime() - DAY_MS);
    await settleTransaction(bench.core, { ...placed, now: dayBefore });
    expect((await state()).reputations).toMatchObject([{ totalOutcomes: 1 }]);
  });

  test("rejects a receipt with records other than those signed", async () => {
    await insertJudgedOutcome(bench.core, agent);
    const other = await onChain();
    await settleTransaction(bench.core, other);
    await insertJudgedOutcome(bench.core, agent);
    const { transactionId } = await onChain();
    const before = await state();
    for (const receipt of [other.receipt, { ...other.receipt, logs: [] }]) {
      await expect(settleTransaction(bench.core, { transactionId, receipt, now })).rejects.toThrow(
        "has no outcome",
      );
    }
    expect(await state()).toEqual(before);
  });

  test("rejects a record whose `seq` is taken", async () => {
    await insertJudgedOutcome(bench.core, agent);
    const placed = await onChain();
    await bench.core.db.insert(ledgerRecords).values({
      seq: 1,
      type: "takeover",
      record: { type: "takeover", wallet: agent.wallet, at: 1 },
      txHash: placed.receipt.transactionHash,
      logIndex: 0,
    });
    const before = await state();
    await expect(settleTransaction(bench.core, placed)).rejects.toThrow();
    expect(await state()).toEqual(before);
  });
});

const sign = () => signPending(bench.core, bench.sender, new Date());
const settle = (transactionId: string) =>
  confirmAndSettle(bench.core, bench.sender, transactionId, 0);

test("a record whose nonce another transaction used is signed again", async () => {
  const { id } = await insertJudgedOutcome(bench.core, agent);
  const [lost = ""] = await sign();
  await recordDirectly(bench.core.chain, sampleOutcomes(1, 77));

  // The revert might be undone, so nothing is signed again yet.
  await expect(settle(lost)).rejects.toThrow(NotConfirmedYet);
  expect(await sign()).toEqual([]);

  await bench.control.mine({ blocks: 200 });
  await settle(lost);
  expect(await bench.core.db.select().from(recordings)).toEqual([]);
  const [again = ""] = await sign();
  await confirmAndSettle(bench.core, bench.sender, again);
  expect((await find(id))?.status).toBe("RESOLVED");
});

test("a record whose receipt the node pruned is not signed again, and is settled by another node", async () => {
  const { id } = await insertJudgedOutcome(bench.core, agent);
  const [transactionId = ""] = await sign();
  // Sent and mined; the process dies before it sees the receipt.
  await bench.sender.broadcast(transactionId);
  await bench.control.mine({ blocks: 200 });
  bench.node.setBehavior("forget", ["eth_getTransactionReceipt", "eth_getTransactionByHash"]);
  await expect(settle(transactionId)).rejects.toThrow(NotConfirmedYet);
  expect(await sign()).toEqual([]);
  bench.node.setBehavior("answer");
  await settle(transactionId);
  expect((await find(id))?.status).toBe("RESOLVED");
});

test("a record that reverted is not signed again while a reorganisation may still record it", async () => {
  const { id } = await insertJudgedOutcome(bench.core, agent);
  // As on a chain whose finality cannot be forced.
  const slow = createSender({ ...bench.core, chain: { ...bench.core.chain, rpcUrl: null } });
  const [transactionId = ""] = await sign();
  const before = await bench.control.snapshot();
  await bench.allowRecorder(false);
  await confirmAndSettle(bench.core, slow, transactionId);
  expect(await bench.core.db.select().from(recordings)).toHaveLength(1);

  await bench.control.revert({ id: before });
  expect(await sign()).toEqual([]);
  await confirmAndSettle(bench.core, slow, transactionId);
  expect((await find(id))?.status).toBe("RESOLVED");
});

test("a record that reverted for good is signed again", async () => {
  const { id } = await insertJudgedOutcome(bench.core, agent);
  const slow = createSender({ ...bench.core, chain: { ...bench.core.chain, rpcUrl: null } });
  const [reverted = ""] = await sign();
  await bench.allowRecorder(false);
  await confirmAndSettle(bench.core, slow, reverted);
  await bench.allowRecorder(true);
  await bench.control.mine({ blocks: 2 });
  await confirmAndSettle(bench.core, slow, reverted);
  const [again = ""] = await sign();
  await confirmAndSettle(bench.core, slow, again);
  expect((await find(id))?.status).toBe("RESOLVED");
});
