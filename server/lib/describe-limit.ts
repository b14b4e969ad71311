import { nameCategory } from "./category-name";

/** What a limit rests on; `docs/scoring.md`, "The limit". */
export const LIMIT_RULES = {
  /** Days of work for which anchored clients' payments count. */
  earnedDays: 180,
  /** Most that one client adds, in USDC. */
  usdcPerClient: 1_000,
  /** Days for which failed work counts. */
  failedDays: 90,
} as const;

/** Says what a limit of `usdc` means, in the one sentence that every page and answer uses. */
export const describeLimit = (usdc: string, category?: string | null): string =>
  `Hire up to ${usdc} USDC, paid under an agreement: clients that the operator knows paid it more than that for ${category ? `${nameCategory(category)} ` : ""}work that succeeded in the last ${LIMIT_RULES.earnedDays} days.`;
