import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { usedTransfers } from "@/server/chain/tables";
import { commitToHash } from "@/server/judging/evidence";
import { documents } from "@/server/judging/tables";
import { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import { payInOneTransaction } from "@/server/testing/chain/payments";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import {
  createDisputableOutcome,
  type DisputableOutcome,
  getFixtureChain,
  payStake,
} from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { startReceiver } from "@/server/testing/http/receiver";
import { openDispute } from "./open";
import type { StakeInput } from "./schema";
import { stakeDispute } from "./stake";
import { disputeSides, disputes, payouts } from "./tables";

const bench = await shareSettlementFixture();
let here: DisputableOutcome;
/** A dispute that the requester opened and the contractor can answer. */
let disputeId: string;
beforeEach(async () => {
  here = await createDisputableOutcome(bench);
  ({ disputeId } = await openDispute(
    bench.core,
    here.requester,
    {
      outcomeId: here.outcome.id,
      reason: "It names only two rivers.",
      stakePaymentTxHash: await payStake(bench, here.requester),
    },
    new Date(),
  ));
  bench.core.published.length = 0;
});

/** Opens a dispute over an outcome that the requester submitted. */
async function submittedByRequester(verdict: "SUCCESS" | "FAILURE" = "SUCCESS") {
  const { contractor, requester } = here;
  here = await createDisputableOutcome(
    bench,
    { contractor, requester },
    { submittedBy: "requester", verdict },
  );
  const opener = verdict === "SUCCESS" ? requester : contractor;
  ({ disputeId } = await openDispute(
    bench.core,
    opener,
    {
      outcomeId: here.outcome.id,
      reason: "It is wrong.",
      stakePaymentTxHash: await payStake(bench, opener),
    },
    new Date(),
  ));
}

const stake = (
  by: TestAgent,
  stakePaymentTxHash: string,
  changes: Partial<StakeInput> = {},
  now = new Date(),
) => stakeDispute(bench.core, by, { disputeId, stakePaymentTxHash, ...changes }, now);

/** Returns the error of a refused request; fails if it was accepted. */
async function refusal(promise: Promise<unknown>): Promise<AppError> {
  const error = await promise.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  return error instanceof AppError ? error : expect.fail(String(error));
}

/** Returns everything but the opener's side and stake. */
const added = async () => ({
  sides: (await bench.core.db.select().from(disputeSides)).filter(
    ({ party }) => party === "contractor",
  ),
  transfers: (await bench.core.db.select().from(usedTransfers)).filter(
    ({ from, purpose }) => from === here.contractor.wallet || purpose !== "stake",
  ),
  payouts: await bench.core.db.select().from(payouts),
  documents: await bench.core.db.select().from(documents),
});
const NOTHING = { sides: [], transfers: [], payouts: [], documents: [] };

const disputeNow = async () =>
  (await bench.core.db.select().from(disputes).where(eq(disputes.id, disputeId)))[0] ??
  expect.fail("no dispute");

/** Expects that this payment, and no other, was taken to be sent back. */
async function expectSentBack(error: AppError, txHash: string, to: string) {
  expect(error.detail).toContain(`0.5 USDC is sent back to ${to}`);
  const { transfers, payouts: owed } = await added();
  const refunds = transfers.filter(({ purpose }) => purpose === "unattached-stake");
  expect(refunds).toMatchObject([{ txHash, from: to, amountMicro: 500_000n }]);
  expect(owed).toMatchObject([
    {
      purpose: "unattached-stake",
      to,
      amountMicro: 500_000n,
      transferId: refunds[0]?.id,
      status: "waiting",
    },
  ]);
  expect(bench.core.published.filter(({ name }) => name === "dispute/payout-due")).toEqual([
    {
      id: `payout-due:${owed[0]?.id}`,
      name: "dispute/payout-due",
      data: { payoutId: owed[0]?.id },
    },
  ]);
}

describe("answering a dispute", () => {
  test("attaches the other party's stake and statement, and publishes that the review can start", async () => {
    const txHash = await payStake(bench, here.contractor, 600_000n);
    await stake(here.contractor, txHash, { statement: "It names three." });
    const { sides, transfers, payouts: owed } = await added();
    expect(transfers).toMatchObject([{ txHash, purpose: "stake", amountMicro: 600_000n }]);
    expect(sides).toMatchObject([
      {
        disputeId,
        party: "contractor",
        agentId: here.contractor.id,
        statement: "It names three.",
        evidenceUrl: null,
        evidenceHash: null,
        transferId: transfers[0]?.id,
      },
    ]);
    expect(owed).toEqual([]);
    expect(bench.core.published).toEqual([
      { id: `dispute-answered:${disputeId}`, name: "dispute/answered", data: { disputeId } },
    ]);
  });

  test("needs no statement", async () => {
    await stake(here.contractor, await payStake(bench, here.contractor));
    expect((await added()).sides).toMatchObject([{ statement: null }]);
  });

  test.each<[string, (txHash: string) => Promise<unknown>, string]>([
    [
      "that does not exist",
      (txHash) => stake(here.contractor, txHash, { disputeId: randomUUID() }),
      "not-found",
    ],
    ["of others", async (txHash) => stake(await createTestAgent(bench.core), txHash), "forbidden"],
  ])("%s is refused before the chain is queried", async (_, attempt, code) => {
    const txHash = await payStake(bench, here.contractor);
    bench.node.requestedMethods.length = 0;
    expect((await refusal(attempt(txHash))).code).toBe(code);
    expect(bench.node.requestedMethods).toEqual([]);
    expect(await added()).toEqual(NOTHING);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["of too little", () => payStake(bench, here.contractor, 499_999n), "payment-invalid"],
    ["by the other party", () => payStake(bench, here.requester), "payment-invalid"],
    [
      "to another recipient",
      () => payStake(bench, here.contractor, 500_000n, here.requester.wallet),
      "payment-invalid",
    ],
    ["unknown to the chain", async () => generatePrivateKey(), "payment-not-ready"],
  ])("with a stake %s is refused", async (_, payment, code) => {
    const error = await refusal(stake(here.contractor, await payment()));
    expect(error.code).toBe(code);
    expect(error.headers["Retry-After"] !== undefined).toBe(code === "payment-not-ready");
    expect(await added()).toEqual(NOTHING);
    expect(bench.core.published).toEqual([]);
  });

  test("with a stake from before the record is refused", async () => {
    const early = await payStake(bench, here.contractor);
    here = await createDisputableOutcome(bench, here);
    const opened = await openDispute(
      bench.core,
      here.requester,
      {
        outcomeId: here.outcome.id,
        reason: "Two.",
        stakePaymentTxHash: await payStake(bench, here.requester),
      },
      new Date(),
    );
    const error = await refusal(stake(here.contractor, early, { disputeId: opened.disputeId }));
    expect(error.code).toBe("payment-invalid");
  });

  test("of a requester's outcome takes the deliverable that the contractor supplies", async () => {
    await submittedByRequester();
    const txHash = await payStake(bench, here.contractor);
    await stake(here.contractor, txHash, { deliverableContent: " The Rhine. " });
    const { salt, id } = await disputeNow();
    const [side] = (await added()).sides.filter((one) => one.disputeId === id);
    expect(side).toMatchObject({
      deliverableContent: " The Rhine. ",
      deliverableHash: commitToHash(salt, sha256(" The Rhine. ")),
    });
  });

  test.each<["contractor" | "requester", "contractor" | "requester"]>([
    ["contractor", "contractor"],
    ["requester", "requester"],
  ])("takes no deliverable of the %s for an outcome of the %s", async (by, submittedBy) => {
    if (submittedBy === "requester") await submittedByRequester("FAILURE");
    const txHash = await payStake(bench, here[by]);
    const error = await refusal(stake(here[by], txHash, { deliverableContent: "The Rhine." }));
    expect(error).toMatchObject({
      code: "deliverable-not-accepted",
      errors: [{ pointer: "#/deliverableContent", code: "not-accepted" }],
    });
    await stake(here[by], txHash);
  });

  test("with a stake that has been used is refused", async () => {
    const other = await createDisputableOutcome(bench, here, { verdict: "FAILURE" });
    const txHash = await payStake(bench, here.contractor);
    await openDispute(
      bench.core,
      here.contractor,
      { outcomeId: other.outcome.id, reason: "No.", stakePaymentTxHash: txHash },
      new Date(),
    );
    expect((await refusal(stake(here.contractor, txHash))).code).toBe("payment-used");
    expect((await added()).payouts).toEqual([]);
  });

  test("by an agent that was just taken over is refused like a revoked key", async () => {
    const txHash = await payStake(bench, here.contractor);
    await bench.core.db.delete(agents).where(eq(agents.id, here.contractor.id));
    expect((await refusal(stake(here.contractor, txHash))).code).toBe("unauthenticated");
    expect(await added()).toEqual(NOTHING);
  });

  test("is refused while the node does not respond, and can be repeated", async () => {
    const txHash = await payStake(bench, here.contractor);
    bench.node.setBehavior("hang-up");
    expect((await refusal(stake(here.contractor, txHash))).code).toBe("unavailable");
    bench.node.setBehavior("answer");
    await stake(here.contractor, txHash);
  });
});

describe("a payment is sent back", () => {
  test("when the opener stakes again", async () => {
    const txHash = await payStake(bench, here.requester);
    const error = await refusal(stake(here.requester, txHash));
    expect(error.code).toBe("conflict");
    await expectSentBack(error, txHash, here.requester.wallet);
  });

  test("when the other party stakes again", async () => {
    await stake(here.contractor, await payStake(bench, here.contractor));
    const txHash = await payStake(bench, here.contractor);
    const error = await refusal(stake(here.contractor, txHash));
    expect(error.code).toBe("conflict");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).sides).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["once the time is over", () => bench.core.db.update(disputes).set({ expiresAt: new Date() })],
    [
      "once the review has started",
      () => bench.core.db.update(disputes).set({ reviewStartedAt: new Date() }),
    ],
    [
      "once the dispute is decided",
      () => bench.core.db.update(disputes).set({ status: "RESOLVED" }),
    ],
  ])("%s", async (_, change) => {
    await change();
    const txHash = await payStake(bench, here.contractor);
    const error = await refusal(stake(here.contractor, txHash));
    expect(error.code).toBe("dispute-closed");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).sides).toEqual([]);
    const after = await added();
    const again = await refusal(stake(here.contractor, txHash));
    expect(again.code).toBe("dispute-closed");
    expect(again.detail).not.toContain("is sent back");
    expect(await added()).toEqual(after);
  });

  test("if the request arrives at `expiresAt` or later", async () => {
    const { expiresAt } = await disputeNow();
    const late = await payStake(bench, here.contractor);
    const error = await refusal(stake(here.contractor, late, {}, expiresAt));
    await expectSentBack(error, late, here.contractor.wallet);
    const inTime = await payStake(bench, here.contractor);
    await stake(here.contractor, inTime, {}, new Date(expiresAt.getTime() - 1));
  });

  test("only if it is a valid stake", async () => {
    await bench.core.db.update(disputes).set({ reviewStartedAt: new Date() });
    for (const txHash of [
      await payStake(bench, here.contractor, 499_999n),
      await payStake(bench, here.requester),
      generatePrivateKey(),
    ]) {
      const error = await refusal(stake(here.contractor, txHash));
      expect(error.code).toBe("dispute-closed");
      expect(error.detail).not.toContain("is sent back");
    }
    expect(await added()).toEqual(NOTHING);
    expect(bench.core.published).toEqual([]);
  });
});

describe("concurrent requests", () => {
  test("one of many payments of the party attaches, and every other is sent back", async () => {
    const hashes = [];
    for (let n = 0; n < 6; n++) hashes.push(await payStake(bench, here.contractor));
    const all = await Promise.allSettled(hashes.map((txHash) => stake(here.contractor, txHash)));
    const codes = all.map((one) => (one.status === "rejected" ? one.reason.code : "attached"));
    expect(codes.sort()).toEqual(["attached", ...Array(5).fill("conflict")]);
    const { sides, transfers, payouts: owed } = await added();
    expect(sides).toHaveLength(1);
    expect(transfers.map(({ purpose }) => purpose).sort()).toEqual([
      "stake",
      ...Array(5).fill("unattached-stake"),
    ]);
    expect(new Set(owed.map(({ transferId }) => transferId))).toEqual(
      new Set(transfers.filter((one) => one.purpose === "unattached-stake").map(({ id }) => id)),
    );
    expect(bench.core.published.map(({ name }) => name).sort()).toEqual([
      "dispute/answered",
      ...Array(5).fill("dispute/payout-due"),
    ]);
  });

  test("the same request repeated attaches once, and sends nothing back", async () => {
    const { transactionHash } = await payInOneTransaction(
      getFixtureChain(bench),
      here.contractor.account,
      bench.core.chain.stakeAddress,
      [500_000n, 500_000n],
    );
    const spelt = [transactionHash, `0x${transactionHash.slice(2).toUpperCase()}`];
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, (_, n) => stake(here.contractor, spelt[n % 2] ?? "")),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { transfers, payouts: owed } = await added();
    expect([transfers.length, owed]).toEqual([1, []]);
  });

  test("send the payment back if the review starts first", async () => {
    const txHash = await payStake(bench, here.contractor);
    let answering: Promise<AppError> = Promise.reject(new Error("not yet"));
    answering.catch(() => {});
    await bench.core.db.transaction(async (tx) => {
      await tx.update(disputes).set({ reviewStartedAt: new Date() });
      answering = refusal(stake(here.contractor, txHash));
      await waitFor(async () => {
        const [waiting] = await tx.execute(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return waiting;
      });
    });
    const error = await answering;
    expect(error.code).toBe("dispute-closed");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).sides).toEqual([]);
  });

  test("make a later review wait, which then finds the answer", async () => {
    const txHash = await payStake(bench, here.contractor);
    const publish = bench.core.publish;
    let review: Promise<unknown> = Promise.resolve();
    let sidesAtReview = -1;
    const core: typeof bench.core = {
      ...bench.core,
      publish: async (tx, events) => {
        await publish(tx, events);
        // The answer is written but not committed.
        review = bench.core.db
          .update(disputes)
          .set({ reviewStartedAt: new Date() })
          .then(async () => {
            sidesAtReview = (await bench.core.db.select().from(disputeSides)).length;
          });
        await waitFor(async () => {
          const [waiting] = await tx.execute(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return waiting;
        });
      },
    };
    await stakeDispute(
      core,
      here.contractor,
      { disputeId, stakePaymentTxHash: txHash },
      new Date(),
    );
    await review;
    expect(sidesAtReview).toBe(2);
  });
});

describe("evidence", () => {
  test("is fetched once, stored under the side, and committed to with the dispute's salt", async () => {
    const server = await startReceiver({
      answer: () => (response) =>
        void response.writeHead(200, { "content-type": "text/plain" }).end("Three rivers."),
    });
    await stake(here.contractor, await payStake(bench, here.contractor), {
      evidenceUrl: server.url,
    });
    await server.close();
    expect(server.requests).toHaveLength(1);
    const { sides, documents: kept } = await added();
    expect(kept).toMatchObject([{ subjectId: sides[0]?.id, content: "Three rivers." }]);
    const { salt } = await disputeNow();
    expect(sides[0]?.evidenceHash).toBe(commitToHash(salt, sha256("Three rivers.")));
  });

  test("is not fetched for a refused request", async () => {
    const server = await startReceiver();
    const evidence = { evidenceUrl: server.url };
    await refusal(stake(here.contractor, await payStake(bench, here.contractor, 1n), evidence));
    await refusal(stake(here.requester, await payStake(bench, here.requester), evidence));
    await server.close();
    expect(server.requests).toEqual([]);
  });

  test("that arrives after the review started is not stored, and the payment is sent back", async () => {
    const server = await startReceiver({
      answer: () => (response) => {
        void bench.core.db
          .update(disputes)
          .set({ reviewStartedAt: new Date() })
          .then(() => response.writeHead(200, { "content-type": "text/plain" }).end("Late."));
      },
    });
    const txHash = await payStake(bench, here.contractor);
    const error = await refusal(stake(here.contractor, txHash, { evidenceUrl: server.url }));
    await server.close();
    expect(error.code).toBe("dispute-closed");
    await expectSentBack(error, txHash, here.contractor.wallet);
    expect((await added()).documents).toEqual([]);
  });
});
