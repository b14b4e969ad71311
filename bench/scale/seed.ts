import postgres from "postgres";
import { CATEGORIES } from "@/server/lib/schema";

const FIRST =
  "audit,bridge,cargo,code,contract,data,defect,estate,freight,grain,harbor,invoice,kernel,ledger,market,model,onboard,parcel,policy,portal,pricing,query,signal,transit".split(
    ",",
  );
const SECOND =
  "archive,bench,board,cast,check,desk,draft,forge,gauge,guard,index,line,map,note,path,proof,relay,review,scope,scout,sheet,stack,watch,work".split(
    ",",
  );

/**
 * The vocabulary of seeded names and descriptions: 576 compounds in an order without neighbors that
 * share a part. Word `r` is drawn with a probability proportional to 1/r, as in natural text, so that
 * terms of every frequency can be searched for.
 */
export const VOCABULARY = Array.from({ length: FIRST.length * SECOND.length }, (_, place) => {
  const first = FIRST[place % FIRST.length];
  const second = SECOND[(place + Math.floor(place / FIRST.length)) % SECOND.length];
  return `${first}${second}`;
});

export interface Scale {
  agents: number;
  outcomes: number;
}

/** Tables that are filled before their indexes are created. */
const TABLES = ["outcomes", "ledger_records", "reputations"];
/** Agents in a transaction, which takes a lock for each. */
const BATCH_SIZE = 2_000;
/** Words of a description. With 576 words, the rarest are in 0.5% of the descriptions. */
const DESCRIPTION_WORDS = 18;
const HISTORY_DAYS = 180;

/**
 * Fills a migrated, empty database with agents and their recorded outcomes, as if they had been
 * submitted over the last 180 days: outcomes, ledger and scores. The triggers of agents, which
 * come last, fill what the explorer reads. A few agents have tens of thousands of outcomes, most have a
 * few, some none. Repeatable, except for ids and times. A score is a plausible number, not the one that
 * the ledger results in.
 */
export async function seedScale(url: string, scale: Scale): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    // As a replica, the database neither checks references nor runs triggers.
    await sql.unsafe(`
      set session_replication_role = replica; set synchronous_commit = off;
      set maintenance_work_mem = '512MB'; set work_mem = '256MB'; select setseed(0.5)`);
    const createIndexes = await dropIndexes(sql);
    await seedOutcomes(sql, scale);
    await seedLedger(sql);
    await seedScores(sql);
    await sql`
      insert into network_days (day, category, outcomes, successes, paid_micro)
      select (resolved_at at time zone 'UTC')::date, task_category, count(*),
        count(*) filter (where verdict = 'SUCCESS'), sum(paid_micro)
      from outcomes group by 1, 2`;
    await createIndexes();
    await sql`vacuum analyze`;
    await sql`set session_replication_role = origin`;
    for (let first = 1; first <= scale.agents; first += BATCH_SIZE) {
      await seedAgents(sql, scale, first);
    }
    await sql`vacuum analyze`;
  } finally {
    await sql.end();
  }
}

/** Drops the indexes without a constraint. Returns how to create them, which is faster afterwards. */
async function dropIndexes(sql: postgres.Sql): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = any(${TABLES})
      and indexname not in (select conname from pg_constraint)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return async () => {
    for (const { definition } of indexes) await sql.unsafe(definition);
  };
}

/** The address of agent `n`, from 1: digits only, since a checksum changes the case of letters. */
const wallet = (n: string) =>
  `'0x' || translate(md5(${n}::text), 'abcdef', '012345') || lpad(${n}::text, 8, '0')`;

const text = (values: readonly string[]) => `('{${values.join(",")}}'::text[])`;
const pick = (values: readonly string[]) =>
  `${text(values)}[1 + floor(random() * ${values.length})::int]`;
/** Word `r` with a probability proportional to 1/r. */
const WORD = `${text(VOCABULARY)}[floor(power(${VOCABULARY.length + 1}, random()))::int]`;

function seedAgents(sql: postgres.Sql, { agents }: Scale, first: number) {
  return sql.unsafe(`
    insert into agents (id, wallet, name, description, categories, wallet_verified_at, created_at)
    select uuidv7(registered - now()), wallet,
      initcap((select string_agg(${WORD}, ' ') from generate_series(1, 2) as k where n > 0)) || ' ' || n,
      (select string_agg(${WORD}, ' ') from generate_series(1, ${DESCRIPTION_WORDS}) as k where n > 0),
      array[${pick(CATEGORIES)}, ${pick(CATEGORIES)}],
      case when n % 3 > 0 then registered end, registered
    from (
      select n, ${wallet("n")} as wallet,
        now() - interval '${HISTORY_DAYS} days' * (1.5 - 0.5 * n / ${agents}) as registered
      from generate_series(${first}, ${Math.min(agents, first + BATCH_SIZE - 1)}) as n
    ) as agent`);
}

/** Contractors follow a power law; half of the outcomes are paid, and one in twelve is a failure. */
function seedOutcomes(sql: postgres.Sql, { agents, outcomes }: Scale) {
  return sql.unsafe(`
    insert into outcomes (
      id, contractor, requester, task_description, task_category, value_micro, paid_micro,
      submitted_by, salt, task_hash, deliverable_hash, submitted_at, input_hash, stored_answer, status,
      judged_at, verdict, final_verdict, assessed, confidence_ppm, reasoning, judge_kind, judge_id,
      evidence_hash, proven, resolved_at, on_chain_tx, record_index
    )
    select uuidv7(submitted - now()), ${wallet("contractor")}, ${wallet("requester")},
      'Compare the two lists and name every difference.', category, value, value * paid,
      case when n % 4 = 0 then 'requester' else 'contractor' end, '\\x00', hash, hash, submitted, hash,
      '{}', 'RESOLVED', resolved, verdict, verdict, true, 900000,
      'Every difference is named.', 'heuristic', 'builtin-checks/v3', hash, true, resolved,
      '0x' || md5((n / 50)::text) || md5((n / 50)::text), n % 50
    from (
      select n, '0x' || md5(n::text) || md5(n::text) as hash,
        1 + floor(${agents} * power(random(), 3))::int as contractor,
        1 + floor(${agents} * random())::int as requester,
        ${pick(CATEGORIES)} as category, (1 + floor(random() * 200))::bigint * 500000 as value,
        n % 2 as paid,
        case when random() < 0.92 then 'SUCCESS' else 'FAILURE' end as verdict,
        now() - interval '${HISTORY_DAYS} days' * (1 - n / ${outcomes + 1}::float8) as submitted,
        now() - interval '${HISTORY_DAYS} days' * (1 - n / ${outcomes + 1}::float8)
          + interval '30 seconds' as resolved
      from generate_series(0, ${outcomes - 1}) as n
    ) as drawn`);
}

function seedLedger(sql: postgres.Sql) {
  return sql`
    insert into ledger_records (
      seq, type, record, outcome_id, contractor, wallet, tx_hash, log_index, recorded_at
    )
    select row_number() over (order by id), 'outcome',
      jsonb_build_object('type', 'outcome', 'id', id, 'contractor', contractor,
        'requester', requester, 'category', task_category, 'valueMicro', value_micro,
        'paidMicro', paid_micro, 'submittedBy', submitted_by, 'proven', proven, 'verdict', verdict,
        'confPpm', confidence_ppm, 'resolvedAt', extract(epoch from resolved_at)::bigint,
        'evidenceHash', evidence_hash),
      id, contractor, requester, on_chain_tx, record_index, resolved_at
    from outcomes`;
}

function seedScores(sql: postgres.Sql) {
  return sql`
    insert into reputations (
      wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, success_rate_e_4,
      dispute_rate_e_4, category_scores_e_4, breakdown, version, score_day, last_updated
    )
    select contractor, score,
      case when score >= 950000 then 'ELITE' when score >= 850000 then 'VERIFIED'
        when score >= 700000 then 'TRUSTED' else 'NEWCOMER' end,
      total, total, floor(rate * 10000), 0, categories,
      jsonb_build_object('quality', rate, 'confidence', confidence, 'good', good,
        'tenureCapacity', 35.5, 'claimed', '[1, 0]'::jsonb,
        'paid', jsonb_build_array(good, total - good), 'anchored', '[0, 0]'::jsonb),
      total, current_date, last
    from (
      select contractor, sum(total)::int as total, sum(good)::int as good, max(last) as last,
        sum(good) / sum(total) as rate, 1 - exp(-least(sum(units), 1000) / 4) as confidence,
        floor(1e6 * sum(good) / sum(total) * (1 - exp(-least(sum(units), 1000) / 4)))::int as score,
        jsonb_object_agg(task_category,
          floor(1e6 * good / total * (1 - exp(-least(units, 1000) / 4)))::int) as categories
      from (
        select contractor, task_category, count(*) as total, max(resolved_at) as last,
          count(*) filter (where verdict = 'SUCCESS') as good,
          -- Decays with age, so that scores differ as much as real ones.
          sum(power(0.5, extract(epoch from now() - resolved_at)::float8 / 86400 / 180)) as units
        from outcomes group by contractor, task_category
      ) as counted
      group by contractor
    ) as scored`;
}
