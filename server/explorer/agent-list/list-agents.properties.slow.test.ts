import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { readLeaderboard, searchAgents } from "@/server/explorer/queries";
import type { ExplorerEntry } from "@/server/explorer/schema";
import { reputations } from "@/server/reputation/tables";
import { createTestDatabase } from "@/server/testing/database";
import {
  applyToDatabase,
  applyToModel,
  type Change,
  change,
  expectedPage,
  type Model,
  searchQuery,
  storeScore,
  WALLETS,
} from "@/server/testing/model/explorer-model";
import { countAgents, parseSearchTerm, toScoreE4 } from "./filter";
import { listAgents, toEntry } from "./list-agents";
import { readRankedAgents } from "./ranked-agents";
import { createTextCount, searchText } from "./text-search";

const database = await createTestDatabase();
const { db } = database;
const { sql } = db;
afterAll(database.close);

async function applyChanges(changes: Change[]): Promise<Model> {
  await db.delete(agents);
  await db.delete(reputations);
  const model: Model = { agents: new Map(), scores: new Map() };
  for (const one of changes) {
    applyToModel(model, one);
    await applyToDatabase(db, model, one);
  }
  return model;
}

const toListed = ({ agentId, score, categoryScore }: ExplorerEntry) => ({
  agentId,
  score,
  categoryScore,
});

// Long enough that most wallets go through several changes.
const history = fc.array(change, { minLength: 15, maxLength: 60, size: "max" });
const questions = fc.array(searchQuery, { minLength: 12, maxLength: 12 });
const runs = { numRuns: 40 };

test("after any history every search returns what the model returns", async () => {
  await fc.assert(
    fc.asyncProperty(history, questions, async (changes, queries) => {
      const model = await applyChanges(changes);
      for (const query of queries) {
        expect(await searchAgents(db, query)).toEqual(expectedPage(model, query));
      }
    }),
    runs,
  );
});

test("a text search returns the same if too many match to be collected", async () => {
  await fc.assert(
    fc.asyncProperty(history, questions, async (changes, queries) => {
      const model = await applyChanges(changes);
      for (const [n, query] of queries.entries()) {
        const term = parseSearchTerm(query.q);
        if (!term) continue;
        const { category, tier, minScore = 0, sort, page, size } = query;
        const found = await searchText(
          db,
          // A new one for each search, since a count is reused for some time.
          createTextCount(db),
          {
            filter: { category, tier, minScoreE4: toScoreE4(minScore), onlyRanked: false },
            term,
            sort,
            range: { offset: page * size, limit: size },
          },
          { sampled: 1 + (n % 3), scanned: 1 + (n % 4), collected: 1, listed: 1_000 },
        );
        const { content, totalElements } = expectedPage(model, query);
        expect({ content: found.rows.map(toEntry), totalElements: found.total }).toEqual({
          content,
          totalElements,
        });
      }
    }),
    runs,
  );
});

test("a list is the same if too many agents have the tier to be sorted", async () => {
  await fc.assert(
    fc.asyncProperty(history, questions, async (changes, queries) => {
      const model = await applyChanges(changes);
      for (const { q: _, category, tier, sort, page, size } of queries) {
        const filter = { category, tier, minScoreE4: 0, onlyRanked: false };
        const extent = await countAgents(db, filter);
        const range = { offset: page * size, limit: size };
        const rows = await listAgents(db, { filter, extent, sort, range }, 0);
        const expected = expectedPage(model, { category, tier, sort, page, size });
        expect(rows.map(toEntry)).toEqual(expected.content);
      }
    }),
    runs,
  );
});

test("the leaderboard page has the same agents in each of its orders", async () => {
  await fc.assert(
    fc.asyncProperty(history, questions, async (changes, queries) => {
      const model = await applyChanges(changes);
      for (const [n, query] of queries.entries()) {
        const { tier, minScore, page, size } = query;
        const sort = (["score", "successRate", "outcomes", "name"] as const)[n % 4] ?? "score";
        if (tier === "UNRANKED") continue;
        // The model has no figures in a category, by which these orders go there.
        const isByFigure = sort === "successRate" || sort === "outcomes";
        const category = isByFigure ? undefined : query.category;
        const input = { category, tier, minScore, sort, page, size };
        const { content, ...found } = await readRankedAgents(db, input, new Date());
        const { content: expected, ...expectedFound } = expectedPage(model, input, true);
        expect(content.map(toListed)).toEqual(expected.map(toListed));
        const all = expectedPage(model, { category, sort, page, size }, true);
        expect(found).toEqual({ ...expectedFound, isMore: false, outOf: all.totalElements });
      }
    }),
    runs,
  );
});

test("the leaderboard has the agents with outcomes, best first", async () => {
  await fc.assert(
    fc.asyncProperty(history, questions, async (changes, queries) => {
      const model = await applyChanges(changes);
      for (const { category, tier, page, size } of queries) {
        const input = { category, tier, page, size };
        expect(await readLeaderboard(db, input, new Date())).toEqual(
          expectedPage(model, { ...input, sort: "score" }, true),
        );
      }
    }),
    runs,
  );
});

/** Returns the rows of `explorer_orders`, and what they are computed from. */
async function readOrders() {
  const expected = await sql`
    select agent_id, category, score_e_2 >= 0 as is_ranked, total_outcomes, success_rate_e_4,
      requesters, name, tier, last_active, created_at
    from explorer_ranks order by agent_id, category`;
  const stored = await sql`
    select agent_id, category, is_ranked, total_outcomes, success_rate_e_4, requesters, name, tier,
      last_active, created_at
    from explorer_orders order by agent_id, category`;
  return { stored: [...stored], expected: [...expected] };
}

test("after any history both tables of orders have the same agents", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (changes) => {
      await applyChanges(changes);
      const { stored, expected } = await readOrders();
      expect(stored).toEqual(expected);
    }),
    runs,
  );
});

test("a new score alone writes nothing to the orders without it", async () => {
  await db.delete(agents);
  await db.delete(reputations);
  const [wallet = expect.fail()] = WALLETS;
  await db.insert(agents).values({ wallet, name: "Ant", categories: ["ops", "legal"] });
  const readVersions = async () => [
    ...(await sql`select category, xmin::text from explorer_orders order by category`),
  ];
  const score = { scoreE4: 500_000, totalOutcomes: 2, categoryScoresE4: { ops: 500_000 } };
  await storeScore(db, wallet, score);
  const before = await readVersions();
  expect(before).toHaveLength(3);
  await storeScore(db, wallet, { ...score, scoreE4: 490_000, categoryScoresE4: { ops: 490_000 } });
  expect(await readVersions()).toEqual(before);
  await storeScore(db, wallet, { ...score, totalOutcomes: 3 });
  expect(await readVersions()).not.toEqual(before);
});

test("after any history the counts are empty once all agents are deleted", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (changes) => {
      await applyChanges(changes);
      await db.delete(agents);
      const left = await sql`
        select category, tier, points from explorer_counts group by 1, 2, 3 having sum(agents) <> 0`;
      const [ranks] = await sql`select count(*)::int as ranks from explorer_ranks`;
      expect(await readOrders()).toEqual({ stored: [], expected: [] });
      expect([...left]).toEqual([]);
      expect(ranks).toEqual({ ranks: 0 });
    }),
    { numRuns: 15 },
  );
});
