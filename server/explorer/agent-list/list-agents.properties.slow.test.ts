import * as fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { readLeaderboard, searchAgents } from "@/server/explorer/queries";
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
} from "@/server/testing/model/explorer-model";
import { toEntry, toScoreE2 } from "./list-agents";
import { readRankedAgents } from "./ranked-agents";
import type { ExplorerEntry } from "./schema";
import { parseSearchTerm } from "./search-term";
import { countText, searchText } from "./text-search";

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
      for (const query of queries) {
        const term = parseSearchTerm(query.q);
        if (!term) continue;
        const { category, tier, minScore = 0, sort, page, size } = query;
        const filter = { category, tier, minScoreE2: toScoreE2(minScore) };
        const range = { offset: page * size, limit: size };
        // A new count for each search, since one is reused for some time.
        const request = { filter, term, sort, range };
        const options = { most: 1, count: countText };
        const { rows, total, isMore } = await searchText(db, request, options);
        const { content, totalElements } = expectedPage(model, query);
        expect(rows.map((row) => toEntry(row, category))).toEqual(
          content.slice(0, 1 - range.offset),
        );
        expect([total, isMore]).toEqual([Math.min(totalElements, 1), totalElements > 1]);
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
        expect(found).toEqual({
          ...{ ...expectedFound, isMore: false, outOf: all.totalElements },
          ...{ hirable: expectedFound.totalElements, withEscrow: 0 },
        });
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

test("no ranks and counts are left once all agents are deleted", async () => {
  await fc.assert(
    fc.asyncProperty(history, async (changes) => {
      await applyChanges(changes);
      await db.delete(agents);
      expect([...(await sql`select from explorer_ranks`)]).toEqual([]);
      const left = await sql`
        select category, tier, points from explorer_counts group by 1, 2, 3 having sum(agents) <> 0`;
      expect([...left]).toEqual([]);
    }),
    { numRuns: 5 },
  );
});
