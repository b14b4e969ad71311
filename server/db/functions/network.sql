-- Keeps `network_days` (`server/explorer/tables.ts`) in step with agents, disputes and outcomes: each
-- change appends a row in its transaction.

-- After every 64th row, the rows of each day and category are summed into one. One transaction sums
-- at a time; at a stricter isolation level it could meet rows already summed.
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

CREATE OR REPLACE FUNCTION network_on_agents() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  agent agents := CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
  last_id bigint;
BEGIN
  INSERT INTO network_days (day, category, agents)
  VALUES ((agent.created_at AT TIME ZONE 'UTC')::date, '*', CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END)
  RETURNING id INTO last_id;
  PERFORM network_fold(last_id);
  RETURN NULL;
END $$;

-- A dispute counts from its opening; it is overturned once its verdict is recorded.
CREATE OR REPLACE FUNCTION network_count_dispute(dispute disputes, change integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
BEGIN
  INSERT INTO network_days (day, category, disputes, overturned)
  SELECT (dispute.opened_at AT TIME ZONE 'UTC')::date, outcome.task_category, change,
    CASE WHEN dispute.status = 'RESOLVED' AND dispute.final_verdict <> dispute.recorded_verdict
      THEN change ELSE 0 END
  FROM outcomes AS outcome WHERE outcome.id = dispute.outcome_id
  RETURNING id INTO last_id;
  PERFORM network_fold(last_id);
END $$;

CREATE OR REPLACE FUNCTION network_on_disputes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM network_count_dispute(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM network_count_dispute(NEW, 1);
  END IF;
  RETURN NULL;
END $$;

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

CREATE OR REPLACE FUNCTION network_on_outcomes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM network_count_outcome(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM network_count_outcome(NEW, 1);
  END IF;
  RETURN NULL;
END $$;
