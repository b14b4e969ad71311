-- Moves the orders that the score does not change out of `explorer_ranks`, whose every new score was
-- an entry in each of its indexes. Readers go on until the indexes are dropped.

-- Every change of the ranks begins with one of the entries.
LOCK TABLE explorer_entries IN SHARE MODE;
--> statement-breakpoint
CREATE TABLE "explorer_orders" (
	"agent_id" uuid NOT NULL,
	"category" text NOT NULL,
	"is_ranked" boolean NOT NULL,
	"total_outcomes" integer NOT NULL,
	"success_rate_e_4" integer,
	"requesters" integer NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"tier" text NOT NULL,
	"last_active" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "explorer_orders_agent_id_category_pk" PRIMARY KEY("agent_id","category")
);
--> statement-breakpoint
INSERT INTO explorer_orders
  (agent_id, category, is_ranked, total_outcomes, success_rate_e_4, requesters, name, tier,
    last_active, created_at)
SELECT agent_id, category, score_e_2 >= 0, total_outcomes, success_rate_e_4, requesters, name, tier,
  last_active, created_at
FROM explorer_ranks;
--> statement-breakpoint
CREATE INDEX "explorer_orders_success_rate" ON "explorer_orders" USING btree ("category","success_rate_e_4" DESC NULLS LAST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier") WHERE is_ranked;--> statement-breakpoint
CREATE INDEX "explorer_orders_requesters" ON "explorer_orders" USING btree ("category","requesters" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier") WHERE is_ranked;--> statement-breakpoint
CREATE INDEX "explorer_orders_activity" ON "explorer_orders" USING btree ("category","last_active" DESC NULLS LAST,"agent_id","tier","is_ranked");--> statement-breakpoint
CREATE INDEX "explorer_orders_name" ON "explorer_orders" USING btree ("category",lower(name collate "pg_c_utf8"),"name","agent_id","tier","is_ranked");--> statement-breakpoint
CREATE INDEX "explorer_orders_age" ON "explorer_orders" USING btree ("category","created_at" DESC NULLS FIRST,"agent_id" DESC NULLS FIRST,"tier","is_ranked");--> statement-breakpoint
ANALYZE explorer_orders;
--> statement-breakpoint

-- As before, but also maintains `explorer_orders`: a row of it changes if its row in `explorer_ranks`
-- changes in anything but the score. Comparing with the old row needs no read of `explorer_orders`.
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
--> statement-breakpoint

DROP INDEX "explorer_by_success_rate";--> statement-breakpoint
DROP INDEX "explorer_by_requesters";--> statement-breakpoint
DROP INDEX "explorer_by_activity";--> statement-breakpoint
DROP INDEX "explorer_by_name";--> statement-breakpoint
DROP INDEX "explorer_by_age";
