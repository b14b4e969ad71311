-- Orders and letter case do not depend on the locale of the database.
ALTER TABLE explorer_entries
  ALTER COLUMN name TYPE text COLLATE "C",
  ALTER COLUMN search_text TYPE text COLLATE "pg_c_utf8";
--> statement-breakpoint
ALTER TABLE explorer_ranks ALTER COLUMN name TYPE text COLLATE "C";
--> statement-breakpoint
-- Room for a new score beside the old one, in the same page.
ALTER TABLE explorer_entries SET (fillfactor = 85);
--> statement-breakpoint

-- The functions below join what changed with whole tables by index only: a session keeps their
-- plans, and one made for a batch, or for empty tables, must not read everything for every score.

-- An agent was registered or changed its profile: `changed` has its new row.
CREATE FUNCTION explorer_on_agents() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Against the first score of the wallet, when that is being written just now: whoever comes
    -- second sees the other. A score that is there already is held until this transaction ends.
    PERFORM pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
      FROM (SELECT wallet FROM changed ORDER BY wallet) AS ordered;
    PERFORM 1 FROM reputations WHERE wallet IN (SELECT wallet FROM changed) ORDER BY wallet FOR SHARE;
  END IF;
  INSERT INTO explorer_entries AS entry
    (agent_id, wallet, name, search_text, categories, score_e_2, tier, total_outcomes, wallet_verified, created_at)
  SELECT
    agent.id, agent.wallet, agent.name,
    casefold((agent.name || E'\x1f' || agent.description) COLLATE "pg_c_utf8"),
    ARRAY(SELECT category FROM unnest(agent.categories) WITH ORDINALITY AS listed(category, place)
      GROUP BY category ORDER BY min(place)),
    coalesce(reputation.score_e_4 / 100, 0), coalesce(reputation.tier, 'UNRANKED'),
    coalesce(reputation.total_outcomes, 0), agent.wallet_verified_at IS NOT NULL, agent.created_at
  FROM changed AS agent LEFT JOIN reputations AS reputation ON reputation.wallet = agent.wallet
  -- The score is left to the other trigger, which sees what is newest.
  ON CONFLICT (agent_id) DO UPDATE SET
    wallet = excluded.wallet, name = excluded.name, search_text = excluded.search_text,
    categories = excluded.categories, wallet_verified = excluded.wallet_verified
  WHERE (entry.wallet, entry.name, entry.search_text, entry.categories, entry.wallet_verified)
    IS DISTINCT FROM
    (excluded.wallet, excluded.name, excluded.search_text, excluded.categories, excluded.wallet_verified);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER explorer_agents_inserted AFTER INSERT ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_agents();
--> statement-breakpoint
CREATE TRIGGER explorer_agents_updated AFTER UPDATE ON agents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_agents();
--> statement-breakpoint

-- A score was written: `changed` has the rows, of whatever wallets, registered or not. An agent
-- that is deleted takes its entry with it by the foreign key.
CREATE FUNCTION explorer_on_reputations() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
      FROM (SELECT wallet FROM changed ORDER BY wallet) AS ordered;
  END IF;
  UPDATE explorer_entries AS entry SET
    score_e_2 = coalesce(reputation.score_e_4 / 100, 0),
    tier = coalesce(reputation.tier, 'UNRANKED'),
    total_outcomes = coalesce(reputation.total_outcomes, 0)
  FROM changed LEFT JOIN reputations AS reputation ON reputation.wallet = changed.wallet
  WHERE entry.wallet = changed.wallet
    AND (entry.score_e_2, entry.tier, entry.total_outcomes) IS DISTINCT FROM
      (coalesce(reputation.score_e_4 / 100, 0), coalesce(reputation.tier, 'UNRANKED'),
       coalesce(reputation.total_outcomes, 0));
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER explorer_reputations_inserted AFTER INSERT ON reputations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();
--> statement-breakpoint
CREATE TRIGGER explorer_reputations_updated AFTER UPDATE ON reputations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();
--> statement-breakpoint
CREATE TRIGGER explorer_reputations_deleted AFTER DELETE ON reputations
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_reputations();
--> statement-breakpoint

-- Every change of an entry leaves at least one row, even where no count moved: the rows also say
-- that something changed. Every 64th row folds those of one bucket into one. One transaction folds
-- at a time; in a stricter isolation level it might meet rows that another has folded meanwhile.
CREATE FUNCTION explorer_fold(rows_added bigint, last_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF last_id / 64 = (last_id - rows_added) / 64
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

CREATE FUNCTION explorer_on_entries() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
DECLARE
  rows_added bigint;
  last_id bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT unnest('*'::text || categories), tier, score_e_2 / 100, count(*) FROM entered
      GROUP BY 1, 2, 3 RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
  ELSIF TG_OP = 'DELETE' THEN
    WITH added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT unnest('*'::text || categories), tier, score_e_2 / 100, -count(*) FROM gone
      GROUP BY 1, 2, 3 RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
    DELETE FROM explorer_ranks AS ranked USING gone WHERE ranked.agent_id = gone.agent_id;
  ELSE
    WITH moved AS (
      SELECT unnest('*'::text || categories) AS category, tier, score_e_2 / 100 AS points, 1 AS change
      FROM entered
      UNION ALL
      SELECT unnest('*'::text || categories), tier, score_e_2 / 100, -1 FROM gone
    ), added AS (
      INSERT INTO explorer_counts (category, tier, points, agents)
      SELECT category, tier, points, sum(change) FROM moved
      GROUP BY category, tier, points RETURNING id
    ) SELECT count(*), max(id) INTO rows_added, last_id FROM added;
    DELETE FROM explorer_ranks AS ranked USING entered
    WHERE ranked.agent_id = entered.agent_id
      AND ranked.category <> ALL ('*'::text || entered.categories);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO explorer_ranks AS ranked
      (agent_id, category, score_e_2, total_outcomes, name, tier, created_at)
    SELECT agent_id, unnest('*'::text || categories), score_e_2, total_outcomes, name, tier, created_at
    FROM entered
    ON CONFLICT (agent_id, category) DO UPDATE SET
      score_e_2 = excluded.score_e_2, total_outcomes = excluded.total_outcomes,
      name = excluded.name, tier = excluded.tier
    WHERE (ranked.score_e_2, ranked.total_outcomes, ranked.name, ranked.tier) IS DISTINCT FROM
      (excluded.score_e_2, excluded.total_outcomes, excluded.name, excluded.tier);
  END IF;
  IF rows_added > 0 THEN
    PERFORM explorer_fold(rows_added, last_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER explorer_entries_inserted AFTER INSERT ON explorer_entries
  REFERENCING NEW TABLE AS entered FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_entries();
--> statement-breakpoint
CREATE TRIGGER explorer_entries_updated AFTER UPDATE ON explorer_entries
  REFERENCING NEW TABLE AS entered OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_entries();
--> statement-breakpoint
CREATE TRIGGER explorer_entries_deleted AFTER DELETE ON explorer_entries
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION explorer_on_entries();
