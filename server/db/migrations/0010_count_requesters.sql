-- Reads the number of requesters from the totals beside a score: counting them took longer with each
-- outcome. Counts them only if the totals don't belong to the score.
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
      CASE WHEN confirmed_outcomes > 0 THEN success_rate_e_4 END AS success_rate_e_4,
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
