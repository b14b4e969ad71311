import { scoreUpdated } from "@/server/reputation/events";

/** Builds the event that the score of `wallet` rose from 0 to 50, in its first version. */
export const scoreRose = (wallet: string) => ({
  id: `score-updated:${wallet}:1`,
  name: scoreUpdated.name,
  data: {
    reputation: {
      walletAddress: wallet,
      score: 50,
      tier: "NEWCOMER",
      totalOutcomes: 1,
      confirmedOutcomes: 1,
      successRate: 1,
      disputeRate: 0,
      categoryScores: {},
      lastUpdated: "2026-11-21T12:00:00.000Z",
      scoreDay: "2026-11-21",
    },
    previousScore: 0,
    version: 1,
  },
});
