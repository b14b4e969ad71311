DROP INDEX "explorer_counts_xid";--> statement-breakpoint

-- As before, but folds after every 512th row instead of every 64th: the daily refresh adds hundreds in each
-- transaction, and a fold reads all counts.
CREATE OR REPLACE FUNCTION explorer_fold(rows_added bigint, last_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF last_id / 512 = (last_id - rows_added) / 512
    OR current_setting('transaction_isolation') <> 'read committed'
    OR NOT pg_try_advisory_xact_lock(hashtextextended('explorer-counts', 0))
  THEN
    RETURN;
  END IF;
  WITH crowded AS (
    SELECT category, tier, points FROM explorer_counts
    GROUP BY category, tier, points HAVING count(*) > 1
  ), folded AS (
    DELETE FROM explorer_counts AS counted USING crowded
    WHERE (counted.category, counted.tier, counted.points)
      = (crowded.category, crowded.tier, crowded.points)
    RETURNING counted.category, counted.tier, counted.points, counted.agents
  )
  INSERT INTO explorer_counts (category, tier, points, agents)
  SELECT category, tier, points, sum(agents) FROM folded GROUP BY category, tier, points;
END $$;
--> statement-breakpoint

-- As before, but only adds counts that change.
CREATE OR REPLACE FUNCTION explorer_on_entries() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  rows_added bigint;
  last_id bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT own.category, tier, floor(own.score_e_2 / 100.0), count(*)
      FROM entered, explorer_scores(categories, category_scores_e_2, entered.score_e_2, total_outcomes) AS own
      GROUP BY 1, 2, 3 RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    WITH added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT own.category, tier, floor(own.score_e_2 / 100.0), -count(*)
      FROM gone, explorer_scores(categories, category_scores_e_2, gone.score_e_2, total_outcomes) AS own
      GROUP BY 1, 2, 3 RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
    DELETE FROM explorer_ranks AS ranked USING gone WHERE ranked.agent_id = gone.agent_id;
  ELSE
    WITH moved AS (
      SELECT own.category, tier, floor(own.score_e_2 / 100.0) AS points, 1 AS change
      FROM entered, explorer_scores(categories, category_scores_e_2, entered.score_e_2, total_outcomes) AS own
      UNION ALL
      SELECT own.category, tier, floor(own.score_e_2 / 100.0), -1
      FROM gone, explorer_scores(categories, category_scores_e_2, gone.score_e_2, total_outcomes) AS own
    ), added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT category, tier, points, sum(change) FROM moved
      -- A day moves most scores within their point.
      GROUP BY category, tier, points HAVING sum(change) <> 0 RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
    DELETE FROM explorer_ranks AS ranked USING entered
    WHERE ranked.agent_id = entered.agent_id
      AND ranked.category <> ALL ('*'::text || entered.categories)
      AND NOT entered.category_scores_e_2 ? ranked.category;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO explorer_ranks AS ranked
      (agent_id, category, score_e_2, total_outcomes, success_rate_e_4, requesters, name, tier,
        last_active, created_at)
    SELECT agent_id, own.category, own.score_e_2, total_outcomes, success_rate_e_4, requesters, name,
      tier, last_active, created_at
    FROM entered, explorer_scores(categories, category_scores_e_2, entered.score_e_2, total_outcomes) AS own
    ON CONFLICT (agent_id, category) DO UPDATE SET
      score_e_2 = excluded.score_e_2, total_outcomes = excluded.total_outcomes,
      success_rate_e_4 = excluded.success_rate_e_4, requesters = excluded.requesters,
      name = excluded.name, tier = excluded.tier, last_active = excluded.last_active
    WHERE (ranked.score_e_2, ranked.total_outcomes, ranked.success_rate_e_4, ranked.requesters,
        ranked.name, ranked.tier, ranked.last_active)
      IS DISTINCT FROM
      (excluded.score_e_2, excluded.total_outcomes, excluded.success_rate_e_4, excluded.requesters,
        excluded.name, excluded.tier, excluded.last_active);
  END IF;
  IF rows_added > 0 THEN
    PERFORM explorer_fold(rows_added, last_id);
  END IF;
  RETURN NULL;
END $$;
