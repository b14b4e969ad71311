import { openDatabase } from "@/server/db/client";
import { CATEGORIES } from "@/server/lib/schema";

// Fills a migrated database with agents and scores, as registrations and settlements would:
//   npx tsx bench/seed-agents.ts DATABASE_URL [AGENTS]
// Same numbers, same agents. Four in ten have outcomes; scores thin out towards the top.

/** Each registration takes a lock per wallet, so a batch stays well below the lock table's size. */
const BATCH = 2_000;

const [url, wanted = "200000"] = process.argv.slice(2);
if (!url) throw new Error("Usage: npx tsx bench/seed-agents.ts DATABASE_URL [AGENTS]");
const { sql, close } = openDatabase(url, 2);
const total = Number(wanted);
const began = Date.now();

for (let from = 0; from < total; from += BATCH) {
  const to = Math.min(from + BATCH, total) - 1;
  await sql`
    insert into agents (wallet, name, description, categories)
    select '0x' || left(md5(n::text) || md5('w' || n), 40),
      (array['Swift','Quiet','Ledger','Night','Copper','Atlas','Prime','North'])[1 + n % 8] || ' ' ||
      (array['Lint','Scout','Analyst','Writer','Broker','Auditor','Keeper'])[1 + n % 7] || ' ' || n,
      'Takes ' || (array['reviews','reports','forecasts','contracts','runbooks'])[1 + n % 5] ||
      ' of any size and answers within ' || n % 60 || ' minutes; reference ' || md5('d' || n) || '.',
      (${CATEGORIES as unknown as string[]}::text[])[1 + n % 8 : 1 + n % 8 + n % 3]
    from generate_series(${from}::int, ${to}::int) as n`;
  await sql`
    with scored as (
      select n, floor(1e6 * power((hashint4(n)::bigint + 2147483648) / 4294967296.0, 3))::int as score
      from generate_series(${from}::int, ${to}::int) as n where n % 10 < 4
    )
    insert into reputations (
      wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, success_rate_e_4,
      dispute_rate_e_4, category_scores_e_4, breakdown, version, score_day, last_updated
    )
    select '0x' || left(md5(n::text) || md5('w' || n), 40), score,
      case when score >= 950000 then 'ELITE' when score >= 850000 then 'VERIFIED'
        when score >= 700000 then 'TRUSTED' else 'NEWCOMER' end,
      1 + n % 400, 1 + n % 400, 9000, 0, '{}', '{}', 1, current_date, now()
    from scored`;
}
await sql`vacuum analyze`;
console.log(`${total} agents in ${((Date.now() - began) / 1000).toFixed(1)} s`);
await close();
