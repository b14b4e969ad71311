import { sql } from "drizzle-orm";
import { wherePayable } from "@/server/agreements/queries";
import { runPrepared } from "@/server/explorer/run-sql";
import type { Database } from "@/server/lib/context";
import { LIMIT_RULES } from "@/server/lib/describe-limit";
import type { Category } from "@/server/lib/schema";
import { fromMicro } from "@/server/lib/usdc";
import { computeLimit } from "@/server/reputation/score/limit";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";
import type { AgentLimit } from "./schema";

export interface LimitQuery {
  /** Only work in this category adds to the limit. */
  category?: Category | undefined;
  /** An agreement that reserves nothing: the one about to be paid. */
  agreementId?: string | undefined;
}

interface Row {
  wallet: string;
  earned: [string, string | null, string, number, string, string][] | null;
  /** Millionths of a USDC. */
  reserved: string | null;
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
  const found = await runPrepared<Row>(
    db,
    sql`
    select own.wallet, (
      select json_agg(json_build_array(requester, name, category, day, earned::text, lost::text))
      from evidence left join agents on agents.wallet = requester
      where evidence.wallet = own.wallet and (earned > 0 or lost > 0)
        and day > ${day - LIMIT_RULES.earnedDays}
    ) as earned, (
      select sum(value_micro)::text from (
        select id, value_micro, terms from agreements
        where contractor = own.wallet
          and (status = 'AGREED' or contractor_signature is not null and ${wherePayable})
        union all
        select agreements.id, agreements.value_micro, terms
        from outcomes join agreements on agreements.id = agreement_id
        where outcomes.contractor = own.wallet and outcomes.status = 'EVALUATING'
      ) as open
      where terms->>'payment' = 'upfront' and id is distinct from ${agreementId ?? null}::uuid
    ) as reserved
    from unnest(${sql.param(wallets)}::char(42)[]) as own(wallet)`,
  );
  const rowOf = new Map(found.map((row) => [row.wallet, row]));
  return (wallet) => {
    const row = rowOf.get(wallet);
    const names = new Map<string, string | null>();
    const rows = (row?.earned ?? []).map(([requester, name, category, day, earned, lost]) => {
      names.set(requester, name);
      return { requester, category, day, earned: BigInt(earned), lost: BigInt(lost) };
    });
    const { earned, lost, clients } = computeLimit(rows, day, category);
    const reserved = BigInt(row?.reserved ?? 0);
    const left = earned - lost - reserved;
    return {
      limit: {
        limitUsdc: fromMicro(left > 0n ? left : 0n),
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
