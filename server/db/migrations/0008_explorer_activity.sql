ALTER TABLE "explorer_entries" ADD COLUMN "requesters" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "explorer_entries" ADD COLUMN "last_active" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD COLUMN "last_active" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "explorer_by_activity" ON "explorer_ranks" USING btree ("category","last_active" DESC NULLS LAST,"agent_id","tier","score_e_2","total_outcomes");--> statement-breakpoint
CREATE INDEX "ledger_transaction" ON "ledger_records" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX "ledger_others" ON "ledger_records" USING btree ("type") WHERE type <> 'outcome';--> statement-breakpoint
CREATE INDEX "reputation_history_time" ON "reputation_history" USING btree ("wallet","at" DESC NULLS LAST);
--> statement-breakpoint
-- The settlement puts record and outcome there before the score, in the same transaction.
CREATE FUNCTION explorer_requesters(of_wallet char(42)) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT wallet)::integer FROM ledger_records
  WHERE contractor = of_wallet AND type = 'outcome'
$$;
--> statement-breakpoint
CREATE FUNCTION explorer_last_active(of_wallet char(42)) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT submitted_at FROM outcomes WHERE contractor = of_wallet AND status = 'RESOLVED'
  ORDER BY submitted_at DESC LIMIT 1
$$;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION explorer_on_agents() RETURNS trigger LANGUAGE plpgsql
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
    (agent_id, wallet, name, search_text, categories, score_e_2, tier, total_outcomes, requesters, last_active,
      wallet_verified, created_at)
  SELECT
    agent.id, agent.wallet, agent.name,
    casefold((agent.name || E'\x1f' || agent.description) COLLATE "pg_c_utf8"),
    ARRAY(SELECT category FROM unnest(agent.categories) WITH ORDINALITY AS listed(category, place)
      GROUP BY category ORDER BY min(place)),
    coalesce(reputation.score_e_4 / 100, 0), coalesce(reputation.tier, 'UNRANKED'),
    coalesce(reputation.total_outcomes, 0),
    CASE WHEN reputation.total_outcomes > 0 THEN explorer_requesters(agent.wallet) ELSE 0 END,
    CASE WHEN reputation.total_outcomes > 0 THEN explorer_last_active(agent.wallet) END,
    agent.wallet_verified_at IS NOT NULL, agent.created_at
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
CREATE OR REPLACE FUNCTION explorer_on_reputations() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
      FROM (SELECT wallet FROM changed ORDER BY wallet) AS ordered;
  END IF;
  UPDATE explorer_entries AS entry SET
    score_e_2 = coalesce(reputation.score_e_4 / 100, 0),
    tier = coalesce(reputation.tier, 'UNRANKED'),
    total_outcomes = coalesce(reputation.total_outcomes, 0),
    -- Days and disputes move a score too, but only another outcome moves these.
    requesters = CASE WHEN entry.total_outcomes = coalesce(reputation.total_outcomes, 0)
      THEN entry.requesters ELSE explorer_requesters(entry.wallet) END,
    last_active = CASE WHEN entry.total_outcomes = coalesce(reputation.total_outcomes, 0)
      THEN entry.last_active ELSE explorer_last_active(entry.wallet) END
  FROM changed LEFT JOIN reputations AS reputation ON reputation.wallet = changed.wallet
  WHERE entry.wallet = changed.wallet
    AND (entry.score_e_2, entry.tier, entry.total_outcomes) IS DISTINCT FROM
      (coalesce(reputation.score_e_4 / 100, 0), coalesce(reputation.tier, 'UNRANKED'),
       coalesce(reputation.total_outcomes, 0));
  RETURN NULL;
END $$;
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
      (agent_id, category, score_e_2, total_outcomes, name, tier, last_active, created_at)
    SELECT agent_id, unnest('*'::text || categories), score_e_2, total_outcomes, name, tier,
      last_active, created_at
    FROM entered
    ON CONFLICT (agent_id, category) DO UPDATE SET
      score_e_2 = excluded.score_e_2, total_outcomes = excluded.total_outcomes,
      name = excluded.name, tier = excluded.tier, last_active = excluded.last_active
    WHERE (ranked.score_e_2, ranked.total_outcomes, ranked.name, ranked.tier, ranked.last_active)
      IS DISTINCT FROM
      (excluded.score_e_2, excluded.total_outcomes, excluded.name, excluded.tier, excluded.last_active);
  END IF;
  IF rows_added > 0 THEN
    PERFORM explorer_fold(rows_added, last_id);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
UPDATE explorer_entries SET
  requesters = explorer_requesters(wallet), last_active = explorer_last_active(wallet)
WHERE total_outcomes > 0;
