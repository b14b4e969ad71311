import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { chainTransactions } from "@/server/chain/tables";
import { outcomes } from "@/server/outcomes/tables";
import { createFundedJob, readJobStatus, submitDeliverable } from "@/server/testing/chain/escrow";
import {
  BUDGET_MICRO,
  createDeal,
  insertDelivery,
  WORK,
} from "@/server/testing/fixtures/escrow-deal";
import { createSettlementFixture } from "@/server/testing/fixtures/settlement";
import { advanceEscrows } from "./advance-escrows";

const COMPLETED = 3;

const bench = await createSettlementFixture();
afterAll(() => bench.close());

const local = () => ({ chain: bench.core.chain, node: bench.control });
const advance = (timeoutMs = 20_000) => advanceEscrows(bench.core, bench.sender, timeoutMs);
const findOutcome = async (id: string) =>
  (await bench.core.db.select().from(outcomes).where(eq(outcomes.id, id)))[0];
const countSigned = async () => (await bench.core.db.select().from(chainTransactions)).length;

test("after a crash at any node call: one decision, by one transaction", async () => {
  let died = 0;
  for (let calls = 0; ; calls++) {
    const signed = await countSigned();
    const deal = await createDeal(bench);
    const jobId = await createFundedJob(local(), deal.job);
    await submitDeliverable(local(), deal.contractor.account, jobId, WORK);
    const { id } = await insertDelivery(bench, deal);
    bench.node.dieAfter(calls);
    const survived = await advance(0).then(
      async () => (await findOutcome(id))?.paidMicro === BUDGET_MICRO,
      () => false,
    );
    bench.node.setBehavior("answer");
    while ((await findOutcome(id))?.paidMicro !== BUDGET_MICRO) {
      await bench.sender.resendOpen();
      await advance();
    }
    await bench.control.mine({ blocks: 3 });
    await advance();
    expect(await readJobStatus(local(), jobId)).toBe(COMPLETED);
    expect((await countSigned()) - signed).toBe(1);
    if (survived) break;
    died += 1;
  }
  expect(died).toBeGreaterThan(8);
}, 240_000);
