import { eq } from "drizzle-orm";
import { decodeFunctionData, type Hex, keccak256, stringToBytes } from "viem";
import { describe, expect, test } from "vitest";
import { mineUntilFinal } from "@/server/chain/transactions/finality";
import { identityLinks } from "@/server/identities/tables";
import { outcomes } from "@/server/outcomes/tables";
import { sendDirectly } from "@/server/testing/chain/chain";
import { callReputation } from "@/server/testing/chain/erc8004";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { createLinkedOutcome } from "@/server/testing/fixtures/linked-outcome";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { giveDue } from "./give-due";
import { countRegistryFeedback, prepareFeedback, requireFile } from "./queries";
import { reputationAbi } from "./reputation-registry";

const bench = await shareSettlementFixture();

/** Imports the registry's feedback. */
async function synchronise() {
  await mineUntilFinal(bench.core.chain);
  await giveDue(bench.core, bench.sender, new Date(), 5_000);
}

describe("feedback by the requester", () => {
  test("is a transaction that the requester's wallet can send, with a file that names it", async () => {
    const { agentId, outcome, requester } = await createLinkedOutcome(bench);
    const { chain } = bench.core;
    const call = await prepareFeedback(bench.core, outcome.id);
    expect(call).toMatchObject({ to: chain.erc8004?.reputationAddress, chainId: 31_337, agentId });
    const { to, data } = call as { to: Hex; data: Hex };
    const { status } = await sendDirectly(chain, requester.account, { to, data, gas: 500_000n });
    expect(status).toBe("success");
    const { args } = decodeFunctionData({ abi: reputationAbi, data });
    expect(args.slice(1)).toEqual([
      0n,
      0,
      "job_completion",
      "standing",
      `http://localhost:3000/outcomes/${outcome.id}`,
      call.feedbackUri,
      call.feedbackHash,
    ]);
    const hash = call.feedbackUri.split("/").at(-1)?.replace(".json", "") ?? "";
    const file = await requireFile(bench.core, { outcomeId: outcome.id, hash });
    expect(keccak256(stringToBytes(file))).toBe(call.feedbackHash);
    expect(JSON.parse(file)).toMatchObject({ clientAddress: `eip155:31337:${requester.wallet}` });
  });

  test("is the same at every request, and its file stays when the link ends", async () => {
    const { outcome } = await createLinkedOutcome(bench);
    const call = await prepareFeedback(bench.core, outcome.id);
    expect(await prepareFeedback(bench.core, outcome.id)).toEqual(call);
    await bench.core.db.delete(identityLinks);
    const hash = call.feedbackHash;
    expect(await requireFile(bench.core, { outcomeId: outcome.id, hash })).toContain(outcome.id);
  });

  test("is refused if there is nothing to say", async () => {
    const { outcome } = await createLinkedOutcome(bench);
    const { db } = bench.core;
    const isIt = eq(outcomes.id, outcome.id);
    await db.update(outcomes).set({ assessed: false }).where(isIt);
    await expect(prepareFeedback(bench.core, outcome.id)).rejects.toThrow(/^conflict/);
    await db.update(outcomes).set({ assessed: true }).where(isIt);
    await db.delete(identityLinks);
    await expect(prepareFeedback(bench.core, outcome.id)).rejects.toThrow(/^conflict/);
    const pending = await insertPendingOutcome(bench.core, await createTestAgent(bench.core));
    await expect(prepareFeedback(bench.core, pending.id)).rejects.toThrow(/^outcome-not-resolved/);
  });

  test("names what the operator must set if there are no registries", async () => {
    const core = { ...bench.core, chain: { ...bench.core.chain, erc8004: null } };
    const { outcome } = await createLinkedOutcome(bench);
    await expect(prepareFeedback(core, outcome.id)).rejects.toThrow(/^identities-unavailable/);
  });
});

test("a file is found only under its own outcome", async () => {
  const { outcome } = await createLinkedOutcome(bench);
  const other = await createLinkedOutcome(bench);
  const { feedbackHash: hash } = await prepareFeedback(bench.core, outcome.id);
  const outcomeId = other.outcome.id;
  await expect(requireFile(bench.core, { outcomeId, hash })).rejects.toThrow(/^not-found/);
});

describe("feedback of others", () => {
  test("is counted with its clients and those that paid the agent", async () => {
    bench.core.env.ERC8004_PUBLISH = "at-once";
    const { agentId, contractor, requester } = await createLinkedOutcome(bench);
    const stranger = await createTestAgent(bench.core);
    const give = (from: typeof stranger, value: bigint) =>
      callReputation(bench.core.chain, from.account, "giveFeedback", [
        BigInt(agentId),
        value,
        0,
        "starred",
        "<script>",
        "",
        "",
        `0x${"00".repeat(32)}`,
      ]);
    for (const from of [requester, stranger, stranger]) await give(from, 90n);
    await give(requester, 1n);
    await callReputation(bench.core.chain, requester.account, "revokeFeedback", [
      BigInt(agentId),
      2n,
    ]);
    await synchronise();
    await synchronise();
    // Feedback of this service is in the registry too, and not counted.
    expect(await countRegistryFeedback(bench.core, contractor.wallet)).toMatchObject({
      agentId,
      feedback: 3,
      clients: 2,
      payingClients: 1,
      countsInScore: false,
    });
  });

  test("of a wallet without an agent is not found", async () => {
    const { contractor } = await createLinkedOutcome(bench);
    expect(await countRegistryFeedback(bench.core, contractor.wallet)).toMatchObject({
      feedback: 0,
      clients: 0,
    });
    await bench.core.db.delete(identityLinks);
    await expect(countRegistryFeedback(bench.core, contractor.wallet)).rejects.toThrow(
      /^not-found/,
    );
  });
});
