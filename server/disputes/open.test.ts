import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { generatePrivateKey } from "viem/accounts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { agents } from "@/server/agents/tables";
import { chainTransactions, usedTransfers } from "@/server/chain/tables";
import { commitToHash } from "@/server/judging/evidence";
import { documents } from "@/server/judging/tables";
import type { Env } from "@/server/lib/env";
import type { AppError } from "@/server/lib/errors";
import { sha256 } from "@/server/lib/hash";
import { DAY_MS } from "@/server/lib/time";
import { lockOutcome } from "@/server/outcomes/queries";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { payInOneTransaction } from "@/server/testing/chain/payments";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertJudgedOutcome, insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import {
  createDisputableOutcome,
  type DisputableOutcome,
  getFixtureChain,
  payStake,
} from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { startReceiver } from "@/server/testing/http/receiver";
import { getRefusal } from "@/server/testing/refusal";
import { openDispute } from "./open";
import { getOtherParty } from "./parties";
import type { OpenInput } from "./schema";
import { stakeDispute } from "./stake";
import { disputeSides, disputes, payouts } from "./tables";

const bench = await shareSettlementFixture();
let here: DisputableOutcome;
beforeEach(async () => {
  here = await createDisputableOutcome(bench);
  bench.core.published.length = 0;
});

const REASON = "It names only two rivers.";

const open = (
  by: TestAgent,
  stakePaymentTxHash: string,
  changes: Partial<OpenInput> = {},
  now = new Date(),
) =>
  openDispute(
    bench.core,
    by,
    { outcomeId: here.outcome.id, reason: REASON, stakePaymentTxHash, ...changes },
    now,
  );

const rows = async () => ({
  disputes: await bench.core.db.select().from(disputes),
  sides: await bench.core.db.select().from(disputeSides),
  transfers: await bench.core.db.select().from(usedTransfers).orderBy(asc(usedTransfers.usedAt)),
  payouts: await bench.core.db.select().from(payouts),
  documents: await bench.core.db.select().from(documents),
});
const NOTHING = { disputes: [], sides: [], transfers: [], payouts: [], documents: [] };

/** As after a restore that imported the record from the chain. */
const forgetTransactions = () =>
  bench.core.db.execute(
    "truncate recordings, chain_transactions, chain_attempts, escrow_jobs, given_feedback",
  );

const eventNames = () => bench.core.published.map(({ name }) => name).sort();

/** Expects that only this payment was taken to be sent back, and that its payout was published. */
async function expectSentBack(txHash: string, to: string, amountMicro = 500_000n) {
  const { transfers, payouts: owed } = await rows();
  const transfer = transfers.find((one) => one.txHash === txHash);
  expect(transfer).toMatchObject({ purpose: "unattached-stake", from: to, amountMicro });
  const payout = owed.find(({ transferId }) => transferId === transfer?.id);
  expect(payout).toMatchObject({
    purpose: "unattached-stake",
    to,
    amountMicro,
    status: "waiting",
    disputeId: null,
    party: null,
  });
  expect(bench.core.published).toContainEqual({
    id: `payout-due:${payout?.id}`,
    name: "dispute/payout-due",
    data: { payoutId: payout?.id },
  });
}

describe("opening a dispute", () => {
  test("gives the other party the full time even if the clock of the process is behind", async () => {
    const txHash = await payStake(bench, here.requester, 500_000n);
    const before = Date.now();
    vi.useFakeTimers({ toFake: ["Date"], now: before - DAY_MS });
    try {
      const { expiresAt } = await open(here.requester, txHash);
      expect(Date.parse(expiresAt)).toBeGreaterThanOrEqual(before + 30_000);
    } finally {
      vi.useRealTimers();
    }
  });

  test.each([
    ["contractor", "FAILURE"],
    ["requester", "SUCCESS"],
  ] as const)("is possible for the %s of a %s, with its stake", async (party, verdict) => {
    here = await createDisputableOutcome(bench, undefined, { verdict });
    bench.core.published.length = 0;
    const txHash = await payStake(bench, here[party], 750_000n);
    const before = Date.now();
    const answer = await open(here[party], txHash);
    expect(answer).toEqual({
      disputeId: expect.any(String),
      status: "OPEN",
      stakeUsdc: "0.50",
      expiresAt: expect.any(String),
      disputeReview: "checks-only",
    });
    const { disputes: all, sides, transfers, payouts: owed } = await rows();
    const [dispute] = all;
    expect(dispute).toMatchObject({
      id: answer.disputeId,
      outcomeId: here.outcome.id,
      openedBy: party,
      contractor: here.contractor.wallet,
      requester: here.requester.wallet,
      recordedVerdict: verdict,
      status: "OPEN",
      reviewStartedAt: null,
    });
    expect(dispute?.openedAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(Date.parse(answer.expiresAt)).toBe((dispute?.openedAt.getTime() ?? 0) + 30_000);
    expect(transfers).toMatchObject([{ txHash, purpose: "stake", amountMicro: 750_000n }]);
    expect(sides).toMatchObject([
      {
        disputeId: answer.disputeId,
        party,
        agentId: here[party].id,
        statement: REASON,
        evidenceUrl: null,
        evidenceHash: null,
        evidenceFailure: null,
        deliverableContent: null,
        deliverableHash: null,
        transferId: transfers[0]?.id,
      },
    ]);
    expect(owed).toEqual([]);
    expect(bench.core.published).toEqual([
      {
        id: `dispute-opened:${answer.disputeId}`,
        name: "dispute/opened",
        data: { disputeId: answer.disputeId, expiresAt: answer.expiresAt },
      },
    ]);
    const [outcome] = await bench.core.db
      .select()
      .from(outcomes)
      .where(eq(outcomes.id, here.outcome.id));
    expect(outcome).toMatchObject({ disputeId: answer.disputeId, finalVerdict: verdict });
  });

  test.each([
    ["contractor", "SUCCESS"],
    ["requester", "FAILURE"],
  ] as const)(
    "is not possible for the %s of a %s, whose payment is sent back",
    async (party, verdict) => {
      here = await createDisputableOutcome(bench, undefined, { verdict });
      const favored = here[party];
      const loser = getOtherParty(party);
      const txHash = await payStake(bench, favored);
      const error = await getRefusal(open(favored, txHash));
      expect(error.code).toBe("verdict-favors-you");
      expect(error.detail).toContain(`only the ${loser} can dispute it`);
      expect(error.detail).toContain(`0.5 USDC is sent back to ${favored.wallet}`);
      await expectSentBack(txHash, favored.wallet);
      expect((await rows()).disputes).toEqual([]);
      await open(here[loser], await payStake(bench, here[loser]));
    },
  );

  describe("on a chain whose tokens have value", () => {
    const openWith = async (env: Partial<Env>) => {
      const { core } = bench;
      const input = {
        outcomeId: here.outcome.id,
        reason: REASON,
        stakePaymentTxHash: await payStake(bench, here.requester),
      };
      const valuable = {
        ...core,
        chain: { ...core.chain, isLocal: false },
        env: { ...core.env, ...env },
      };
      return openDispute(valuable, here.requester, input, new Date());
    };

    test("is refused without a language model, and the stake stays unused", async () => {
      const error = await getRefusal(openWith({}));
      expect(error.code).toBe("judge-unavailable");
      expect(await rows()).toEqual(NOTHING);
      expect(bench.core.published).toEqual([]);
    });

    test("is possible with a language model", async () => {
      const env = { OPENAI_BASE_URL: "http://127.0.0.1:1/v1", JUDGE_MODEL: "a-model" };
      expect(await openWith(env)).toMatchObject({ status: "OPEN", disputeReview: "model" });
    });
  });

  test("is possible until the last moment of the window", async () => {
    const closesAt = (here.outcome.resolvedAt?.getTime() ?? 0) + 7 * DAY_MS;
    const late = await payStake(bench, here.requester);
    const inTime = await payStake(bench, here.requester);
    const error = await getRefusal(open(here.requester, late, {}, new Date(closesAt + 1)));
    expect(error.code).toBe("dispute-closed");
    expect(error.detail).toContain(new Date(closesAt).toISOString());
    expect(error.detail).toContain(`0.5 USDC is sent back to ${here.requester.wallet}`);
    await expectSentBack(late, here.requester.wallet);
    expect((await rows()).disputes).toEqual([]);
    await open(here.requester, inTime, {}, new Date(closesAt));
  });

  test("is not possible for an outcome whose texts were lost, and the payment is sent back", async () => {
    await bench.core.db.update(outcomes).set({ rebuilt: true });
    await forgetTransactions();
    const stake = await payStake(bench, here.requester);
    const error = await getRefusal(open(here.requester, stake));
    expect(error.code).toBe("dispute-closed");
    expect(error.detail).toContain("cannot be reviewed");
    await expectSentBack(stake, here.requester.wallet);
  });

  describe("is not possible for an outcome whose payment was returned", () => {
    const returned = () => ({
      outcomeId: here.outcome.id,
      txHash: `0x${"cd".repeat(32)}`,
      amountMicro: 1n,
    });
    const expectRefused = async (refused: AppError, stake: string) => {
      expect(refused.code).toBe("already-refunded");
      expect(refused.detail).toContain(returned().txHash);
      await expectSentBack(stake, here.requester.wallet);
      expect((await rows()).disputes).toEqual([]);
    };

    test("before the request, and the stake is sent back", async () => {
      await bench.core.db.insert(refunds).values(returned());
      const stake = await payStake(bench, here.requester);
      await expectRefused(await getRefusal(open(here.requester, stake)), stake);
    });

    test("during the request, and the stake is sent back", async () => {
      const stake = await payStake(bench, here.requester);
      let opening: Promise<AppError> = Promise.reject(new Error("not yet"));
      opening.catch(() => {});
      await bench.core.db.transaction(async (tx) => {
        await lockOutcome(tx, here.outcome.id);
        await tx.insert(refunds).values(returned());
        opening = getRefusal(open(here.requester, stake));
        await waitFor(async () => (await countWaiting(bench.core.db)) > 0);
      });
      await expectRefused(await opening, stake);
    });
  });

  test.each<[string, () => Promise<unknown>]>([
    ["whose transaction only the chain knows", forgetTransactions],
    [
      "whose transaction was never seen in a block",
      () => bench.core.db.update(chainTransactions).set({ status: "signed", blockNumber: null }),
    ],
  ])("is possible for an outcome %s, with a stake after its record", async (_, forget) => {
    const { contractor, requester } = here;
    const early = await payStake(bench, requester);
    here = await createDisputableOutcome(bench, { contractor, requester });
    await forget();
    expect((await getRefusal(open(requester, early))).code).toBe("payment-invalid");
    const stake = await payStake(bench, requester);
    bench.node.setBehavior("hang-up");
    expect((await getRefusal(open(requester, stake))).code).toBe("unavailable");
    expect(await rows()).toEqual(NOTHING);
    bench.node.setBehavior("answer");
    await open(requester, stake);
  });

  test.each<[string, (stake: string) => Promise<unknown>, string]>([
    [
      "of an outcome that does not exist",
      (stake) => open(here.requester, stake, { outcomeId: randomUUID() }),
      "not-found",
    ],
    [
      "by another agent",
      async (stake) => open(await createTestAgent(bench.core), stake),
      "forbidden",
    ],
    [
      "of an outcome without a verdict",
      async (stake) => {
        const requester = here.requester.wallet;
        const { id } = await insertPendingOutcome(bench.core, here.contractor, { requester });
        return open(here.requester, stake, { outcomeId: id });
      },
      "outcome-not-resolved",
    ],
    [
      "of an outcome whose verdict is not recorded yet",
      async (stake) => {
        const requester = here.requester.wallet;
        const { id } = await insertJudgedOutcome(bench.core, here.contractor, { requester });
        return open(here.requester, stake, { outcomeId: id });
      },
      "outcome-not-resolved",
    ],
  ])("%s is refused before the chain is queried", async (_, attempt, code) => {
    const stake = await payStake(bench, here.requester);
    bench.node.requestedMethods.length = 0;
    expect((await getRefusal(attempt(stake))).code).toBe(code);
    expect(bench.node.requestedMethods).toEqual([]);
    expect(await rows()).toEqual(NOTHING);
    expect(bench.core.published).toEqual([]);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["of too little", () => payStake(bench, here.requester, 499_999n), "payment-invalid"],
    ["by the other party", () => payStake(bench, here.contractor), "payment-invalid"],
    [
      "to another recipient",
      () => payStake(bench, here.requester, 500_000n, here.contractor.wallet),
      "payment-invalid",
    ],
    ["unknown to the chain", async () => generatePrivateKey(), "payment-not-ready"],
  ])("with a stake %s is refused", async (_, payment, code) => {
    const error = await getRefusal(open(here.requester, await payment()));
    expect(error.code).toBe(code);
    expect(error.headers["Retry-After"] !== undefined).toBe(code === "payment-not-ready");
    expect(await rows()).toEqual(NOTHING);
    expect(bench.core.published).toEqual([]);
  });

  test("with a stake from before the record is refused, even from the record's own block", async () => {
    const { contractor, requester } = here;
    const early = await payStake(bench, requester);
    here = await createDisputableOutcome(bench, { contractor, requester });
    expect((await getRefusal(open(requester, early))).code).toBe("payment-invalid");
    const receipt = await bench.core.chain.client.getTransactionReceipt({ hash: early as never });
    // As if the record had been mined together with the payment.
    await bench.core.db.execute(
      `update chain_transactions set block_number = ${receipt.blockNumber}`,
    );
    expect((await getRefusal(open(requester, early))).code).toBe("payment-invalid");
    await bench.core.db.execute(
      `update chain_transactions set block_number = ${receipt.blockNumber - 1n}`,
    );
    await open(requester, early);
  });

  test("with a stake that has been used is refused", async () => {
    const { contractor, requester } = here;
    const stake = await payStake(bench, requester);
    await open(requester, stake);
    const first = await rows();
    here = await createDisputableOutcome(bench, { contractor, requester });
    for (const spelt of [stake, `0x${stake.slice(2).toUpperCase()}`]) {
      // Before the record, too: a used payment has another error than one that never counted.
      await bench.core.db.execute("update chain_transactions set block_number = 0");
      expect((await getRefusal(open(requester, spelt))).code).toBe("payment-used");
    }
    expect(await rows()).toEqual(first);
  });

  test("is refused while the node does not respond, and can be repeated", async () => {
    const stake = await payStake(bench, here.requester);
    bench.node.setBehavior("hang-up");
    expect((await getRefusal(open(here.requester, stake))).code).toBe("unavailable");
    expect(await rows()).toEqual(NOTHING);
    bench.node.setBehavior("answer");
    await open(here.requester, stake);
  });

  test("by an agent that was just taken over is refused like a revoked key", async () => {
    const stake = await payStake(bench, here.requester);
    await bench.core.db.delete(agents).where(eq(agents.id, here.requester.id));
    expect((await getRefusal(open(here.requester, stake))).code).toBe("unauthenticated");
    const late = new Date(Date.now() + 8 * DAY_MS);
    expect((await getRefusal(open(here.requester, stake, {}, late))).code).toBe("unauthenticated");
    expect(await rows()).toEqual(NOTHING);
  });
});

describe("concurrent requests", () => {
  test("only the losing party opens; the other's payment can answer, or is sent back", async () => {
    for (let round = 0; round < 4; round++) {
      const { contractor, requester } = here;
      const [losing, favored] = [
        await payStake(bench, requester),
        await payStake(bench, contractor),
      ];
      const [opened, refused] = await Promise.allSettled([
        open(requester, losing),
        open(contractor, favored),
      ]);
      const { disputeId } = opened.status === "fulfilled" ? opened.value : expect.fail();
      const reason = refused.status === "rejected" ? refused.reason : expect.fail();
      if (reason.code === "already-disputed") {
        expect(reason.detail).not.toContain("sent back");
        const input = { disputeId, stakePaymentTxHash: favored };
        await stakeDispute(bench.core, contractor, input, new Date());
      } else {
        expect(reason.code).toBe("verdict-favors-you");
        await expectSentBack(favored, contractor.wallet);
      }
      here = await createDisputableOutcome(bench, { contractor, requester });
    }
  });

  test("one payment of the same party opens, and every other is sent back", async () => {
    const { requester } = here;
    const stakes = [];
    for (let n = 0n; n < 6n; n++) stakes.push(await payStake(bench, requester, 500_000n + n));
    const all = await Promise.allSettled(stakes.map((stake) => open(requester, stake)));
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { disputes: opened, transfers, payouts: owed } = await rows();
    expect(opened).toHaveLength(1);
    expect(owed).toHaveLength(5);
    expect(transfers.filter(({ purpose }) => purpose === "unattached-stake")).toHaveLength(5);
    for (const [index, { status }] of all.entries()) {
      if (status === "fulfilled") continue;
      await expectSentBack(stakes[index] ?? "", requester.wallet, 500_000n + BigInt(index));
    }
    for (const result of all) {
      if (result.status === "fulfilled") continue;
      expect(result.reason).toMatchObject({
        code: "already-disputed",
        extra: { disputeId: opened[0]?.id },
      });
      expect(result.reason.detail).toMatch(/0\.5\d* USDC is sent back to 0x/);
    }
    expect(eventNames()).toEqual(["dispute/opened", ...Array(5).fill("dispute/payout-due")]);
  });

  test("the same request repeated opens once, and sends nothing back", async () => {
    const { transactionHash: stake } = await payInOneTransaction(
      getFixtureChain(bench),
      here.requester.account,
      bench.core.chain.stakeAddress,
      [500_000n, 500_000n],
    );
    const all = await Promise.allSettled(
      Array.from({ length: 6 }, () => open(here.requester, stake)),
    );
    const codes = all.map((one) => (one.status === "rejected" ? one.reason.code : "opened"));
    expect(codes.sort()).toEqual([...Array(5).fill("already-disputed"), "opened"]);
    const upperCase = `0x${stake.slice(2).toUpperCase()}`;
    expect((await getRefusal(open(here.requester, upperCase))).code).toBe("already-disputed");
    const { transfers, payouts: owed } = await rows();
    expect([transfers.length, owed]).toEqual([1, []]);
  });
});

describe("an outcome that is disputed already", () => {
  let disputeId: string;
  beforeEach(async () => {
    ({ disputeId } = await open(here.requester, await payStake(bench, here.requester)));
    bench.core.published.length = 0;
  });

  test("does not take the other party's payment while it can answer", async () => {
    const stake = await payStake(bench, here.contractor);
    const error = await getRefusal(open(here.contractor, stake));
    expect(error).toMatchObject({ code: "already-disputed", extra: { disputeId } });
    expect((await rows()).payouts).toEqual([]);
    expect(bench.core.published).toEqual([]);
  });

  test("stays disputed once it is overturned: the party that lost by that opens no second one", async () => {
    const now = { status: "RESOLVED", verdict: "REQUESTER_WINS", finalVerdict: "FAILURE" } as const;
    await bench.core.db.update(disputes).set(now);
    await bench.core.db.update(outcomes).set({ finalVerdict: "FAILURE" });
    const stakes = [await payStake(bench, here.contractor), await payStake(bench, here.requester)];
    for (const [index, party] of [here.contractor, here.requester].entries()) {
      const error = await getRefusal(open(party, stakes[index] ?? ""));
      expect(error).toMatchObject({ code: "already-disputed", extra: { disputeId } });
      await expectSentBack(stakes[index] ?? "", party.wallet);
    }
    expect((await rows()).disputes).toHaveLength(1);
  });

  test.each<[string, () => Promise<unknown>]>([
    [
      "its review has started",
      () => bench.core.db.update(disputes).set({ reviewStartedAt: new Date() }),
    ],
    ["the time is over", () => bench.core.db.update(disputes).set({ expiresAt: new Date() })],
    ["it is decided", () => bench.core.db.update(disputes).set({ status: "RESOLVED" })],
    [
      "the other party has answered",
      async () => {
        const stakePaymentTxHash = await payStake(bench, here.contractor);
        const input = { disputeId, stakePaymentTxHash };
        await stakeDispute(bench.core, here.contractor, input, new Date());
      },
    ],
  ])("sends the other party's payment back when %s", async (_, change) => {
    await change();
    const stake = await payStake(bench, here.contractor);
    const error = await getRefusal(open(here.contractor, stake));
    expect(error).toMatchObject({ code: "already-disputed", extra: { disputeId } });
    await expectSentBack(stake, here.contractor.wallet);
  });

  test("sends the opener's second payment back, once", async () => {
    const stake = await payStake(bench, here.requester);
    const error = await getRefusal(open(here.requester, stake));
    expect(error).toMatchObject({ code: "already-disputed", extra: { disputeId } });
    expect(error.detail).toContain("sent back");
    await expectSentBack(stake, here.requester.wallet);
    const after = await rows();
    const again = await getRefusal(open(here.requester, stake));
    expect(again.detail).not.toContain("sent back");
    expect(await rows()).toEqual(after);
  });

  test.each<[string, () => Promise<string>]>([
    ["too small", () => payStake(bench, here.requester, 499_999n)],
    ["another party's", () => payStake(bench, here.contractor)],
    ["unknown to the chain", async () => generatePrivateKey()],
  ])("does not take or return a payment that is %s", async (_, payment) => {
    const before = await rows();
    const error = await getRefusal(open(here.requester, await payment()));
    expect(error.code).toBe("already-disputed");
    expect(error.detail).not.toMatch(/is sent back|repeat|again/i);
    expect(error.headers).toEqual({});
    expect(await rows()).toEqual(before);
  });

  test("returns Retry-After for a second payment that is not deep enough yet", async () => {
    const deep = { ...bench.core, chain: { ...bench.core.chain, confirmations: 3 } };
    const stake = await payStake(bench, here.requester);
    const input = { outcomeId: here.outcome.id, reason: REASON, stakePaymentTxHash: stake };
    const error = await getRefusal(openDispute(deep, here.requester, input, new Date()));
    expect(error).toMatchObject({ code: "already-disputed", extra: { disputeId } });
    expect(error.headers["Retry-After"]).toMatch(/^[1-9]\d*$/);
    expect((await rows()).payouts).toEqual([]);
    await bench.control.mine({ blocks: 2 });
    await getRefusal(openDispute(deep, here.requester, input, new Date()));
    await expectSentBack(stake, here.requester.wallet);
  });

  test("is unavailable until the chain shows whether the payment must be sent back", async () => {
    const stake = await payStake(bench, here.requester);
    bench.node.setBehavior("hang-up");
    expect((await getRefusal(open(here.requester, stake))).code).toBe("unavailable");
    bench.node.setBehavior("answer");
    await getRefusal(open(here.requester, stake));
    await expectSentBack(stake, here.requester.wallet);
  });
});

const serveText = (body: string) =>
  startReceiver({
    answer: () => (response) =>
      void response.writeHead(200, { "content-type": "text/plain" }).end(body),
  });

describe("the deliverable of an outcome that the requester submitted", () => {
  beforeEach(async () => {
    const fields = { verdict: "FAILURE", submittedBy: "requester" } as const;
    here = await createDisputableOutcome(bench, here, fields);
  });

  test("can be supplied by the contractor; it is stored, and committed to with the dispute's salt", async () => {
    const stake = await payStake(bench, here.contractor);
    const deliverableContent = "\nThe Rhine, the Loire, the Vistula.";
    await open(here.contractor, stake, { deliverableContent });
    const { disputes: all, sides } = await rows();
    expect(sides[0]).toMatchObject({
      deliverableContent,
      deliverableHash: commitToHash(all[0]?.salt ?? new Uint8Array(), sha256(deliverableContent)),
    });
  });

  test.each([
    ["is the document that the contractor shows", {}, true],
    ["is the text, if it sends both", { deliverableContent: "The Loire." }, false],
  ])("%s", async (_, more, isDocument) => {
    const server = await serveText("The Rhine.");
    const stake = await payStake(bench, here.contractor);
    await open(here.contractor, stake, { evidenceUrl: server.url, ...more });
    await server.close();
    const { disputes: all, sides } = await rows();
    const salted = (text: string) => commitToHash(all[0]?.salt ?? new Uint8Array(), sha256(text));
    expect(sides[0]).toMatchObject({
      evidenceHash: salted("The Rhine."),
      deliverableHash: salted(isDocument ? "The Rhine." : "The Loire."),
    });
  });

  test.each([
    ["of the requester", "requester", { verdict: "SUCCESS", submittedBy: "requester" }],
    ["of an outcome that the contractor submitted", "contractor", { verdict: "FAILURE" }],
    [
      "under an agreement that was not delivered",
      "contractor",
      { verdict: "FAILURE", submittedBy: "requester", agreed: true },
    ],
  ] as const)("%s is refused before the payment is touched", async (_, party, fields) => {
    here = await createDisputableOutcome(bench, here, fields);
    const stake = await payStake(bench, here[party]);
    const error = await getRefusal(open(here[party], stake, { deliverableContent: "The Rhine." }));
    expect(error).toMatchObject({
      code: "deliverable-not-accepted",
      errors: [{ pointer: "#/deliverableContent", code: "not-accepted" }],
    });
    expect(await rows()).toEqual(NOTHING);
    await open(here[party], stake);
  });
});

describe("evidence", () => {
  test("that cannot be fetched is noted, is no deliverable, and does not prevent opening", async () => {
    const fields = { verdict: "FAILURE", submittedBy: "requester" } as const;
    here = await createDisputableOutcome(bench, here, fields);
    const server = await startReceiver({ answer: () => 404 });
    await open(here.contractor, await payStake(bench, here.contractor), {
      evidenceUrl: server.url,
    });
    await server.close();
    const { sides, documents: kept } = await rows();
    expect(sides[0]).toMatchObject({
      evidenceUrl: server.url,
      evidenceHash: null,
      deliverableHash: null,
      evidenceFailure: "The server answered with status 404.",
    });
    expect(kept).toMatchObject([{ subjectId: sides[0]?.id, content: null }]);
  });

  test("is not fetched for a refused request", async () => {
    const server = await serveText("A list of rivers.");
    const withEvidence = { evidenceUrl: server.url };
    const stranger = await createTestAgent(bench.core);
    const stake = await payStake(bench, here.requester);
    const used = await createDisputableOutcome(bench, here);
    const usedStake = await payStake(bench, here.requester);
    await open(here.requester, usedStake, { outcomeId: used.outcome.id });
    const little = await payStake(bench, here.requester, 1n);
    await getRefusal(open(stranger, stake, withEvidence));
    await getRefusal(open(here.requester, little, withEvidence));
    await getRefusal(open(here.requester, usedStake, withEvidence));
    await getRefusal(open(here.requester, stake, withEvidence, new Date(Date.now() + 8 * DAY_MS)));
    await server.close();
    expect(server.requests).toEqual([]);
    expect((await rows()).documents).toEqual([]);
  });

  test("that is slow holds no database transaction open", async () => {
    let release = () => {};
    const server = await startReceiver({
      answer: () => (response) => {
        release = () => void response.writeHead(200, { "content-type": "text/plain" }).end("Late.");
      },
    });
    const stake = await payStake(bench, here.requester);
    const opening = open(here.requester, stake, { evidenceUrl: server.url });
    await server.waitFor(1);
    const waiting = await bench.core.db.execute(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    release();
    await opening;
    await server.close();
    expect([...waiting]).toEqual([]);
    expect((await rows()).documents).toMatchObject([{ content: "Late." }]);
  });
});
