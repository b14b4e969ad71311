-- Keeps the explorer's tables in step with agents and scores (`server/explorer/tables.ts`), in the
-- transaction of the change:
--   agents, reputations, anchors -> explorer_entries -> explorer_ranks, explorer_orders, explorer_counts

-- The trigger functions join the changed rows with whole tables by index only. A session caches
-- their plans, and a plan made for a batch or for empty tables must not scan a table for each score.

-- Scores by category in 1/100 points, from those in 1/10,000.
CREATE OR REPLACE FUNCTION explorer_category_scores(scores_e_4 jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(key, value::integer / 100), '{}') FROM jsonb_each_text(scores_e_4)
$$;

-- The categories of an entry with its score in each: `*`, those that it declares, and those in which
-- it has an outcome. Without an outcome the score is -1.
CREATE OR REPLACE FUNCTION explorer_scores(declared text[], category_scores jsonb, overall integer, outcomes integer)
RETURNS TABLE (category text, score_e_2 integer) LANGUAGE sql IMMUTABLE AS $$
  SELECT '*', CASE WHEN outcomes > 0 THEN overall ELSE -1 END
  UNION ALL
  SELECT listed.name, coalesce((category_scores->>listed.name)::integer, -1)
  FROM (SELECT unnest(declared) UNION SELECT jsonb_object_keys(category_scores)) AS listed(name)
$$;

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

-- Runs when agents register or change their profile; `changed` holds the new rows.
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

-- Runs when scores are written; `changed` holds the rows, of registered wallets and others. A deleted
-- agent takes its entry with it through the foreign key. Reads the number of requesters from the
-- totals beside a score: counting them takes longer with each outcome. Counts them only if the totals
-- don't belong to the score.
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

-- An anchor, or its revocation, changes how many requesters of a contractor count, and rescores each
-- contractor with an entry in its history.
CREATE OR REPLACE FUNCTION explorer_on_anchored() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE explorer_entries SET requesters = explorer_requesters(wallet)
  WHERE wallet = NEW.wallet AND requesters <> explorer_requesters(wallet);
  RETURN NULL;
END $$;

-- Every change of an entry adds at least one row, even if no count changes: the rows also signal
-- that something changed. After every 64th row, the rows of each bucket are summed into one. One
-- transaction sums at a time; at a stricter isolation level it could meet rows already summed.
CREATE OR REPLACE FUNCTION explorer_fold(rows_added bigint, last_id bigint) RETURNS void LANGUAGE plpgsql AS $$
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

-- Keeps the counts, ranks and orders in step with the entries. A row of `explorer_orders` changes if
-- its row in `explorer_ranks` changes in anything but the score. Comparing with the old row needs no
-- read of `explorer_orders`.
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
    DELETE FROM explorer_orders AS ordered USING gone WHERE ordered.agent_id = gone.agent_id;
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
    WITH left_category AS (
      DELETE FROM explorer_ranks AS ranked USING entered
      WHERE ranked.agent_id = entered.agent_id
        AND ranked.category <> ALL ('*'::text || entered.categories)
        AND NOT entered.category_scores_e_2 ? ranked.category
      RETURNING ranked.agent_id, ranked.category
    )
    DELETE FROM explorer_orders AS ordered USING left_category AS lost
    WHERE (ordered.agent_id, ordered.category) = (lost.agent_id, lost.category);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    WITH changed AS (
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
          excluded.name, excluded.tier, excluded.last_active)
      RETURNING WITH (OLD AS replaced, NEW AS stored) stored.*,
        (replaced.score_e_2 >= 0, replaced.total_outcomes, replaced.success_rate_e_4,
          replaced.requesters, replaced.name, replaced.tier, replaced.last_active)
        IS DISTINCT FROM
        (stored.score_e_2 >= 0, stored.total_outcomes, stored.success_rate_e_4, stored.requesters,
          stored.name, stored.tier, stored.last_active) AS is_reordered
    )
    INSERT INTO explorer_orders
      (agent_id, category, is_ranked, total_outcomes, success_rate_e_4, requesters, name, tier,
        last_active, created_at)
    SELECT agent_id, category, score_e_2 >= 0, total_outcomes, success_rate_e_4, requesters, name, tier,
      last_active, created_at
    FROM changed WHERE is_reordered
    ON CONFLICT (agent_id, category) DO UPDATE SET
      is_ranked = excluded.is_ranked, total_outcomes = excluded.total_outcomes,
      success_rate_e_4 = excluded.success_rate_e_4, requesters = excluded.requesters,
      name = excluded.name, tier = excluded.tier, last_active = excluded.last_active;
  END IF;
  IF rows_added > 0 THEN
    PERFORM explorer_fold(rows_added, last_id);
  END IF;
  RETURN NULL;
END $$;
