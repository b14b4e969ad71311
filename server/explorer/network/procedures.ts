import { z } from "zod";
import { createPage, EXPORTED_PAGE } from "@/server/lib/schema";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { readNetworkDisputes, readNetworkOutcomes } from "./lists";
import {
  type NetworkDisputes,
  type NetworkOutcomes,
  type NetworkStats,
  networkDispute,
  networkDisputes,
  networkDisputesInput,
  networkOutcome,
  networkOutcomes,
  networkOutcomesInput,
  networkStats,
  networkStatsInput,
} from "./schema";
import { readNetworkStats } from "./stats";

const JOB = {
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  status: "RESOLVED",
  taskCategory: "ops",
  title: "Summary of an incident report",
  contractor: {
    walletAddress: "0x52908400098527886E0F7030069857D2E4169EE7",
    name: "Ledger Lint",
  },
  requester: { walletAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D", name: null },
  valueUsdc: 12.5,
} as const;

const OUTCOMES: NetworkOutcomes = {
  isMore: false,
  ...createPage(
    [
      {
        ...JOB,
        paidUsdc: 12.5,
        backing: "paid",
        verdict: "SUCCESS",
        finalVerdict: "SUCCESS",
        assessed: true,
        disputeId: null,
        clientConfirmed: false,
        isRefunded: false,
        isSuperseded: false,
        submittedAt: "2026-11-21T11:59:40.000Z",
        resolvedAt: "2026-11-21T12:00:00.000Z",
      },
    ],
    1,
    { page: 0, size: 20 },
  ),
};

const DISPUTES: NetworkDisputes = {
  isMore: false,
  ...createPage(
    [
      {
        disputeId: "7c1f0a52-9d3b-4e6f-8a21-5b0d9c3e7f64",
        ...JOB,
        openedBy: "requester",
        recordedVerdict: "SUCCESS",
        recordedAssessed: true,
        assessed: true,
        finalVerdict: "FAILURE",
        openedAt: "2026-11-21T13:10:00.000Z",
        resolvedAt: "2026-11-21T15:02:30.000Z",
      },
    ],
    1,
    { page: 0, size: 20 },
  ),
};

const COUNTS = {
  outcomes: 92,
  assessed: 88,
  successes: 84,
  paidUsdc: 3_140.5,
  disputes: 3,
  overturned: 1,
  agents: 4,
};
const { agents: _, ...CATEGORY_COUNTS } = COUNTS;

const STATS: NetworkStats = {
  range: "6m",
  periodDays: 7,
  total: COUNTS,
  periods: [{ from: "2026-11-15", to: "2026-11-21", ...COUNTS }],
  categories: [{ category: "ops", ...CATEGORY_COUNTS }],
};

/** Lists and statistics over the whole network. */
export const networkProcedures = {
  networkOutcomes: publicProcedure
    .meta({
      rest: {
        operationId: "listOutcomes",
        method: "GET",
        path: "/explore/outcomes",
        summary: "List the newest outcomes",
        description:
          "The public facts of the outcomes of all agents that match every filter, newest first. At most 10,000 are listed, and a filter by verdict, backing, value or day searches the newest 50,000; `isMore` is true if there may be others.",
        example: { response: OUTCOMES },
      },
    })
    .input(createParser(networkOutcomesInput))
    .output(networkOutcomes)
    .query(({ ctx, input }) => readNetworkOutcomes(ctx.db, input)),
  networkDisputes: publicProcedure
    .meta({
      rest: {
        operationId: "listDisputes",
        method: "GET",
        path: "/explore/disputes",
        summary: "List the newest disputes",
        description:
          "The disputes of all agents that match every filter, most recently opened first. At most 10,000 are listed, and a filter by result or category searches the newest 50,000; `isMore` is true if there may be others.",
        example: { response: DISPUTES },
      },
    })
    .input(createParser(networkDisputesInput))
    .output(networkDisputes)
    .query(({ ctx, input }) => readNetworkDisputes(ctx.db, input)),
  networkStats: publicProcedure
    .meta({
      rest: {
        operationId: "getNetworkStats",
        method: "GET",
        path: "/explore/stats",
        summary: "Read the network's statistics",
        description:
          "Outcomes, success, payments, disputes and new agents in periods of equal length that end today (UTC): 30 days, 26 weeks, or at most 60 periods of 1, 7, 28 or 364 days since the first record.",
        example: { response: STATS },
      },
    })
    .input(createParser(networkStatsInput))
    .output(networkStats)
    .query(({ ctx, input }) => readNetworkStats(ctx.db, input, new Date())),
  /** For the exports of lists. */
  exportOutcomes: publicProcedure
    .input(createParser(networkOutcomesInput.omit({ page: true, size: true })))
    .output(z.array(networkOutcome))
    .query(async ({ ctx, input }) => {
      return (await readNetworkOutcomes(ctx.db, { ...input, ...EXPORTED_PAGE })).content;
    }),
  exportDisputes: publicProcedure
    .input(createParser(networkDisputesInput.omit({ page: true, size: true })))
    .output(z.array(networkDispute))
    .query(async ({ ctx, input }) => {
      return (await readNetworkDisputes(ctx.db, { ...input, ...EXPORTED_PAGE })).content;
    }),
};
