ALTER TABLE "network_days" ADD COLUMN "assessed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "assessed" boolean;--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "passed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "assessed_success_rate_e_4" integer;--> statement-breakpoint

-- An outcome is assessed if the judge's confidence is above 0.5, or a dispute decided it.
UPDATE "outcomes" SET "assessed" = "confidence_ppm" > 500000 OR EXISTS (
    SELECT FROM "disputes" WHERE "outcome_id" = "outcomes"."id" AND "disputes"."status" = 'RESOLVED'
  ) WHERE "status" = 'RESOLVED';
--> statement-breakpoint
UPDATE "network_days" SET "successes" = 0;
--> statement-breakpoint
INSERT INTO "network_days" ("day", "category", "assessed", "successes")
  SELECT (coalesce("resolved_at", "submitted_at") AT TIME ZONE 'UTC')::date, "task_category", count(*),
    count(*) FILTER (WHERE "final_verdict" = 'SUCCESS')
  FROM "outcomes" WHERE "status" = 'RESOLVED' AND "assessed" GROUP BY 1, 2;
--> statement-breakpoint

-- Scores are computed from the ledger again, because the stored evidence lacks the new number. Until then
-- the rate is known only where every outcome was assessed.
UPDATE "reputations" SET "totals" = NULL, "score_day" = "score_day" - 1,
  "assessed_success_rate_e_4" = CASE WHEN "assessed_outcomes" = "confirmed_outcomes"
    AND "confirmed_outcomes" > 0 THEN "success_rate_e_4" END;
