import { afterAll, expect, test } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import {
  createOutcomeId,
  createPaidOutcome,
  createWallet,
  insertLedger,
} from "@/server/testing/fixtures/sample-ledger";
import { createReputationCache } from "./cache";
import { createReputationRouter } from "./router";
import { updateReputation } from "./update";

const database = await createTestDatabase();
const { db, url } = database;
const core = createTestCore(database);
// On the day of the last outcome below.
const clock = () => Date.parse("2026-11-23T15:00:00Z");
const cache = createReputationCache({ db: core.db, url, log: core.log, clock });
afterAll(async () => {
  await cache.close();
  await database.close();
});

const api = createCallerFactory(createReputationRouter(cache))(createTestContext(core).context);
const AGENT = createWallet(0xabc);
const UNRANKED = createWallet(0xdef);

for (const n of [1, 2, 3]) {
  await db.transaction(async (tx) => {
    const at = new Date(`2026-11-2${n}T12:00:00Z`);
    const outcome = createPaidOutcome(n, { contractor: AGENT, requester: createWallet(100 + n) });
    await insertLedger(tx, [{ ...outcome, resolvedAt: at.getTime() / 1000 }], n);
    await updateReputation(tx, {
      wallet: AGENT,
      cause: "outcome",
      outcomeId: createOutcomeId(n),
      seq: n,
      now: at,
    });
  });
}

test("a wallet is found in any letter case and returned in checksum form", async () => {
  const expected = {
    walletAddress: AGENT,
    tier: "NEWCOMER",
    totalOutcomes: 3,
    scoreDay: "2026-11-23",
    lastUpdated: "2026-11-23T12:00:00.000Z",
  };
  expect(await api.get({ walletAddress: AGENT.toLowerCase() })).toMatchObject(expected);
  expect(await api.get({ walletAddress: `0x${AGENT.slice(2).toUpperCase()}` })).toMatchObject(
    expected,
  );
  await expect(api.get({ walletAddress: "0x12" })).rejects.toThrow();
});

test("bulk returns one record per entry, in order", async () => {
  const bulkResult = await api.bulk({ addresses: [UNRANKED, AGENT.toLowerCase(), UNRANKED] });
  expect(bulkResult.map(({ walletAddress }) => walletAddress)).toEqual([UNRANKED, AGENT, UNRANKED]);
  expect(bulkResult[1]).toEqual(await api.get({ walletAddress: AGENT }));
  await expect(api.bulk({ addresses: [] })).rejects.toThrow();
  await expect(api.bulk({ addresses: Array(101).fill(AGENT) })).rejects.toThrow();
  expect(await api.bulk({ addresses: Array(100).fill(AGENT) })).toHaveLength(100);
});

test("the history is paged, newest first", async () => {
  const first = await api.history({ walletAddress: AGENT.toLowerCase(), size: 2 });
  expect(first).toMatchObject({ totalElements: 3, totalPages: 2, page: 0, size: 2 });
  expect(first.content.map(({ version }) => version)).toEqual([3, 2]);
  const last = await api.history({ walletAddress: AGENT, size: 2, page: 1 });
  expect(last.content).toEqual([
    {
      at: "2026-11-21T12:00:00.000Z",
      version: 1,
      score: 21.42,
      previousScore: 0,
      tier: "NEWCOMER",
      totalOutcomes: 1,
      cause: "outcome",
      outcomeId: createOutcomeId(1),
      disputeId: null,
      seq: 1,
      receipt: {
        rule: "success",
        sentence: "A paid success of 20.00 USDC for a new client.",
        effect: 21.4285,
        days: 0,
        before: null,
        after: expect.objectContaining({ quality: 1, paid: [0.818181818, 0] }),
      },
    },
  ]);
  expect(first.nextTier).toMatchObject({ tier: "TRUSTED" });
  expect(first.content[1]?.previousScore).toBe(21.42);
  expect(await api.history({ walletAddress: UNRANKED })).toMatchObject({
    content: [],
    totalElements: 0,
    totalPages: 0,
  });
});
