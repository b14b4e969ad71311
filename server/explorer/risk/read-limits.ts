import { sql } from "drizzle-orm";
import { runPrepared } from "@/server/explorer/run-sql";
import type { AgentLimit } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { LIMIT_RULES } from "@/server/lib/describe-limit";
import type { Category } from "@/server/lib/schema";
import { fromMicro } from "@/server/lib/usdc";
import { computeLimit, type LimitRow } from "@/server/reputation/score/limit";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";

export interface LimitQuery {
  /** Only work in this category adds to the limit. */
  category?: Category | undefined;
  /** An agreement that reserves nothing: the one about to be paid. */
  agreementId?: string | undefined;
}

interface EarnedRow {
  wallet: string;
  rows: [
    requester: string,
    name: string | null,
    category: string,
    day: number,
    earned: string,
    lost: string,
  ][];
}

interface ReservedRow {
  wallet: string;
  micro: string;
}

/** What a record covers, and A over all categories in millionths of a USDC. */
interface ReadLimit {
  limit: AgentLimit;
  earnedMicro: bigint;
}

/** Returns how much contractors can be trusted with, by wallet. */
export async function readLimits(
  db: Database,
  wallets: string[],
  now: Date,
  { category, agreementId }: LimitQuery,
): Promise<(wallet: string) => ReadLimit> {
  const day = toUtcDay(now.getTime() / 1000);
  const [earned, reserved] = await Promise.all([
    runPrepared<EarnedRow>(
      db,
      sql`
      select evidence.wallet, json_agg(json_build_array(
        requester, name, category, day, earned::text, lost::text)) as rows
      from evidence left join agents on agents.wallet = requester
      where evidence.wallet = any(${sql.param(wallets)}::char(42)[]) and (earned > 0 or lost > 0)
        and day > ${day - LIMIT_RULES.earnedDays}
      group by evidence.wallet`,
    ),
    queryReserved(db, wallets, agreementId ?? null),
  ]);
  const rowsOf = new Map(earned.map(({ wallet, rows }) => [wallet, rows]));
  const reservedOf = new Map(reserved.map(({ wallet, micro }) => [wallet, BigInt(micro)]));
  return (wallet) => {
    const names = new Map<string, string | null>();
    const rows = (rowsOf.get(wallet) ?? []).map((row): LimitRow => {
      const [requester, name, category, day, earned, lost] = row;
      names.set(requester, name);
      return { requester, category, day, earned: BigInt(earned), lost: BigInt(lost) };
    });
    const { earned, lost, clients } = computeLimit(rows, day, category);
    const reserved = reservedOf.get(wallet) ?? 0n;
    const rest = earned - lost - reserved;
    return {
      limit: {
        limitUsdc: fromMicro(rest > 0n ? rest : 0n),
        category: category ?? null,
        earnedUsdc: fromMicro(earned),
        failedUsdc: fromMicro(lost),
        reservedUsdc: fromMicro(reserved),
        clients: clients.map((client) => ({
          walletAddress: client.wallet,
          name: names.get(client.wallet) ?? null,
          paidUsdc: fromMicro(client.earned),
        })),
      },
      earnedMicro: category ? computeLimit(rows, day).earned : earned,
    };
  };
}

/** Sums the upfront agreements that both parties signed and that have no recorded outcome yet. */
const queryReserved = (db: Database, wallets: string[], except: string | null) =>
  runPrepared<ReservedRow>(
    db,
    sql`
    select contractor as wallet, sum(value_micro)::text as micro
    from (
      select id, contractor, value_micro, terms from agreements where status = 'AGREED'
      union all
      select agreements.id, agreements.contractor, agreements.value_micro, terms
      from outcomes join agreements on agreements.id = agreement_id
      where outcomes.status = 'EVALUATING'
    ) as open
    where contractor = any(${sql.param(wallets)}::char(42)[]) and terms->>'payment' = 'upfront'
      and id is distinct from ${except}::uuid
    group by contractor`,
  );
