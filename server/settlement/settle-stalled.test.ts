import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { chainAttempts, chainTransactions } from "@/server/chain/tables";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords } from "@/server/reputation/tables";
import { confirmAndSettle } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { recordings } from "@/server/settlement/tables";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { settleStalled } from "./settle-stalled";

const bench = await shareSettlementFixture();
let agent: TestAgent;
beforeEach(async () => {
  agent = await createTestAgent(bench.core);
});

const sign = () => signPending(bench.core, bench.sender, new Date());
const reconcile = (secondsFromNow = 0) =>
  settleStalled(bench.core, bench.sender, new Date(Date.now() + secondsFromNow * 1_000));

const status = async (id: string) =>
  (await bench.core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0]?.status;

/** Returns the records of the registry as public readers see them. */
async function onChain() {
  const { client, registryAddress } = bench.core.chain;
  const logs = await client.getLogs({ address: registryAddress, fromBlock: 0n });
  return decodeRecords(logs, registryAddress).map(({ record }) => record);
}

describe("reconciling", () => {
  test("settles once after a crash between signing and sending", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    await sign();
    expect(await onChain()).toEqual([]);
    expect(await reconcile(61)).toBe(1);
    expect(await status(id)).toBe("RESOLVED");
    expect(await reconcile(122)).toBe(0);
    expect(await onChain()).toMatchObject([{ type: "outcome", id, seq: 1 }]);
    expect(await bench.core.db.select().from(ledgerRecords)).toHaveLength(1);
    expect(await bench.core.db.select().from(chainTransactions)).toHaveLength(1);
  });

  test("settles once after a crash between sending and settling", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    const [transactionId = ""] = await sign();
    await bench.sender.broadcast(transactionId);
    await bench.sender.waitForConfirmation(transactionId, { timeoutMs: 10_000 });
    expect(await reconcile(61)).toBe(1);
    expect(await status(id)).toBe("RESOLVED");
    expect(await onChain()).toHaveLength(1);
  });

  test("signs and settles unsigned records", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    expect(await reconcile()).toBe(1);
    expect(await status(id)).toBe("RESOLVED");
  });

  test("skips records signed less than a minute ago", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    await sign();
    expect(await reconcile(50)).toBe(0);
    expect(await status(id)).toBe("EVALUATING");
    // It still sends what the chain lacks, since a node may have lost it.
    expect(await onChain()).toHaveLength(1);
  });

  test("records once if it runs concurrently with the run itself", async () => {
    const rows = await Promise.all(
      Array.from({ length: 3 }, () => insertJudgedOutcome(bench.core, agent)),
    );
    const [transactionId = ""] = await sign();
    await Promise.all([
      confirmAndSettle(bench.core, bench.sender, transactionId),
      reconcile(61),
      reconcile(61),
      confirmAndSettle(bench.core, bench.sender, transactionId),
    ]);
    for (const { id } of rows) expect(await status(id)).toBe("RESOLVED");
    expect(await onChain()).toHaveLength(3);
    expect(await bench.core.db.select().from(ledgerRecords)).toHaveLength(3);
  });

  test("settles the others if one cannot be settled", async () => {
    const first = await insertJudgedOutcome(bench.core, agent);
    await sign();
    const second = await insertJudgedOutcome(bench.core, agent);
    // As if the chain held another record at its position.
    await bench.core.db.update(recordings).set({ position: 7 });
    expect(await reconcile(61)).toBe(1);
    expect([await status(first.id), await status(second.id)]).toEqual(["EVALUATING", "RESOLVED"]);
  });

  test("throws if the node does not respond, and continues once it does", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    bench.node.setBehavior("hang-up");
    await expect(reconcile()).rejects.toThrow();
    expect(await status(id)).toBe("EVALUATING");
    bench.node.setBehavior("answer");
    await reconcile();
    expect(await status(id)).toBe("RESOLVED");
  });
});

describe("a settled record", () => {
  test("has the hash of the mined attempt, even if a reorganisation changed it", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    const [transactionId = ""] = await sign();
    await bench.control.setAutomine(false);
    const before = await bench.control.snapshot();
    const send = async () => {
      await bench.sender.broadcast(transactionId);
      await bench.control.mine({ blocks: 1 });
    };
    await send();
    await reconcile(61);
    const named = async () => {
      const [outcome] = await bench.core.db.select().from(outcomes).where(eq(outcomes.id, id));
      const [record] = await bench.core.db.select().from(ledgerRecords);
      const [sent] = await bench.core.db.select().from(chainTransactions);
      expect([outcome?.onChainTx, record?.txHash]).toEqual([sent?.hash, sent?.hash]);
      return sent?.hash;
    };
    const first = await named();

    await bench.control.revert({ id: before });
    await bench.control.mine({ blocks: 1 });
    await bench.core.db
      .update(chainAttempts)
      .set({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
      .where(eq(chainAttempts.transactionId, transactionId));
    expect(await bench.sender.replaceTransaction(transactionId)).toBe(true);
    await bench.control.mine({ blocks: 1 });
    await reconcile();
    expect(await named()).not.toBe(first);
    expect(await onChain()).toMatchObject([{ type: "outcome", id, seq: 1 }]);
    expect(await status(id)).toBe("RESOLVED");
  });
});

describe("a transaction that the registry reverted", () => {
  test("releases its records to be signed again once the recorder is authorized", async () => {
    const { id } = await insertJudgedOutcome(bench.core, agent);
    const [transactionId = ""] = await sign();
    await bench.allowRecorder(false);
    await confirmAndSettle(bench.core, bench.sender, transactionId);
    expect(await bench.core.db.select().from(recordings)).toEqual([]);
    expect(await reconcile()).toBe(0);
    expect(await status(id)).toBe("EVALUATING");
    await bench.allowRecorder(true);
    expect(await reconcile()).toBe(1);
    expect(await status(id)).toBe("RESOLVED");
    expect(await onChain()).toHaveLength(1);
  });
});
