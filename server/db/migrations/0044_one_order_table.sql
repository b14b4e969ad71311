-- One table has all orders: it replaces those of entries and of orders without the score.
DROP TABLE "explorer_entries" CASCADE;
--> statement-breakpoint
DROP TABLE "explorer_orders" CASCADE;
--> statement-breakpoint
DROP FUNCTION IF EXISTS explorer_on_entries, explorer_fold, explorer_scores, explorer_category_scores;
--> statement-breakpoint
DROP INDEX "explorer_by_outcomes";
--> statement-breakpoint
ALTER TABLE "explorer_ranks" ALTER COLUMN "requesters" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "agents" ADD COLUMN "search_text" text GENERATED ALWAYS AS (casefold((name || E'\x1f' || description) collate "pg_c_utf8")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD COLUMN "wallet_verified" boolean NOT NULL DEFAULT false;
--> statement-breakpoint
UPDATE explorer_ranks SET wallet_verified = true FROM agents
WHERE agents.id = agent_id AND wallet_verified_at IS NOT NULL;
--> statement-breakpoint
ALTER TABLE "explorer_ranks" ALTER COLUMN "wallet_verified" DROP DEFAULT;
--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD CONSTRAINT "explorer_ranks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "agents_suffixes" ON "agents" USING gin (explorer_suffixes(search_text)) WITH (fastupdate=false);
--> statement-breakpoint
-- Without statistics every search is planned for a rare term, and an analysis does not compute the suffixes.
ALTER INDEX "agents_suffixes" ALTER COLUMN 1 SET STATISTICS 0;
--> statement-breakpoint
CREATE INDEX "agents_wallet_prefix" ON "agents" USING btree (lower(wallet) text_pattern_ops);
--> statement-breakpoint
CREATE INDEX "explorer_by_success_rate" ON "explorer_ranks" USING btree ("success_rate_e_4" DESC NULLS LAST,"total_outcomes" DESC NULLS FIRST,"name","agent_id") WHERE category = '*';
--> statement-breakpoint
CREATE INDEX "explorer_by_requesters" ON "explorer_ranks" USING btree ("requesters" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id") WHERE category = '*';
--> statement-breakpoint
CREATE INDEX "explorer_by_activity" ON "explorer_ranks" USING btree ("last_active" DESC NULLS LAST,"agent_id") WHERE category = '*';
--> statement-breakpoint
CREATE INDEX "explorer_by_name" ON "explorer_ranks" USING btree (lower(name collate "pg_c_utf8"),"name","agent_id") WHERE category = '*';
--> statement-breakpoint
CREATE INDEX "explorer_by_age" ON "explorer_ranks" USING btree ("created_at" DESC NULLS FIRST,"agent_id" DESC NULLS FIRST) WHERE category = '*';
--> statement-breakpoint
CREATE INDEX "explorer_by_outcomes" ON "explorer_ranks" USING btree ("total_outcomes" DESC NULLS FIRST,"score_e_2" DESC NULLS FIRST,"name","agent_id","tier") WHERE category = '*';
