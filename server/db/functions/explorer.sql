-- Keeps `explorer_ranks` and `explorer_counts` (`server/explorer/tables.ts`) in step with agents and
-- scores, in the transaction of the change.

-- Requesters with a paid or anchored outcome, by the rule of `BACKING` in `wallet-outcomes.ts`.
CREATE OR REPLACE FUNCTION explorer_requesters(of_wallet char(42)) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(DISTINCT requester)::integer FROM outcomes
  WHERE contractor = of_wallet AND status = 'RESOLVED' AND (
    paid_micro > 0
    OR (agreed OR submitted_by = 'requester' AND proven) AND EXISTS (
      SELECT FROM anchors
      WHERE anchors.wallet = outcomes.requester AND anchors.seq IS NOT NULL
        AND anchors.revoked_seq IS NULL
        AND "from" <= date_trunc('second', resolved_at)
        AND (until IS NULL OR date_trunc('second', resolved_at) < until)
    )
  )
$$;

-- When the newest recorded outcome was submitted. The score of a wallet is written after its ledger
-- record and outcome, in the same transaction.
CREATE OR REPLACE FUNCTION explorer_last_active(of_wallet char(42)) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT submitted_at FROM outcomes WHERE contractor = of_wallet AND status = 'RESOLVED'
  ORDER BY submitted_at DESC LIMIT 1
$$;

-- Writes the rows of agents from their profiles and scores. Two transactions that change the same agent
-- serialize at its row for `*`, so the later one sees what the earlier one wrote.
-- Joins by index only: a session caches the plans, and one made for a batch or for empty tables must not
-- scan a table for each score.
CREATE OR REPLACE FUNCTION explorer_refresh(ids uuid[]) RETURNS void LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM explorer_ranks WHERE agent_id = ANY (ids) AND category = '*' ORDER BY agent_id FOR UPDATE;

  DELETE FROM explorer_ranks AS ranked
  USING agents AS agent LEFT JOIN reputations AS reputation USING (wallet)
  WHERE ranked.agent_id = ANY (ids) AND agent.id = ranked.agent_id
    AND ranked.category <> ALL ('*'::text || agent.categories)
    AND NOT coalesce(reputation.category_scores_e_4 ? ranked.category, false);

  INSERT INTO explorer_ranks AS ranked
    (agent_id, category, score_e_2, total_outcomes, success_rate_e_4, requesters, name, tier,
      last_active, wallet_verified, created_at)
  SELECT agent.id, own.category, own.score_e_2, scored.outcomes, reputation.assessed_success_rate_e_4,
    -- Time and disputes change a score too, but only another outcome changes these two, or an anchor:
    -- see `explorer_on_anchored`. The totals beside a score have the number of requesters, unless they
    -- are older; counting them takes longer with each outcome.
    CASE
      WHEN scored.outcomes = 0 THEN 0
      WHEN scored.is_known THEN stored.requesters
      ELSE coalesce(
        CASE WHEN (totals->>'version')::int = version THEN (totals->>'confirmedRequesters')::int END,
        explorer_requesters(agent.wallet))
    END,
    agent.name, coalesce(reputation.tier, 'UNRANKED'),
    CASE
      WHEN scored.outcomes = 0 THEN NULL
      WHEN scored.is_known THEN stored.last_active
      ELSE explorer_last_active(agent.wallet)
    END,
    agent.wallet_verified_at IS NOT NULL, agent.created_at
  FROM agents AS agent
    LEFT JOIN reputations AS reputation USING (wallet)
    LEFT JOIN explorer_ranks AS stored ON stored.agent_id = agent.id AND stored.category = '*'
    CROSS JOIN LATERAL (
      SELECT coalesce(reputation.total_outcomes, 0) AS outcomes,
        coalesce(stored.total_outcomes = reputation.total_outcomes, false) AS is_known
    ) AS scored
    CROSS JOIN LATERAL (
      SELECT '*' AS category,
        CASE WHEN scored.outcomes > 0 THEN reputation.score_e_4 / 100 ELSE -1 END AS score_e_2
      UNION ALL
      SELECT listed.name, coalesce((reputation.category_scores_e_4->>listed.name)::integer / 100, -1)
      FROM (
        SELECT unnest(agent.categories) UNION SELECT jsonb_object_keys(reputation.category_scores_e_4)
      ) AS listed(name)
    ) AS own
  WHERE agent.id = ANY (ids)
  ON CONFLICT (agent_id, category) DO UPDATE SET
    score_e_2 = excluded.score_e_2, total_outcomes = excluded.total_outcomes,
    success_rate_e_4 = excluded.success_rate_e_4, requesters = excluded.requesters,
    name = excluded.name, tier = excluded.tier, last_active = excluded.last_active,
    wallet_verified = excluded.wallet_verified
  WHERE (ranked.score_e_2, ranked.total_outcomes, ranked.success_rate_e_4, ranked.requesters,
      ranked.name, ranked.tier, ranked.last_active, ranked.wallet_verified)
    IS DISTINCT FROM
    (excluded.score_e_2, excluded.total_outcomes, excluded.success_rate_e_4, excluded.requesters,
      excluded.name, excluded.tier, excluded.last_active, excluded.wallet_verified);
END $$;

-- Serializes the registration of wallets with the transaction that writes their first score, so that the
-- later one sees the earlier one's row.
CREATE OR REPLACE FUNCTION explorer_lock(wallets text[]) RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtextextended('explorer:' || wallet, 0))
  FROM (SELECT wallet FROM unnest(wallets) AS wallet ORDER BY wallet) AS ordered
$$;

-- Runs when agents register or change their profile; `changed` holds the new rows.
CREATE OR REPLACE FUNCTION explorer_on_agents() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM explorer_lock(ARRAY(SELECT wallet FROM changed));
    -- An existing score is locked until this transaction ends.
    PERFORM FROM reputations WHERE wallet IN (SELECT wallet FROM changed) ORDER BY wallet FOR SHARE;
  END IF;
  PERFORM explorer_refresh(ARRAY(SELECT id FROM changed));
  RETURN NULL;
END $$;

-- Runs when scores are written; `changed` holds the rows, of registered wallets and others. A deleted
-- agent takes its rows with it through the foreign key.
CREATE OR REPLACE FUNCTION explorer_on_reputations() RETURNS trigger LANGUAGE plpgsql
  SET enable_hashjoin = off SET enable_mergejoin = off SET enable_seqscan = off AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM explorer_lock(ARRAY(SELECT wallet FROM changed));
  END IF;
  PERFORM explorer_refresh(ARRAY(SELECT id FROM changed JOIN agents USING (wallet)));
  RETURN NULL;
END $$;

-- An anchor, or its revocation, changes how many requesters of a contractor count, and rescores each
-- contractor with an entry in its history.
CREATE OR REPLACE FUNCTION explorer_on_anchored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE explorer_ranks SET requesters = counted.requesters
  FROM (SELECT id, explorer_requesters(wallet) AS requesters FROM agents WHERE wallet = NEW.wallet) AS counted
  WHERE agent_id = counted.id AND explorer_ranks.requesters <> counted.requesters;
  RETURN NULL;
END $$;

-- Appends the change of each bucket of `explorer_counts`. After about every 64th row, the rows of each
-- bucket are summed into one. One transaction sums at a time; at a stricter isolation level it could meet
-- rows already summed.
CREATE OR REPLACE FUNCTION explorer_on_ranks() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  rows_added bigint;
  last_id bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO explorer_counts (category, tier, points, agents)
    SELECT category, tier, floor(score_e_2 / 100.0), count(*) FROM entered GROUP BY 1, 2, 3;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO explorer_counts (category, tier, points, agents)
    SELECT category, tier, floor(score_e_2 / 100.0), -count(*) FROM gone GROUP BY 1, 2, 3;
  ELSE
    INSERT INTO explorer_counts (category, tier, points, agents)
    SELECT category, tier, floor(score_e_2 / 100.0), sum(change) FROM (
      SELECT category, tier, score_e_2, 1 AS change FROM entered
      UNION ALL SELECT category, tier, score_e_2, -1 FROM gone
    ) AS moved GROUP BY 1, 2, 3 HAVING sum(change) <> 0;
  END IF;
  GET DIAGNOSTICS rows_added = ROW_COUNT;
  SELECT max(id) INTO last_id FROM explorer_counts;
  IF rows_added = 0 OR last_id / 64 = (last_id - rows_added) / 64
    OR current_setting('transaction_isolation') <> 'read committed'
    OR NOT pg_try_advisory_xact_lock(hashtextextended('explorer-counts', 0))
  THEN
    RETURN NULL;
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
  RETURN NULL;
END $$;
