CREATE TABLE "network_days" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_days_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"category" text NOT NULL,
	"outcomes" integer DEFAULT 0 NOT NULL,
	"successes" integer DEFAULT 0 NOT NULL,
	"paid_micro" bigint DEFAULT 0 NOT NULL,
	"disputes" integer DEFAULT 0 NOT NULL,
	"overturned" integer DEFAULT 0 NOT NULL,
	"agents" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "network_days_day" ON "network_days" USING btree ("day","category");--> statement-breakpoint

-- From here on, tables are locked in the order in which requests lock them: agents, disputes, outcomes.

-- After every 64th row, the rows of each day and category are summed into one. One transaction sums
-- at a time; at a stricter isolation level it could meet rows already summed.
CREATE FUNCTION network_fold(last_id bigint) RETURNS void LANGUAGE plpgsql AS $$
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
    (day, category, outcomes, successes, paid_micro, disputes, overturned, agents)
  SELECT day, category, sum(outcomes), sum(successes), sum(paid_micro), sum(disputes),
    sum(overturned), sum(agents)
  FROM folded GROUP BY day, category;
END $$;
--> statement-breakpoint

CREATE FUNCTION network_on_agents() RETURNS trigger LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE TRIGGER network_agents AFTER INSERT OR DELETE ON agents
  FOR EACH ROW EXECUTE FUNCTION network_on_agents();
--> statement-breakpoint
INSERT INTO network_days (day, category, agents)
  SELECT (created_at AT TIME ZONE 'UTC')::date, '*', count(*) FROM agents GROUP BY 1;
--> statement-breakpoint

CREATE INDEX "disputes_newest" ON "disputes" USING btree ("opened_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
-- A dispute counts from its opening; it is overturned once its verdict is recorded.
CREATE FUNCTION network_count_dispute(dispute disputes, change integer) RETURNS void LANGUAGE plpgsql AS $$
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
--> statement-breakpoint
CREATE FUNCTION network_on_disputes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM network_count_dispute(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM network_count_dispute(NEW, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER network_disputes_moved AFTER INSERT OR DELETE ON disputes
  FOR EACH ROW EXECUTE FUNCTION network_on_disputes();
--> statement-breakpoint
CREATE TRIGGER network_disputes_updated AFTER UPDATE ON disputes
  FOR EACH ROW WHEN ((OLD.status, OLD.final_verdict, OLD.opened_at, OLD.outcome_id)
    IS DISTINCT FROM (NEW.status, NEW.final_verdict, NEW.opened_at, NEW.outcome_id))
  EXECUTE FUNCTION network_on_disputes();
--> statement-breakpoint

CREATE INDEX "outcomes_newest" ON "outcomes" USING btree ("submitted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
CREATE INDEX "outcomes_category_newest" ON "outcomes" USING btree ("task_category","submitted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);
--> statement-breakpoint
-- Counts recorded outcomes, on the day of the verdict; a dispute can change whether it is a success.
CREATE FUNCTION network_count_outcome(outcome outcomes, change integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  last_id bigint;
BEGIN
  IF outcome.status <> 'RESOLVED' THEN
    RETURN;
  END IF;
  INSERT INTO network_days (day, category, outcomes, successes, paid_micro)
  VALUES (
    (coalesce(outcome.resolved_at, outcome.submitted_at) AT TIME ZONE 'UTC')::date,
    outcome.task_category, change,
    CASE WHEN coalesce(outcome.final_verdict, outcome.verdict) = 'SUCCESS' THEN change ELSE 0 END,
    change * outcome.paid_micro
  ) RETURNING id INTO last_id;
  PERFORM network_fold(last_id);
END $$;
--> statement-breakpoint
CREATE FUNCTION network_on_outcomes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM network_count_outcome(OLD, -1);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM network_count_outcome(NEW, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER network_outcomes_inserted AFTER INSERT ON outcomes
  FOR EACH ROW WHEN (NEW.status = 'RESOLVED') EXECUTE FUNCTION network_on_outcomes();
--> statement-breakpoint
CREATE TRIGGER network_outcomes_deleted AFTER DELETE ON outcomes
  FOR EACH ROW WHEN (OLD.status = 'RESOLVED') EXECUTE FUNCTION network_on_outcomes();
--> statement-breakpoint
CREATE TRIGGER network_outcomes_updated AFTER UPDATE ON outcomes
  FOR EACH ROW WHEN ((OLD.status, OLD.final_verdict, OLD.resolved_at, OLD.paid_micro)
    IS DISTINCT FROM (NEW.status, NEW.final_verdict, NEW.resolved_at, NEW.paid_micro))
  EXECUTE FUNCTION network_on_outcomes();
--> statement-breakpoint

INSERT INTO network_days (day, category, outcomes, successes, paid_micro)
  SELECT (coalesce(resolved_at, submitted_at) AT TIME ZONE 'UTC')::date, task_category, count(*),
    count(*) FILTER (WHERE coalesce(final_verdict, verdict) = 'SUCCESS'), sum(paid_micro)
  FROM outcomes WHERE status = 'RESOLVED' GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO network_days (day, category, disputes, overturned)
  SELECT (opened_at AT TIME ZONE 'UTC')::date, task_category, count(*),
    count(*) FILTER (WHERE disputes.status = 'RESOLVED' AND disputes.final_verdict <> recorded_verdict)
  FROM disputes JOIN outcomes ON outcomes.id = disputes.outcome_id GROUP BY 1, 2;
