import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { openDatabase } from "@/server/db/client";
import { explorerEntries } from "@/server/explorer/tables";
import type { Sql } from "@/server/lib/context";
import { CATEGORIES } from "@/server/lib/schema";
import { toChecksumAddress } from "@/server/lib/wallet";
import { reputations } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import { storeScore } from "@/server/testing/model/explorer-model";

const database = await createTestDatabase();
const others = openDatabase(database.url, 8);
const { db } = database;
const { sql } = db;
afterAll(async () => {
  await others.close();
  await database.close();
});

beforeEach(async () => {
  await db.delete(agents);
  await db.delete(reputations);
});

const wallet = (n: number) => toChecksumAddress(`0x${n.toString(16).padStart(40, "0")}`);

function register(on: Pick<Sql, "insert">, n: number) {
  const categories = CATEGORIES.filter((_, place) => (n + place) % 3 === 0);
  return on.insert(agents).values({ wallet: wallet(n), name: `Agent ${n % 5}`, categories });
}

/** Returns the histogram computed from the ranks, and the stored one. */
async function readHistograms() {
  const counted = await sql`
    select category, tier, floor(score_e_2 / 100.0)::int as points, count(*)::int as agents
    from explorer_ranks group by 1, 2, 3 order by 1, 2, 3`;
  const kept = await sql`
    select category, tier, points, sum(agents)::int as agents from explorer_counts
    group by 1, 2, 3 having sum(agents) <> 0 order by 1, 2, 3`;
  return { counted: [...counted], kept: [...kept] };
}

test("concurrent writers that change many agents in different orders neither deadlock nor miscount", async () => {
  const AGENTS = 24;
  await Promise.all(Array.from({ length: AGENTS }, (_, n) => register(others.db, n)));

  // Each writer has its own wallets, but all share the same few buckets of the histogram.
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    const own = Array.from({ length: AGENTS / 8 }, (_, i) => writer + i * 8);
    if (writer % 2) own.reverse();
    for (let round = 0; round < 12; round++) {
      await others.db.transaction(async (tx) => {
        for (const n of own) {
          const scoreE4 = ((round * 7 + n) % 5) * 200_000;
          await storeScore(tx, wallet(n), { scoreE4, totalOutcomes: round + 1 });
        }
        const name = `Agent ${round % 3}`;
        await tx
          .update(agents)
          .set({ name })
          .where(eq(agents.wallet, wallet(own[0] ?? 0)));
      });
    }
  });
  await Promise.all(writers);

  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
  expect(
    counted.filter((row) => row.category === "*").reduce((sum, row) => sum + row.agents, 0),
  ).toBe(AGENTS);
});

test("the histogram stays small however much changes", async () => {
  await register(db, 1);
  for (let round = 0; round < 300; round++) {
    await storeScore(db, wallet(1), { scoreE4: (round % 2) * 10_000, totalOutcomes: 1 });
  }
  const [row] = await sql<[{ rows: number }]>`select count(*)::int as rows from explorer_counts`;
  // Three buckets, plus the rows appended since the last fold.
  expect(row.rows).toBeLessThan(64 * 5);
  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
});

test("changes that are folded during other transactions are counted once", async () => {
  await register(db, 1);
  await register(db, 2);
  const slow = createTransaction((tx) =>
    storeScore(tx, wallet(2), { scoreE4: 500_000, totalOutcomes: 1 }),
  );
  const begun = slow.begin();
  await slow.written;
  await changeOften(db, 1);
  await changeOften(db, 1);
  slow.commit();
  await begun;
  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
});

test("a repeatable-read writer is not blocked by concurrent folding", async () => {
  await register(db, 1);
  await register(db, 2);
  await others.db.transaction(
    async (tx) => {
      await storeScore(tx, wallet(1), { scoreE4: 10_000, totalOutcomes: 1 });
      await changeOften(db, 2);
      await changeOften(tx, 1);
    },
    { isolationLevel: "repeatable read" },
  );
  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
});

/** Makes enough changes that one of them folds. */
async function changeOften(on: Sql, n: number) {
  for (let round = 0; round < 50; round++) {
    await storeScore(on, wallet(n), { scoreE4: round * 10_000, totalOutcomes: 1 });
  }
}

test.each([
  { score: "first", first: "score" },
  { score: "first", first: "registration" },
  { score: "next", first: "score" },
  { score: "next", first: "registration" },
])(
  "a concurrent registration and $score score of its wallet see each other, $first first",
  async ({ score, first }) => {
    if (score === "next") await storeScore(db, wallet(7), { scoreE4: 1, totalOutcomes: 1 });
    const scoring = createTransaction((tx) =>
      storeScore(tx, wallet(7), { scoreE4: 812_345, totalOutcomes: 3 }),
    );
    const registering = createTransaction((tx) => register(tx, 7));
    const [one, other] = first === "score" ? [scoring, registering] : [registering, scoring];

    const begun = one.begin();
    await one.written;
    const alsoBegun = other.begin();
    await writtenOrWaiting(other.written);
    one.commit();
    other.commit();
    await Promise.all([begun, alsoBegun]);

    const [entry] = await db.select().from(explorerEntries);
    expect(entry).toMatchObject({ scoreE2: 8_123, tier: "TRUSTED", totalOutcomes: 3 });
  },
);

/** Starts a transaction that writes immediately and commits on demand. */
function createTransaction(write: (tx: Sql) => Promise<unknown>) {
  const written = createSignal();
  const released = createSignal();
  return {
    written: written.given,
    commit: released.give,
    begin: () =>
      others.db.transaction(async (tx) => {
        await write(tx);
        written.give();
        await released.given;
      }),
  };
}

function createSignal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

/** Resolves when something is written, or when a session waits for a lock. */
async function writtenOrWaiting(written: Promise<void>): Promise<void> {
  let isWritten = false;
  written.then(() => {
    isWritten = true;
  });
  while (!isWritten) {
    const [row] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    if (row.waiting > 0) return;
  }
}
