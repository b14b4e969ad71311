import { eq } from "drizzle-orm";
import { afterAll, beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { openDatabase } from "@/server/db/client";
import type { Sql } from "@/server/lib/context";
import { CATEGORIES } from "@/server/lib/schema";
import { reputations } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import { createWallet as wallet } from "@/server/testing/fixtures/sample-ledger";
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

function register(on: Pick<Sql, "insert">, n: number) {
  const categories = CATEGORIES.filter((_, place) => (n + place) % 3 === 0);
  return on.insert(agents).values({ wallet: wallet(n), name: `Agent ${n % 5}`, categories });
}

/** Returns what the ranks show of each agent, and what its profile and score say. */
async function readRanks() {
  const shown = await sql`
    select agent_id as id, category, score_e_2, total_outcomes, name from explorer_ranks order by 1, 2`;
  const expected = await sql`
    select agents.id, listed.category, coalesce(
        (category_scores_e_4 || jsonb_build_object('*', score_e_4)->>listed.category)::int / 100, -1
      ) as score_e_2, coalesce(total_outcomes, 0) as total_outcomes, name
    from agents left join reputations using (wallet) cross join lateral (
      select '*' as category union select unnest(categories)
      union select jsonb_object_keys(category_scores_e_4)
    ) as listed order by 1, 2`;
  return { shown: [...shown], expected: [...expected] };
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

test("concurrent scores and edits of many agents neither deadlock nor lose any", async () => {
  const AGENTS = 24;
  await Promise.all(Array.from({ length: AGENTS }, (_, n) => register(others.db, n)));

  const writers = Array.from({ length: 6 }, async (_, writer) => {
    const own = Array.from({ length: AGENTS / 6 }, (_, i) => writer + i * 6);
    for (let round = 0; round < 12; round++) {
      const scoring = others.db.transaction(async (tx) => {
        for (const n of own) {
          const scoreE4 = ((round * 7 + n) % 5) * 200_000;
          await storeScore(tx, wallet(n), { scoreE4, totalOutcomes: round + 1 });
        }
      });
      const categories = CATEGORIES.slice(round % 4, 5);
      const editing = own.map((n) =>
        others.db
          .update(agents)
          .set({ name: `Agent ${round}`, categories })
          .where(eq(agents.wallet, wallet(n))),
      );
      await Promise.all([scoring, ...editing]);
    }
  });
  await Promise.all(writers);

  const { shown, expected } = await readRanks();
  expect(shown).toEqual(expected);
  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
});

test("the histogram stays small however much changes", async () => {
  await register(db, 1);
  await changeOften(db, 1);
  await changeOften(db, 1);
  const [row] = await sql<[{ rows: number }]>`select count(*)::int as rows from explorer_counts`;
  // A row for each bucket, plus the rows appended since the last fold.
  expect(row.rows).toBeLessThan(64 * 5);
  const { counted, kept } = await readHistograms();
  expect(kept).toEqual(counted);
});

test.each([{ isolationLevel: "read committed" }, { isolationLevel: "repeatable read" }] as const)(
  "changes that are folded during a transaction at $isolationLevel are counted once",
  async (options) => {
    await register(db, 1);
    await register(db, 2);
    await others.db.transaction(async (tx) => {
      await storeScore(tx, wallet(2), { scoreE4: 500_000, totalOutcomes: 1 });
      await changeOften(db, 1);
      await changeOften(tx, 2);
    }, options);
    const { counted, kept } = await readHistograms();
    expect(kept).toEqual(counted);
  },
);

/** Makes enough changes that some of them fold. */
async function changeOften(on: Sql, n: number) {
  for (let round = 0; round < 50; round++) {
    await storeScore(on, wallet(n), { scoreE4: round * 10_000, totalOutcomes: 1 });
  }
}

test.each([
  { score: "first", other: "registration", first: "score" },
  { score: "first", other: "registration", first: "registration" },
  { score: "next", other: "registration", first: "score" },
  { score: "next", other: "registration", first: "registration" },
  { score: "next", other: "edit", first: "score" },
  { score: "next", other: "edit", first: "edit" },
])(
  "a concurrent $other and $score score of its wallet see each other, $first first",
  async ({ score, other, first }) => {
    if (score === "next") await storeScore(db, wallet(7), { scoreE4: 1, totalOutcomes: 1 });
    if (other === "edit") await register(db, 7);
    const scoring = createTransaction((tx) =>
      storeScore(tx, wallet(7), { scoreE4: 812_345, totalOutcomes: 3 }),
    );
    const writing = createTransaction((tx) =>
      other === "edit" ? tx.update(agents).set({ name: "New" }) : register(tx, 7),
    );
    const [one, next] = first === "score" ? [scoring, writing] : [writing, scoring];

    const begun = one.begin();
    await one.written;
    const alsoBegun = next.begin();
    await writtenOrWaiting(next.written);
    one.commit();
    next.commit();
    await Promise.all([begun, alsoBegun]);

    const { shown, expected } = await readRanks();
    expect(shown).toEqual(expected);
    expect(shown).toContainEqual(
      expect.objectContaining({ category: "*", score_e_2: 8_123, total_outcomes: 3 }),
    );
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
