import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as fc from "fast-check";
import { agents } from "@/server/agents/tables";
import {
  type LEADERBOARD_SORTS,
  type SearchInput,
  SORTS,
} from "@/server/explorer/agent-list/schema";
import type { Sql } from "@/server/lib/context";
import { type Category, createPage, TIERS, type Tier } from "@/server/lib/schema";
import { toChecksumAddress } from "@/server/lib/wallet";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { getTier } from "@/server/reputation/score/score";
import { reputations } from "@/server/reputation/tables";

// A naive reference model of the explorer: everything in memory, filtered and sorted.

export interface ModelAgent {
  agentId: string;
  walletAddress: string;
  name: string;
  description: string;
  categories: Category[];
  walletVerified: boolean;
  registered: number;
}
interface ModelScore {
  scoreE4: number;
  totalOutcomes: number;
  /** Scores in the categories with an outcome; by default only in `ops`, the overall one. */
  categoryScoresE4?: Partial<Record<Category, number>>;
  /** Null without a confirmed outcome; by default 10,000. */
  successRateE4?: number | null;
  /** UTC day for which it was computed; by default today. */
  scoreDay?: string;
}
export interface Model {
  agents: Map<string, ModelAgent>;
  scores: Map<string, ModelScore>;
}

/** Wallets that share prefixes, so that one prefix can match several. */
export const WALLETS = ["a", "ab", "abc", "b0", "b0b", "00"].map((start) =>
  toChecksumAddress(`0x${start.padEnd(40, "1")}`),
);

const WORDS = ["Ant", "ant", "bee", "É", "é", "%", "_", "\\", "100%", "a_b", "\n", "日本"];
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const wallet = fc.constantFrom(...WALLETS);
const USED: Category[] = ["ops", "legal", "research"];
const categories = fc.subarray(USED);
const scoreE4 = fc.oneof(
  fc.constantFrom(0, 99, 100, 6_999_99, 700_000, 849_999, 850_000, 950_000, 1_000_000),
  fc.integer({ min: 690_000, max: 710_000 }),
  fc.integer({ min: 0, max: 1_000_000 }),
);

export const change = fc.oneof(
  fc.record({ kind: fc.constant("register"), wallet, name: words, description: words, categories }),
  fc.record({ kind: fc.constant("edit"), wallet, name: words, description: words, categories }),
  fc.record({ kind: fc.constant("prove"), wallet }),
  fc.record({ kind: fc.constant("remove"), wallet }),
  fc.record({
    kind: fc.constant("score"),
    wallet,
    scoreE4,
    totalOutcomes: fc.integer({ min: 1, max: 3 }),
    categoryScoresE4: fc.dictionary(fc.constantFrom<Category>(...USED, "finance"), scoreE4),
    successRateE4: fc.constantFrom(null, 0, 9_000, 10_000),
  }),
  fc.record({ kind: fc.constant("forget"), wallet }),
);
export type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

const TERMS = ["", "a", "n", "nt", "ANT", "%", "_", "\\", "日"];
const WALLET_TERMS = ["0x", "0X", "0xA", "0xab", "0XB0", "0x0", "0xzz"];

export const searchQuery: fc.Arbitrary<SearchInput> = fc.record(
  {
    q: fc.oneof(words, fc.constantFrom(...TERMS, ...WALLET_TERMS)),
    category: fc.constantFrom<Category>(...USED, "finance", "trading"),
    tier: fc.constantFrom(...TIERS),
    minScore: fc.oneof(
      fc.constantFrom(0, 0.01, 69.99, 70, 70.005, 85, 100, 0.07, 70.07),
      fc.double({ min: 0, max: 100, noNaN: true }),
    ),
    sort: fc.constantFrom(...SORTS),
    page: fc.integer({ min: 0, max: 3 }),
    size: fc.constantFrom(1, 2, 3, 100),
  },
  { requiredKeys: ["sort", "page", "size"] },
);

/** Applies a change to the model. */
export function applyToModel({ agents, scores }: Model, change: Change): void {
  const known = agents.get(change.wallet);
  switch (change.kind) {
    case "register":
      if (known) return;
      agents.set(change.wallet, {
        agentId: randomUUID(),
        walletAddress: change.wallet,
        name: change.name,
        description: change.description,
        categories: change.categories,
        walletVerified: false,
        registered: clock++,
      });
      return;
    case "edit":
      if (known) {
        const { name, description, categories } = change;
        agents.set(change.wallet, { ...known, name, description, categories });
      }
      return;
    case "prove":
      if (known) agents.set(change.wallet, { ...known, walletVerified: true });
      return;
    case "remove":
      agents.delete(change.wallet);
      return;
    case "score":
      scores.set(change.wallet, change);
      return;
    case "forget":
      scores.delete(change.wallet);
  }
}

let clock = 0;

/** Applies the same change to the database; `model` already contains it. */
export async function applyToDatabase(db: Sql, model: Model, change: Change): Promise<void> {
  const known = model.agents.get(change.wallet);
  const ofWallet = eq(agents.wallet, change.wallet);
  switch (change.kind) {
    case "register":
      if (!known) return;
      await db
        .insert(agents)
        .values({
          id: known.agentId,
          wallet: known.walletAddress,
          name: known.name,
          description: known.description,
          categories: known.categories,
          createdAt: new Date(Date.UTC(2026, 0, 1) + known.registered),
        })
        .onConflictDoNothing();
      return;
    case "edit":
      await db
        .update(agents)
        .set({ name: change.name, description: change.description, categories: change.categories })
        .where(ofWallet);
      return;
    case "prove":
      await db.update(agents).set({ walletVerifiedAt: sql`now()` }).where(ofWallet);
      return;
    case "remove":
      await db.delete(agents).where(ofWallet);
      return;
    case "score":
      await storeScore(db, change.wallet, change);
      return;
    case "forget":
      await db.delete(reputations).where(eq(reputations.wallet, change.wallet));
  }
}

/** Stores a score as a settlement would, replacing the previous one. */
export async function storeScore(db: Sql, wallet: string, score: ModelScore): Promise<void> {
  const { scoreE4, totalOutcomes, successRateE4 = 10_000 } = score;
  const row = {
    scoreE4,
    totalOutcomes,
    tier: getScoreTier(score),
    confirmedOutcomes: successRateE4 === null ? 0 : totalOutcomes,
    successRateE4: successRateE4 ?? 0,
    assessedSuccessRateE4: successRateE4,
    categoryScoresE4: { ...(score.categoryScoresE4 ?? { ops: scoreE4 }) },
  };
  await db
    .insert(reputations)
    .values({
      ...row,
      wallet,
      disputeRateE4: 0,
      breakdown: {
        quality: 1,
        confidence: 0.5,
        good: 3,
        tenureCapacity: 10,
        claimed: [3, 0],
        paid: [0, 0],
        anchored: [0, 0],
      },
      version: 1,
      scoreDay: score.scoreDay ?? formatUtcDay(new Date()),
      lastUpdated: new Date("2026-11-21T12:00:00Z"),
    })
    .onConflictDoUpdate({ target: reputations.wallet, set: row });
}

function getScoreTier({ scoreE4, totalOutcomes }: ModelScore): Tier {
  return getTier(scoreE4, totalOutcomes);
}

const publish = (e4: number) => Math.floor(e4 / 100) / 100;

/** Returns every agent with its score, and with the one that ranks it in the category. */
function listEntries({ agents, scores }: Model, category: Category | undefined) {
  return [...agents.values()].map((agent) => {
    const score: ModelScore = scores.get(agent.walletAddress) ?? { scoreE4: 0, totalOutcomes: 0 };
    const ownE4 = category ? score.categoryScoresE4?.[category] : score.scoreE4;
    const isRanked = score.totalOutcomes > 0 && ownE4 !== undefined;
    return {
      ...agent,
      score: publish(score.scoreE4),
      ...(category && ownE4 !== undefined ? { categoryScore: publish(ownE4) } : {}),
      tier: getScoreTier(score),
      totalOutcomes: score.totalOutcomes,
      isRanked,
      rankScore: isRanked ? publish(ownE4) : 0,
      successRate: score.successRateE4 ?? -1,
    };
  });
}
type Entry = ReturnType<typeof listEntries>[number];

const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
const byScore = (a: Entry, b: Entry) =>
  Number(b.isRanked) - Number(a.isRanked) || b.rankScore - a.rankScore;
const byOutcomes = (a: Entry, b: Entry) => b.totalOutcomes - a.totalOutcomes;
const byName = (a: Entry, b: Entry) => byText(a.name, b.name) || byText(a.agentId, b.agentId);

const ORDERS = {
  score: (a, b) => byScore(a, b) || byOutcomes(a, b) || byName(a, b),
  outcomes: (a, b) => byOutcomes(a, b) || byScore(a, b) || byName(a, b),
  name: (a, b) => byText(a.name.toLowerCase(), b.name.toLowerCase()) || byName(a, b),
  newest: (a, b) => b.registered - a.registered,
  successRate: (a, b) => b.successRate - a.successRate || byOutcomes(a, b) || byName(a, b),
} satisfies Partial<Record<Order, (a: Entry, b: Entry) => number>>;

type Order = SearchInput["sort"] | (typeof LEADERBOARD_SORTS)[number];
type Query = Omit<SearchInput, "sort"> & { sort: keyof typeof ORDERS };

/** Returns the expected result of a search, or of the leaderboard if `onlyRanked`. */
export function expectedPage(
  model: Model,
  { q, category, tier, minScore = 0, sort, page, size }: Query,
  onlyRanked = false,
) {
  const term = q?.toLowerCase() ?? "";
  const found = listEntries(model, category)
    .filter(
      (entry) =>
        (!category || entry.categories.includes(category) || entry.isRanked) &&
        (!tier || entry.tier === tier) &&
        (!onlyRanked || entry.isRanked) &&
        entry.rankScore >= minScore &&
        (entry.name.toLowerCase().includes(term) ||
          entry.description.toLowerCase().includes(term) ||
          (term.startsWith("0x") && entry.walletAddress.toLowerCase().startsWith(term))),
    )
    .sort(ORDERS[sort]);
  const content = found
    .slice(page * size, (page + 1) * size)
    .map(
      ({
        description: _,
        registered: __,
        isRanked: ___,
        rankScore: ____,
        successRate: _____,
        ...entry
      }) => entry,
    );
  return createPage(content, found.length, { page, size });
}
