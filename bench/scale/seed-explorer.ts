import type postgres from "postgres";

/** Fills what triggers maintain of the explorer, from the rows of a seeded database. */
export async function seedExplorer(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into explorer_entries (
      agent_id, wallet, name, search_text, categories, score_e_2, category_scores_e_2, tier,
      total_outcomes, success_rate_e_4, requesters, last_active, wallet_verified, created_at
    )
    select id, agent.wallet, name, casefold((name || E'\\x1f' || description) collate "pg_c_utf8"),
      array(select distinct unnest(categories)), coalesce(score_e_4, 0) / 100,
      explorer_category_scores(coalesce(category_scores_e_4, '{}')), coalesce(tier, 'UNRANKED'),
      coalesce(reputation.total_outcomes, 0), success_rate_e_4, coalesce(requesters, 0), last_active,
      wallet_verified_at is not null, created_at
    from agents as agent
      left join reputations as reputation using (wallet)
      left join (
        select contractor as wallet, max(submitted_at) as last_active,
          count(distinct requester) filter (where paid_micro > 0) as requesters
        from outcomes group by contractor
      ) as active using (wallet)
    -- As registrations do: an order by wallet would put what a refresh changes together on a page.
    order by id`;
  await sql`
    insert into explorer_ranks (
      agent_id, category, score_e_2, total_outcomes, success_rate_e_4, requesters, name, tier,
      last_active, created_at
    )
    select agent_id, own.category, own.score_e_2, total_outcomes, success_rate_e_4, requesters, name,
      tier, last_active, created_at
    from explorer_entries as entry, explorer_scores(
      categories, category_scores_e_2, entry.score_e_2, total_outcomes
    ) as own`;
  await sql`
    insert into explorer_orders (
      agent_id, category, is_ranked, total_outcomes, success_rate_e_4, requesters, name, tier,
      last_active, created_at
    )
    select agent_id, category, score_e_2 >= 0, total_outcomes, success_rate_e_4, requesters, name,
      tier, last_active, created_at
    from explorer_ranks`;
  await sql`
    insert into explorer_counts (category, tier, points, agents)
    select category, tier, floor(score_e_2 / 100.0), count(*) from explorer_ranks group by 1, 2, 3`;
  await sql`
    insert into network_days (day, category, agents)
    select (created_at at time zone 'UTC')::date, '*', count(*) from agents group by 1`;
  await sql`
    insert into network_days (day, category, outcomes, successes, paid_micro)
    select (resolved_at at time zone 'UTC')::date, task_category, count(*),
      count(*) filter (where verdict = 'SUCCESS'), sum(paid_micro)
    from outcomes group by 1, 2`;
}
