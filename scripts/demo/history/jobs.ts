import type { Random } from "@/scripts/lib/random";
import type { Category, Verdict } from "@/server/lib/schema";
import texts from "./jobs.json";

interface Trade {
  /** Tasks in which `#` is replaced by one of the subjects. */
  tasks: string[];
  subjects: string[];
  /** A judge's findings about good work, and about bad work. */
  met: string[];
  missed: string[];
  /** Typical price in USDC. */
  usualUsdc: number;
}

const TRADES: Partial<Record<Category, Trade>> = texts.trades;

/** Statements of the opener, and responses of the other party. */
export const STATEMENTS = texts.statements;

export interface Job {
  task: string;
  /** The deliverable; empty if nothing was delivered. */
  deliverable: string;
  reasoning: string;
  valueMicro: number;
}

/**
 * Returns a fictional job of a category with the given verdict. Its texts say that it is simulated.
 */
export function createJob(random: Random, category: Category, verdict: Verdict): Job {
  const trade = TRADES[category];
  if (!trade) throw new Error(`no texts for the category ${category}`);
  const task = random.pick(trade.tasks).replace("#", random.pick(trade.subjects));
  const usdc = trade.usualUsdc * Math.exp(random.between(-0.9, 0.9));
  const note = random.pick(verdict === "SUCCESS" ? trade.met : trade.missed);
  const required = random.integer(2, 5);
  const found =
    verdict === "SUCCESS"
      ? `All ${required} required criteria are met`
      : `${random.integer(0, required - 1)} of ${required} required criteria are met`;
  return {
    task,
    deliverable: `Simulated deliverable for: ${task}`,
    reasoning: `Simulated verdict; no judge was used. ${found}: ${note}.`,
    valueMicro: Math.max(4, Math.round(usdc * 2)) * 500_000,
  };
}
