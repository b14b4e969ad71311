import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { keccak256, stringToBytes } from "viem";
import { beforeEach, describe, expect, test } from "vitest";
import { chainTransactions } from "@/server/chain/tables";
import { mineUntilFinal } from "@/server/chain/transactions/finality";
import { disputes } from "@/server/disputes/tables";
import { advanceFeedback } from "@/server/feedback/advance-feedback";
import { withdrawFeedback } from "@/server/feedback/owe-feedback";
import { reputationAbi } from "@/server/feedback/reputation-registry";
import { feedbackFiles, givenFeedback, registryFeedback } from "@/server/feedback/tables";
import { identityLinks } from "@/server/identities/tables";
import { DAY_MS } from "@/server/lib/time";
import { outcomes, refunds } from "@/server/outcomes/tables";
import { sendDirectly } from "@/server/testing/chain/chain";
import { callIdentity, callReputation } from "@/server/testing/chain/erc8004";
import { createLinkedOutcome, type LinkedOutcome } from "@/server/testing/fixtures/linked-outcome";
import { createRefundableOutcome } from "@/server/testing/fixtures/resolved-outcomes";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { giveDue } from "./give-due";

const bench = await shareSettlementFixture();
beforeEach(async () => {
  bench.core.env.ERC8004_PUBLISH = "at-once";
});

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const give = (now = inDays(0), timeoutMs = 5_000) =>
  giveDue(bench.core, bench.sender, now, timeoutMs);
/** Gives what is due while the node answers all but calls of `method`. */
async function giveWithout(method: string) {
  bench.node.setBehavior("hang-up", [method]);
  await give();
  bench.node.setBehavior("answer");
}
/** Sets whether the registry refuses our feedback, since our account may act for the agent. */
const setRefused = ({ account }: LinkedOutcome["contractor"], isRefused: boolean) => {
  const { chain } = bench.core;
  return callIdentity(chain, account, "setApprovalForAll", [chain.feedbackAddress, isRefused]);
};
const finalise = () => mineUntilFinal(bench.core.chain);
const rows = () => bench.core.db.select().from(givenFeedback).orderBy(givenFeedback.dueSince);
const statuses = async () => (await rows()).map(({ status }) => status);
const signed = async () =>
  (await bench.core.db.select().from(chainTransactions)).filter(
    ({ purpose }) => purpose === "feedback",
  ).length;

/** Runs the function until nothing changes any more, with final blocks in between. */
async function settle(now = inDays(0), timeoutMs?: number): Promise<void> {
  for (let before = ""; ; ) {
    await give(now, timeoutMs);
    await finalise();
    const after = JSON.stringify(await statuses());
    if (after === before) return;
    before = after;
  }
}

/** Returns what the service's account gave and revoked in the registry, according to the chain. */
async function onChain() {
  const { client, erc8004, feedbackAddress } = bench.core.chain;
  const address = erc8004?.reputationAddress ?? "0x";
  const filter = {
    address,
    abi: reputationAbi,
    args: { clientAddress: feedbackAddress ?? "0x" },
    fromBlock: 0n,
    strict: true,
  } as const;
  const given = await client.getContractEvents({ ...filter, eventName: "NewFeedback" });
  const revoked = await client.getContractEvents({ ...filter, eventName: "FeedbackRevoked" });
  return { given: given.map(({ args }) => args), revoked: revoked.map(({ args }) => args) };
}

const chainCounts = async () => {
  const { given, revoked } = await onChain();
  return [given.length, revoked.length];
};

/** Makes the outcome's final verdict the opposite of the recorded one, as a dispute does. */
const reverse = ({ id }: LinkedOutcome["outcome"]) =>
  bench.core.db.update(outcomes).set({ finalVerdict: "SUCCESS" }).where(eq(outcomes.id, id));

async function openDispute({ outcome, contractor, requester }: LinkedOutcome) {
  await bench.core.db.insert(disputes).values({
    outcomeId: outcome.id,
    openedBy: "contractor",
    contractor: contractor.wallet,
    requester: requester.wallet,
    recordedVerdict: "FAILURE",
    salt: Buffer.alloc(16),
    expiresAt: inDays(1),
  });
}

describe("feedback about an outcome", () => {
  test("says in the registry what was decided, and names a file with the payment", async () => {
    const { agentId, outcome, contractor, requester } = await createLinkedOutcome(bench);
    expect(await give()).toBe(1);
    const { given } = await onChain();
    const [file] = await bench.core.db.select().from(feedbackFiles);
    const { id: chainId, erc8004, feedbackAddress } = bench.core.chain;
    const endpoint = `http://localhost:3000/outcomes/${outcome.id}`;
    expect(given).toMatchObject([
      {
        agentId: BigInt(agentId),
        clientAddress: feedbackAddress,
        feedbackIndex: 1n,
        value: 0n,
        valueDecimals: 0,
        tag1: "job_completion",
        tag2: "standing",
        endpoint,
        feedbackURI: `${endpoint}/feedback/${file?.hash}.json`,
        feedbackHash: keccak256(stringToBytes(file?.file ?? "")),
      },
    ]);
    expect(JSON.parse(file?.file ?? "")).toEqual({
      agentRegistry: `eip155:${chainId}:${erc8004?.identityAddress}`,
      agentId: Number(agentId),
      clientAddress: `eip155:${chainId}:${feedbackAddress}`,
      createdAt: outcome.resolvedAt?.toISOString(),
      value: 0,
      valueDecimals: 0,
      tag1: "job_completion",
      tag2: "standing",
      endpoint,
      outcome: `http://localhost:3000/api/v1/outcome/${outcome.id}`,
      proofOfPayment: {
        fromAddress: requester.wallet,
        toAddress: contractor.wallet,
        chainId: String(chainId),
        txHash: outcome.paymentTxHash,
      },
    });
    expect(await rows()).toMatchObject([{ status: "given", outcomeId: outcome.id, value: 0 }]);
  });

  test("is given once, however often and concurrently", async () => {
    await createLinkedOutcome(bench);
    await createLinkedOutcome(bench);
    await Promise.all([give(), give(), give()]);
    await Promise.all([give(), give()]);
    await settle();
    expect(await chainCounts()).toEqual([2, 0]);
    expect(await signed()).toBe(2);
  });

  test("waits for the end of the dispute window if so configured", async () => {
    bench.core.env.ERC8004_PUBLISH = "after-window";
    await createLinkedOutcome(bench);
    await settle(inDays(6.9));
    expect(await rows()).toEqual([]);
    await settle(inDays(7.1));
    expect(await chainCounts()).toEqual([1, 0]);
  });

  test("waits for the end of an open dispute", async () => {
    bench.core.env.ERC8004_PUBLISH = "after-window";
    const linked = await createLinkedOutcome(bench);
    await openDispute(linked);
    await settle(inDays(8));
    expect(await rows()).toEqual([]);
    await bench.core.db.update(disputes).set({ status: "RESOLVED" });
    await reverse(linked.outcome);
    await settle(inDays(8));
    expect((await onChain()).given).toMatchObject([{ value: 100n }]);
  });

  test("is not given unless it is published", async () => {
    bench.core.env.ERC8004_PUBLISH = "off";
    await createLinkedOutcome(bench);
    await settle(inDays(30));
    expect(await rows()).toEqual([]);
  });

  test.each([
    ["is simulated", { simulated: true }],
    ["is not assessed", { assessed: false }],
    ["is superseded", { supersededBy: randomUUID() }],
    ["was rebuilt from the chain", { rebuilt: true }],
    ["is older than 90 days", { submittedAt: inDays(-91) }],
    ["is not resolved", { status: "EVALUATING" as const }],
  ])("is not given if the outcome %s", async (_, changes) => {
    const { outcome } = await createLinkedOutcome(bench);
    await bench.core.db.update(outcomes).set(changes).where(eq(outcomes.id, outcome.id));
    await settle();
    expect(await rows()).toEqual([]);
    expect(await chainCounts()).toEqual([0, 0]);
  });

  test("is not given if the payment was returned", async () => {
    const { outcome } = await createLinkedOutcome(bench);
    const { id: outcomeId } = outcome;
    const refund = { outcomeId, txHash: `0x${"ab".repeat(32)}`, amountMicro: 1n };
    await bench.core.db.insert(refunds).values(refund);
    await settle();
    expect(await rows()).toEqual([]);
  });

  test("is not given about an agent that is not linked", async () => {
    await createLinkedOutcome(bench);
    await bench.core.db.delete(identityLinks);
    await settle();
    expect(await rows()).toEqual([]);
  });

  test("is dropped if the link ends before it is signed", async () => {
    await createLinkedOutcome(bench);
    await giveWithout("eth_getTransactionCount");
    expect(await statuses()).toEqual(["owed"]);
    await bench.core.db.delete(identityLinks);
    await settle();
    expect(await statuses()).toEqual(["dropped"]);
    expect(await chainCounts()).toEqual([0, 0]);
  });

  test("is dropped, and not tried again, if the registry refuses it", async () => {
    const { contractor } = await createLinkedOutcome(bench);
    await setRefused(contractor, true);
    await settle();
    expect(await statuses()).toEqual(["dropped"]);
    await setRefused(contractor, false);
    await settle();
    expect(await signed()).toBe(0);
  });

  test("is dropped if the registry refuses its transaction for good", async () => {
    const { contractor } = await createLinkedOutcome(bench);
    await giveWithout("eth_sendRawTransaction");
    await setRefused(contractor, true);
    await give();
    expect(await statuses()).toEqual(["signed"]);
    await settle();
    expect(await statuses()).toEqual(["dropped"]);
    expect(await signed()).toBe(1);
  });

  test("is not given again by a restored database that lacks it", async () => {
    await createLinkedOutcome(bench);
    await settle();
    await bench.core.db.delete(givenFeedback);
    await settle();
    expect(await statuses()).toEqual(["given"]);
    expect(await chainCounts()).toEqual([1, 0]);
  });
});

describe("a crash or reorganisation", () => {
  test("after signing: the same bytes are sent", async () => {
    await createLinkedOutcome(bench);
    bench.node.setBehavior("hang-up", ["eth_sendRawTransaction"]);
    await give();
    expect([await statuses(), await chainCounts()]).toEqual([["signed"], [0, 0]]);
    bench.node.setBehavior("answer");
    await settle();
    expect(await chainCounts()).toEqual([1, 0]);
    expect(await signed()).toBe(1);
  });

  test("that removes it: the same bytes are sent again", async () => {
    await createLinkedOutcome(bench);
    const before = await bench.control.snapshot();
    await give();
    expect(await chainCounts()).toEqual([1, 0]);
    await bench.control.revert({ id: before });
    expect(await chainCounts()).toEqual([0, 0]);
    await settle();
    expect(await statuses()).toEqual(["given"]);
    expect(await chainCounts()).toEqual([1, 0]);
    expect(await signed()).toBe(1);
  });

  test("does not repeat it if the key's nonce was used elsewhere, but gives it then", async () => {
    await createLinkedOutcome(bench);
    await giveWithout("eth_sendRawTransaction");
    const { chain } = bench.core;
    if (!chain.feedback) throw new Error("no key");
    await sendDirectly(chain, chain.feedback, { to: chain.stakeAddress, data: "0x", gas: 21_000n });
    // The transaction with the used nonce is never confirmed.
    await settle(inDays(0), 200);
    expect(await statuses()).toEqual(["given"]);
    expect(await chainCounts()).toEqual([1, 0]);
    expect(await signed()).toBe(2);
  });
});

describe("a reversed verdict", () => {
  test("is revoked by its own index and given with the new value", async () => {
    const linked = await createLinkedOutcome(bench);
    await settle();
    const later = await createRefundableOutcome(bench, { between: linked });
    await settle();
    await reverse(linked.outcome);
    await settle();
    expect((await onChain()).given.map(({ value }) => value)).toEqual([0n, 0n, 100n]);
    expect((await onChain()).revoked).toEqual([
      { agentId: BigInt(linked.agentId), clientAddress: expect.any(String), feedbackIndex: 1n },
    ]);
    await reverse(later.outcome);
    await settle();
    expect((await onChain()).revoked.map((one) => one.feedbackIndex)).toEqual([1n, 2n]);
    expect((await statuses()).toSorted()).toEqual(["given", "given", "revoked", "revoked"]);
  });

  test("is revoked only once the feedback is final, since a reorg may change its index", async () => {
    const { outcome } = await createLinkedOutcome(bench);
    await give();
    const [row] = await rows();
    await reverse(outcome);
    await withdrawFeedback(bench.core, inDays(0));
    expect(await advanceFeedback(bench.core, bench.sender, row?.id ?? "")).toBe("revoking");
    expect(await signed()).toBe(1);
    await settle();
    expect(await chainCounts()).toEqual([2, 1]);
  });

  test("whose feedback failed in a reorganisation is not revoked", async () => {
    const { outcome, contractor } = await createLinkedOutcome(bench);
    const before = await bench.control.snapshot();
    await give();
    bench.core.env.ERC8004_PUBLISH = "off";
    await bench.control.revert({ id: before });
    await setRefused(contractor, true);
    await reverse(outcome);
    await withdrawFeedback(bench.core, inDays(0));
    await settle();
    expect(await statuses()).toEqual(["dropped"]);
    expect(await chainCounts()).toEqual([0, 0]);
  });

  test("of an outcome whose feedback is not signed yet: only the new one is given", async () => {
    const linked = await createLinkedOutcome(bench);
    await giveWithout("eth_getTransactionCount");
    await reverse(linked.outcome);
    await settle();
    expect((await statuses()).toSorted()).toEqual(["dropped", "given"]);
    expect((await onChain()).given).toMatchObject([{ value: 100n }]);
  });

  test("that the key revoked itself is not revoked again", async () => {
    const linked = await createLinkedOutcome(bench);
    await settle();
    const { chain } = bench.core;
    if (!chain.feedback) throw new Error("no key");
    await callReputation(chain, chain.feedback, "revokeFeedback", [BigInt(linked.agentId), 1n]);
    bench.core.env.ERC8004_PUBLISH = "off";
    await reverse(linked.outcome);
    await settle();
    expect(await statuses()).toEqual(["revoked"]);
    expect(await chainCounts()).toEqual([1, 1]);
  });
});

test("the registry's feedback is imported, with who gave it and what was revoked", async () => {
  const { agentId, requester } = await createLinkedOutcome(bench);
  const { chain, db } = bench.core;
  const hash = `0x${"cd".repeat(32)}`;
  const args = [BigInt(agentId), 87n, 2, "starred", "", "", "data:,", hash];
  await callReputation(chain, requester.account, "giveFeedback", args);
  await callReputation(chain, requester.account, "giveFeedback", args);
  await callReputation(chain, requester.account, "revokeFeedback", [BigInt(agentId), 2n]);
  await give();
  await finalise();
  await give();
  expect(
    await db.select().from(registryFeedback).where(eq(registryFeedback.client, requester.wallet)),
  ).toMatchObject([
    { erc8004AgentId: agentId, feedbackIndex: 1n, fileHash: hash, isRevoked: false },
    { erc8004AgentId: agentId, feedbackIndex: 2n, fileHash: hash, isRevoked: true },
  ]);
});
