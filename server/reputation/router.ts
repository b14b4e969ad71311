import { z } from "zod";
import { type LedgerEntry, ledgerEntry } from "@/server/chain/schema";
import { parseInput } from "@/server/lib/input/parse-input";
import { EXPORTED_PAGE, pageInputShape } from "@/server/lib/schema";
import { createParser, publicProcedure, router } from "@/server/lib/trpc";
import { rawWalletSchema, walletSchema } from "@/server/lib/wallet";
import type { Reputations } from "./cache";
import { readHistory } from "./history";
import { CEILINGS } from "./policy";
import { readAnchorsPage, streamLedger } from "./queries";
import {
  type AnchorsPage,
  anchorsPage,
  bulkInput,
  type HistoryPage,
  historyPage,
  pageInput,
  publicAnchor,
  type Reputation,
  reputation,
  type ScoreBreakdown,
} from "./schema";

const OUTCOME_ID = "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10";

const BEFORE: ScoreBreakdown = {
  quality: 1,
  confidence: 0.1939,
  good: 0.7217,
  tenureCapacity: 13.5,
  claimed: [0, 0],
  paid: [0.7217, 0],
  anchored: [0, 0],
};

/** A second paid success, for the OpenAPI document. */
export const HISTORY_EXAMPLE: HistoryPage = {
  content: [
    {
      at: "2026-11-21T12:00:00.000Z",
      version: 2,
      score: 32.78,
      previousScore: 19.81,
      tier: "NEWCOMER",
      totalOutcomes: 2,
      cause: "outcome",
      outcomeId: OUTCOME_ID,
      disputeId: null,
      seq: 14,
      receipt: {
        rule: "success",
        sentence: "A paid success of 12.50 USDC for a new client.",
        effect: 13.3904,
        days: -0.4248,
        before: BEFORE,
        after: { ...BEFORE, confidence: 0.3278, good: 1.463, paid: [1.463, 0] },
      },
    },
  ],
  totalElements: 1,
  totalPages: 1,
  page: 0,
  size: 20,
  nextTier: {
    tier: "TRUSTED",
    assumes: { valueUsdc: 10, confidence: 0.95 },
    ways: [
      { by: "anchored", successes: 8, days: 0 },
      { by: "paid", successes: 8, days: 0 },
    ],
  },
};

/** The record of that success, for the OpenAPI document. */
export const LEDGER_EXAMPLE: LedgerEntry = {
  type: "outcome",
  id: OUTCOME_ID,
  contractor: "0x52908400098527886E0F7030069857D2E4169EE7",
  requester: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  category: "ops",
  valueMicro: 12_500_000,
  paidMicro: 12_500_000,
  submittedBy: "contractor",
  proven: true,
  agreed: false,
  verdict: "SUCCESS",
  confPpm: 930_000,
  resolvedAt: 1_795_262_400,
  evidenceHash: "0x3d5c7b9a8f6e4d2c0b1a3f5e7d9c8b608c4b2a6e0d1f3c5b7a9e8d6c4b2a0f1e",
  seq: 14,
  txHash: "0x2a9c4e6f8b1d3c5e7f90a1b2c3d4e5f60718293a4b5c6d7e8f9010a2b3c4d5e6",
  logIndex: 0,
};

export const EXAMPLE_REPUTATION: Reputation = {
  walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
  score: 76.21,
  tier: "TRUSTED",
  ceiling: null,
  totalOutcomes: 12,
  confirmedOutcomes: 12,
  assessedOutcomes: 12,
  assessedSuccessRate: 1,
  successRate: 1,
  disputeRate: 0,
  categoryScores: { legal: 44.9, ops: 70.49 },
  lastUpdated: "2026-11-21T12:00:00.000Z",
  scoreDay: "2026-11-21",
};

const ANCHORS: AnchorsPage = {
  content: [
    {
      walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
      name: "Harbor Studio",
      from: "2026-11-01T09:00:00.000Z",
      until: null,
      reason: "A customer since the beginning",
      revoked: false,
      seq: 12,
      onChainTx: "0x1f0d6f0d2f3a4e0f6b1a9c3e5d7f90b2c4e6a8d0f1b3c5d7e9fa0b2c4d6e8f01",
      revokedSeq: null,
      revokedTx: null,
    },
  ],
  totalElements: 1,
  totalPages: 1,
  page: 0,
  size: 20,
};

const reputationInput = z.strictObject({ walletAddress: rawWalletSchema });

/** Creates the handler of GET /reputation/{walletAddress}: what the procedure does, without tRPC. */
export const createReputationHandler =
  (reputations: Reputations) =>
  (params: Record<string, string | undefined>): Promise<Reputation> =>
    reputations.get(parseInput(reputationInput, params).walletAddress);

/** Creates the public reads of reputation, over `reputations` (the process's cache of them). */
export function createReputationRouter(reputations: Reputations) {
  const get = publicProcedure
    .meta({
      rest: {
        operationId: "getReputation",
        method: "GET",
        path: "/reputation/{walletAddress}",
        summary: "Read the reputation of a wallet",
        description:
          "Score, tier and rates of a wallet as contractor, with the `ceiling` that applies. A wallet without outcomes is UNRANKED with score 0, registered or not. The score is a function of the public ledger and the UTC day.",
        response: reputation,
        example: { response: EXAMPLE_REPUTATION },
      },
    })
    .input(createParser(reputationInput))
    .query(({ input }): Promise<Reputation> => reputations.get(input.walletAddress));

  const bulk = publicProcedure
    .meta({
      rest: {
        operationId: "getReputations",
        method: "POST",
        path: "/reputation/bulk",
        summary: "Read the reputations of up to 100 wallets",
        description:
          "The body is an array of wallet addresses. Returns one record per entry, in the same order; repeated addresses get repeated records.",
        bodyField: "addresses",
        response: z.array(reputation),
        example: { request: [EXAMPLE_REPUTATION.walletAddress], response: [EXAMPLE_REPUTATION] },
      },
    })
    .input(createParser(bulkInput))
    .query(({ input }): Promise<Reputation[]> => reputations.getMany(input.addresses));

  const history = publicProcedure
    .meta({
      rest: {
        operationId: "getScoreHistory",
        method: "GET",
        path: "/reputation/{walletAddress}/history",
        summary: "Read the history of a score",
        description:
          "The score after each event that could change it, newest first, each with its `receipt`: the rule that applied, the effect of the event alone, and the effect of the days since the last one. `previousScore` is the score stored before the event; for days alone (cause `day`), the last announced score. `nextTier` is what would reach the next tier today.",
        example: { response: HISTORY_EXAMPLE },
      },
    })
    .input(createParser(z.strictObject({ walletAddress: walletSchema, ...pageInputShape })))
    .output(historyPage)
    .query(({ ctx, input }) => readHistory(ctx.db, { ...input, now: new Date() }));

  return router({ get, bulk, history });
}

export const anchorsRouter = router({
  list: publicProcedure
    .meta({
      rest: {
        operationId: "listAnchors",
        method: "GET",
        path: "/anchors",
        summary: "List the requesters that the operator trusts",
        description: `An anchor is a requester that the operator trusts. Without outcomes confirmed by an anchor, no score exceeds ${CEILINGS.withoutAnchor}. Every anchor and every revocation is a record of the public ledger. Latest record first; includes expired and revoked anchors.`,
        tag: "Ledger",
        example: { response: ANCHORS },
      },
    })
    .input(createParser(pageInput))
    .output(anchorsPage)
    .query(({ ctx, input }) => readAnchorsPage(ctx.db, input)),
  /** For the export of the page's list. */
  export: publicProcedure
    .output(z.array(publicAnchor))
    .query(async ({ ctx }) => (await readAnchorsPage(ctx.db, EXPORTED_PAGE)).content),
});

export const ledgerRouter = router({
  get: publicProcedure
    .meta({
      rest: {
        operationId: "getLedger",
        method: "GET",
        path: "/ledger",
        summary: "Download the public ledger",
        description:
          "Every record that scores are computed from, as JSON Lines: one JSON object per line, in order of `seq`, with its transaction and log index on chain. Anyone can recompute every score from it. A record appears once it and all earlier ones are confirmed, so no `seq` is ever missing: continue with the `seq` after the last. An incomplete response breaks the connection.",
        response: ledgerEntry,
        lines: true,
        example: { response: LEDGER_EXAMPLE },
      },
    })
    .input(
      createParser(
        z.strictObject({
          fromSeq: z
            .int()
            .min(1)
            .max(1_000_000_000_000)
            .default(1)
            .meta({ description: "The first `seq` to return" }),
        }),
      ),
    )
    .query(({ ctx, input }) => streamLedger(ctx.db, input.fromSeq)),
});
