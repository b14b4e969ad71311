import { expect, test } from "vitest";
import { chainTransactions } from "@/server/chain/tables";
import { mineUntilFinal } from "@/server/chain/transactions/finality";
import { outcomes } from "@/server/outcomes/tables";
import { createLinkedOutcome } from "@/server/testing/fixtures/linked-outcome";
import { createSettlementFixture } from "@/server/testing/fixtures/settlement";
import { giveDue } from "./give-due";
import { reputationAbi } from "./reputation-registry";
import { givenFeedback } from "./tables";

test.each([false, true])(
  "after a crash at any node call: one transaction (revocation: %s)",
  async (isRevocation) => {
    const bench = await createSettlementFixture();
    const { core, sender, node } = bench;
    const give = () => giveDue(core, sender, new Date());
    const status = async () => (await core.db.select().from(givenFeedback))[0]?.status;
    const finish = async () => {
      for (let before = ""; before !== (await status()); ) {
        before = (await status()) ?? "";
        await give();
        await mineUntilFinal(core.chain);
      }
    };
    let died = 0;
    for (let calls = 0; ; calls++) {
      await bench.clear();
      core.env.ERC8004_PUBLISH = "at-once";
      await createLinkedOutcome(bench);
      if (isRevocation) {
        await finish();
        core.env.ERC8004_PUBLISH = "off";
        await core.db.update(outcomes).set({ finalVerdict: "SUCCESS" });
      }
      await mineUntilFinal(core.chain);
      const before = node.requestedMethods.length;
      node.dieAfter(calls);
      await give().catch(() => 0);
      const survived = node.requestedMethods.length - before <= calls;
      node.setBehavior("answer");
      await finish();
      expect(await status()).toBe(isRevocation ? "revoked" : "given");
      const events = await core.chain.client.getContractEvents({
        address: core.chain.erc8004?.reputationAddress ?? "0x",
        abi: reputationAbi,
        fromBlock: 0n,
      });
      const transactions = (await core.db.select().from(chainTransactions)).filter(
        ({ purpose }) => purpose === "feedback",
      );
      expect([events.length, transactions.length]).toEqual(isRevocation ? [2, 2] : [1, 1]);
      if (survived) break;
      died += 1;
    }
    expect(died).toBeGreaterThan(8);
    await bench.close();
  },
  240_000,
);
