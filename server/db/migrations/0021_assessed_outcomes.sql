ALTER TABLE "network_days" ADD COLUMN "assessed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "assessed" boolean;--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "passed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "assessed_success_rate_e_4" integer;--> statement-breakpoint

-- An outcome is assessed if the judge's confidence is above 0.5, or a dispute decided it.
UPDATE "outcomes" SET "assessed" = "confidence_ppm" > 500000 OR EXISTS (
    SELECT FROM "disputes" WHERE "outcome_id" = "outcomes"."id" AND "disputes"."status" = 'RESOLVED'
  ) WHERE "status" = 'RESOLVED';
--> statement-breakpoint

CREATE OR REPLACE FUNCTION network_fold(last_id bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF last_id % 64 <> 0
    OR current_setting('transaction_isolation') <> 'read committed'
    OR NOT pg_try_advisory_xact_lock(hashtextextended('network-days', 0))
  THEN
    RETURN;
  END IF;
  WITH crowded AS (
    SELECT day, category FROM network_days GROUP BY day, category HAVING count(*) > 1
  ), folded AS (
    DELETE FROM network_days AS counted USING crowded
    WHERE (counted.day, counted.category) = (crowded.day, crowded.category)
    RETURNING counted.*
  )
  INSERT INTO network_days
    (day, category, outcomes, assessed, successes, paid_micro, disputes, overturned, agents)
  SELECT day, category, sum(outcomes), sum(assessed), sum(successes), sum(paid_micro),
    sum(disputes), sum(overturned), sum(agents)
  FROM folded GROUP BY day, category;
END $$;
--> statement-breakpoint

-- Counts recorded outcomes, on the day of the verdict; a dispute can change whether it is a success.
CREATE OR REPLACE FUNCTION network_count_outcome(outcome outcomes, change integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
BEGIN
  IF outcome.status <> 'RESOLVED' THEN
    RETURN;
  END IF;
  INSERT INTO network_days (day, category, outcomes, assessed, successes, paid_micro)
  VALUES (
    (coalesce(outcome.resolved_at, outcome.submitted_at) AT TIME ZONE 'UTC')::date,
    outcome.task_category, change,
    CASE WHEN outcome.assessed THEN change ELSE 0 END,
    CASE WHEN outcome.assessed AND outcome.final_verdict = 'SUCCESS' THEN change ELSE 0 END,
    change * outcome.paid_micro
  ) RETURNING id INTO last_id;
  PERFORM network_fold(last_id);
END $$;
--> statement-breakpoint

DROP TRIGGER network_outcomes_updated ON outcomes;
--> statement-breakpoint
CREATE TRIGGER network_outcomes_updated AFTER UPDATE ON outcomes
  FOR EACH ROW WHEN ((OLD.status, OLD.final_verdict, OLD.assessed, OLD.resolved_at, OLD.paid_micro)
    IS DISTINCT FROM (NEW.status, NEW.final_verdict, NEW.assessed, NEW.resolved_at, NEW.paid_micro))
  EXECUTE FUNCTION network_on_outcomes();
--> statement-breakpoint
UPDATE network_days SET successes = 0;
--> statement-breakpoint
INSERT INTO network_days (day, category, assessed, successes)
  SELECT (coalesce(resolved_at, submitted_at) AT TIME ZONE 'UTC')::date, task_category, count(*),
    count(*) FILTER (WHERE final_verdict = 'SUCCESS')
  FROM outcomes WHERE status = 'RESOLVED' AND assessed GROUP BY 1, 2;
--> statement-breakpoint

-- The success rate of lists is the one over assessed outcomes.
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
    reputation.assessed_success_rate_e_4,
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
      THEN entry.requesters ELSE coalesce(scored.requesters, explorer_requesters(entry.wallet)) END,
    last_active = CASE WHEN entry.total_outcomes = scored.total_outcomes
      THEN entry.last_active ELSE explorer_last_active(entry.wallet) END
  FROM (
    SELECT changed.wallet, coalesce(score_e_4 / 100, 0) AS score_e_2,
      explorer_category_scores(coalesce(category_scores_e_4, '{}')) AS category_scores_e_2,
      coalesce(tier, 'UNRANKED') AS tier, coalesce(total_outcomes, 0) AS total_outcomes,
      assessed_success_rate_e_4 AS success_rate_e_4,
      CASE WHEN (totals->>'version')::int = version
        THEN (totals->>'confirmedRequesters')::int END AS requesters
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

-- Scores are computed anew from the ledger, because the stored evidence lacks the new number. Until then
-- the rate is known only where every outcome was assessed.
UPDATE "reputations" SET "totals" = NULL, "score_day" = "score_day" - 1,
  "assessed_success_rate_e_4" = CASE WHEN "assessed_outcomes" = "confirmed_outcomes"
    AND "confirmed_outcomes" > 0 THEN "success_rate_e_4" END;
