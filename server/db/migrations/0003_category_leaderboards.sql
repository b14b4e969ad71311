-- Readers and writers lock these tables in different orders, so this never waits for one while it
-- holds another.
DO $$ BEGIN
  FOR attempt IN 1..50 LOOP
    BEGIN
      LOCK TABLE explorer_entries, explorer_ranks, explorer_counts, reputation_history NOWAIT;
      RETURN;
    EXCEPTION WHEN lock_not_available THEN
      PERFORM pg_sleep(0.02);
    END;
  END LOOP;
  RAISE lock_not_available;
END $$;
--> statement-breakpoint
ALTER TABLE "explorer_entries" ADD COLUMN "category_scores_e_2" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "explorer_entries" ADD COLUMN "success_rate_e_4" integer;--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD COLUMN "success_rate_e_4" integer;--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD COLUMN "requesters" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "explorer_by_success_rate" ON "explorer_ranks" USING btree ("category","success_rate_e_4" DESC NULLS LAST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier","score_e_2") WHERE score_e_2 >= 0;--> statement-breakpoint
CREATE INDEX "explorer_by_requesters" ON "explorer_ranks" USING btree ("category","requesters" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier","score_e_2") WHERE score_e_2 >= 0;--> statement-breakpoint

-- Scores by category in 1/100 points, from those in 1/10,000.
CREATE FUNCTION explorer_category_scores(scores_e_4 jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, value::integer / 100), '{}') FROM jsonb_each_text(scores_e_4)
$$;
--> statement-breakpoint

-- The categories of an entry with its score in each: `*`, those that it declares, and those in which
-- it has an outcome. Without an outcome the score is -1.
CREATE FUNCTION explorer_scores(declared text[], category_scores jsonb, overall integer, outcomes integer)
RETURNS TABLE (category text, score_e_2 integer) LANGUAGE sql IMMUTABLE AS $$
  SELECT '*', CASE WHEN outcomes > 0 THEN overall ELSE -1 END
  UNION ALL
  SELECT listed.name, coalesce((category_scores->>listed.name)::integer, -1)
  FROM (SELECT unnest(declared) UNION SELECT jsonb_object_keys(category_scores)) AS listed(name)
$$;
--> statement-breakpoint

-- Requesters with a paid or anchored outcome, by the rule of `BACKING` in `wallet-outcomes.ts`.
CREATE OR REPLACE FUNCTION explorer_requesters(of_wallet char(42)) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT requester)::integer FROM outcomes
  WHERE contractor = of_wallet AND status = 'RESOLVED' AND (
    paid_micro > 0
    OR submitted_by = 'requester' AND proven AND EXISTS (
      SELECT FROM anchors
      WHERE anchors.wallet = outcomes.requester AND anchors.seq IS NOT NULL
        AND anchors.revoked_seq IS NULL
        AND "from" <= date_trunc('second', resolved_at)
        AND (until IS NULL OR date_trunc('second', resolved_at) < until)
    )
  )
$$;
--> statement-breakpoint

CREATE OR REPLACE FUNCTION explorer_on_agents() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- Serializes with the transaction that writes the wallet's first score, so that the later one
    -- sees the earlier one's row. An existing score is locked until this transaction ends.
    PERFORM pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
      FROM (SELECT wallet FROM changed ORDER BY wallet) AS ordered;
    PERFORM 1 FROM reputations WHERE wallet IN (SELECT wallet FROM changed) ORDER BY wallet FOR SHARE;
  END IF;
  INSERT INTO explorer_entries AS entry
    (agent_id, wallet, name, search_text, categories, score_e_2, category_scores_e_2, tier,
      total_outcomes, success_rate_e_4, requesters, last_active, wallet_verified, created_at)
  SELECT
    agent.id, agent.wallet, agent.name,
    casefold((agent.name || E'\x1f' || agent.description) COLLATE "pg_c_utf8"),
    ARRAY(SELECT category FROM unnest(agent.categories) WITH ORDINALITY AS listed(category, place)
      GROUP BY category ORDER BY min(place)),
    coalesce(reputation.score_e_4 / 100, 0),
    explorer_category_scores(coalesce(reputation.category_scores_e_4, '{}')),
    coalesce(reputation.tier, 'UNRANKED'), coalesce(reputation.total_outcomes, 0),
    CASE WHEN reputation.confirmed_outcomes > 0 THEN reputation.success_rate_e_4 END,
    CASE WHEN reputation.total_outcomes > 0 THEN explorer_requesters(agent.wallet) ELSE 0 END,
    CASE WHEN reputation.total_outcomes > 0 THEN explorer_last_active(agent.wallet) END,
    agent.wallet_verified_at IS NOT NULL, agent.created_at
  FROM changed AS agent LEFT JOIN reputations AS reputation ON reputation.wallet = agent.wallet
  -- The other trigger updates the score, since it sees the newest one.
  ON CONFLICT (agent_id) DO UPDATE SET
    wallet = excluded.wallet, name = excluded.name, search_text = excluded.search_text,
    categories = excluded.categories, wallet_verified = excluded.wallet_verified
  WHERE (entry.wallet, entry.name, entry.search_text, entry.categories, entry.wallet_verified)
    IS DISTINCT FROM
    (excluded.wallet, excluded.name, excluded.search_text, excluded.categories, excluded.wallet_verified);
  RETURN NULL;
END $$;
--> statement-breakpoint

CREATE OR REPLACE FUNCTION explorer_on_reputations() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
      FROM (SELECT wallet FROM changed ORDER BY wallet) AS ordered;
  END IF;
  UPDATE explorer_entries AS entry SET
    score_e_2 = scored.score_e_2,
    category_scores_e_2 = scored.category_scores_e_2,
    tier = scored.tier,
    total_outcomes = scored.total_outcomes,
    success_rate_e_4 = scored.success_rate_e_4,
    -- Time and disputes change a score too, but only another outcome changes these, or an anchor:
    -- see `explorer_on_anchored`.
    requesters = CASE WHEN entry.total_outcomes = scored.total_outcomes
      THEN entry.requesters ELSE explorer_requesters(entry.wallet) END,
    last_active = CASE WHEN entry.total_outcomes = scored.total_outcomes
      THEN entry.last_active ELSE explorer_last_active(entry.wallet) END
  FROM (
    SELECT changed.wallet, coalesce(score_e_4 / 100, 0) AS score_e_2,
      explorer_category_scores(coalesce(category_scores_e_4, '{}')) AS category_scores_e_2,
      coalesce(tier, 'UNRANKED') AS tier, coalesce(total_outcomes, 0) AS total_outcomes,
      CASE WHEN confirmed_outcomes > 0 THEN success_rate_e_4 END AS success_rate_e_4
    FROM (SELECT wallet FROM changed) AS changed LEFT JOIN reputations USING (wallet)
  ) AS scored
  WHERE entry.wallet = scored.wallet
    AND (entry.score_e_2, entry.category_scores_e_2, entry.tier, entry.total_outcomes,
        entry.success_rate_e_4) IS DISTINCT FROM
      (scored.score_e_2, scored.category_scores_e_2, scored.tier, scored.total_outcomes,
        scored.success_rate_e_4);
  RETURN NULL;
END $$;
--> statement-breakpoint

-- An anchor, or its revocation, changes how many requesters of a contractor count, and rescores each
-- contractor with an entry in its history.
CREATE FUNCTION explorer_on_anchored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE explorer_entries SET requesters = explorer_requesters(wallet)
  WHERE wallet = NEW.wallet AND requesters <> explorer_requesters(wallet);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER explorer_history_anchored AFTER INSERT ON reputation_history
  FOR EACH ROW WHEN (NEW.cause = 'anchor') EXECUTE FUNCTION explorer_on_anchored();
--> statement-breakpoint

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
      GROUP BY category, tier, points RETURNING id
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
--> statement-breakpoint

-- Recomputes all entries, ranks and counts.
ALTER TABLE explorer_entries DISABLE TRIGGER USER;
--> statement-breakpoint
UPDATE explorer_entries AS entry SET
  category_scores_e_2 = explorer_category_scores(reputation.category_scores_e_4),
  success_rate_e_4 = CASE WHEN reputation.confirmed_outcomes > 0 THEN reputation.success_rate_e_4 END,
  requesters = explorer_requesters(entry.wallet)
FROM reputations AS reputation WHERE reputation.wallet = entry.wallet;
--> statement-breakpoint
TRUNCATE explorer_ranks, explorer_counts;
--> statement-breakpoint
INSERT INTO explorer_ranks
  (agent_id, category, score_e_2, total_outcomes, success_rate_e_4, requesters, name, tier,
    last_active, created_at)
SELECT agent_id, own.category, own.score_e_2, total_outcomes, success_rate_e_4, requesters, name, tier,
  last_active, created_at
FROM explorer_entries AS entry,
  explorer_scores(categories, category_scores_e_2, entry.score_e_2, total_outcomes) AS own;
--> statement-breakpoint
INSERT INTO explorer_counts (category, tier, points, agents)
SELECT category, tier, floor(score_e_2 / 100.0), count(*) FROM explorer_ranks GROUP BY 1, 2, 3;
--> statement-breakpoint
ALTER TABLE explorer_entries ENABLE TRIGGER USER;
