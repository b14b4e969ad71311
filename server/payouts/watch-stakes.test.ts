import { eq } from "drizzle-orm";
import type { PrivateKeyAccount } from "viem/accounts";
import { beforeEach, expect, test } from "vitest";
import { usedTransfers } from "@/server/chain/tables";
import { payouts } from "@/server/disputes/tables";
import { createFundedAccount } from "@/server/testing/chain/payments";
import { claimPaidStake, createJudgedDispute, recordAll } from "@/server/testing/fixtures/dispute";
import { advanceOpenPayouts } from "@/server/testing/fixtures/payouts";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { recheckPendingStakes } from "./watch-stakes";

const bench = await shareSettlementFixture();
let payer: PrivateKeyAccount;
beforeEach(async () => {
  payer = await createFundedAccount({ chain: bench.core.chain, node: bench.control });
});

const watch = () => recheckPendingStakes(bench.core);
const find = async (id: string) =>
  (await bench.core.db.select().from(usedTransfers).where(eq(usedTransfers.id, id)))[0];

test("a stake is rechecked until it is final", async () => {
  const { id } = await claimPaidStake(bench, payer);
  await watch();
  expect(await find(id)).toMatchObject({ goneAt: null, finalAt: null });
  await bench.control.mine({ blocks: 2 });
  expect(await watch()).toBe(0);
  expect(await find(id)).toMatchObject({ goneAt: null, finalAt: expect.any(Date) });
  bench.node.requestedMethods.length = 0;
  await watch();
  expect(bench.node.requestedMethods).toEqual([]);
});

test("a stake that a reorganisation removed is marked as gone once that is final", async () => {
  const before = await bench.control.snapshot();
  const { id } = await claimPaidStake(bench, payer);
  await bench.control.revert({ id: before });
  expect(await watch()).toBe(0);
  expect(await find(id)).toMatchObject({ goneAt: null });
  await bench.control.mine({ blocks: 10 });
  expect(await watch()).toBe(1);
  expect(await find(id)).toMatchObject({ goneAt: expect.any(Date), finalAt: null });
  expect(await watch()).toBe(0);
});

test("a winner whose stake was reorged away is paid nothing", async () => {
  const before = await bench.control.snapshot();
  const stakes = { requester: 500_000n, contractor: 500_000n };
  await createJudgedDispute(bench, "REQUESTER_WINS", { stakes });
  await bench.control.revert({ id: before });
  // Records are mined again from the same bytes; the parties' payments are not.
  await bench.sender.resendOpen();
  await bench.control.mine({ blocks: 10 });
  expect(await watch()).toBe(2);
  await recordAll(bench);
  await advanceOpenPayouts(bench.core, bench.sender);
  expect(await bench.core.db.select().from(payouts)).toEqual([]);
});

test("a transfer for another purpose is not checked", async () => {
  const { id } = await claimPaidStake(bench, payer, 500_000n, "unattached-stake");
  await bench.control.mine({ blocks: 2 });
  await watch();
  expect(await find(id)).toMatchObject({ finalAt: null });
});
