import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { LIMIT_RULES } from "@/server/lib/describe-limit";
import type { Category } from "@/server/lib/schema";
import { toMicro } from "@/server/lib/usdc";
import { toUtcDay, type Weight } from "./weigh-outcome";

/** What outcomes of one contractor for one requester add to the limit, and take from it. */
export interface LimitRow {
  requester: string;
  category: string;
  /** UTC day of the outcomes, counted from 1970-01-01. */
  day: number;
  /** What an anchored requester paid for work that succeeded, in millionths of a USDC. */
  earned: bigint;
  /** What was paid for work that failed, or that was agreed and not decided. */
  lost: bigint;
}

/** Returns what one outcome adds to the limit. `docs/scoring.md`, "The limit". */
export function toLimitRow(
  record: OutcomeRecord,
  { backing, final, counted, assessed: decided }: Weight,
): LimitRow {
  const { requester, category, agreed, valueMicro, paidMicro, resolvedAt } = record;
  const value = counted ? BigInt(Math.min(valueMicro, paidMicro)) : 0n;
  const isSuccess = final === "SUCCESS" && decided;
  return {
    requester,
    category,
    day: toUtcDay(resolvedAt),
    earned: backing === "anchored" && isSuccess ? value : 0n,
    lost: final === "FAILURE" || (agreed && !decided) ? value : 0n,
  };
}

/** What a record covers, in millionths of a USDC, as the ledger alone says it. */
export interface LedgerLimit {
  /** A: what anchored clients paid for successes, without the largest client. */
  earned: bigint;
  /** P: what was paid for work that failed, or that was agreed and not decided. */
  lost: bigint;
  /** The clients behind A with the largest one, each with at most `LIMIT_RULES.usdcPerClient`. */
  clients: { wallet: string; earned: bigint }[];
}

const MOST_PER_CLIENT = toMicro(LIMIT_RULES.usdcPerClient);

/**
 * Computes A and P of a contractor on a UTC day, from its rows in any order. `category` restricts A,
 * with the largest client in it, but not P.
 */
export function computeLimit(
  rows: Iterable<LimitRow>,
  day: number,
  category?: Category,
): LedgerLimit {
  const byClient = new Map<string, bigint>();
  let lost = 0n;
  for (const row of rows) {
    const age = day - row.day;
    if (age < 0) continue;
    if (age < LIMIT_RULES.failedDays) lost += row.lost;
    if (age >= LIMIT_RULES.earnedDays || row.earned === 0n) continue;
    if (category && row.category !== category) continue;
    byClient.set(row.requester, (byClient.get(row.requester) ?? 0n) + row.earned);
  }
  const clients = [...byClient]
    .map(([wallet, earned]) => ({ wallet, earned: min(earned, MOST_PER_CLIENT) }))
    .sort((a, b) => Number(b.earned - a.earned) || (a.wallet < b.wallet ? -1 : 1));
  return { earned: clients.slice(1).reduce((sum, { earned }) => sum + earned, 0n), lost, clients };
}

const min = (a: bigint, b: bigint) => (a < b ? a : b);
