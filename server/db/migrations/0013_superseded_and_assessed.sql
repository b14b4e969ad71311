ALTER TABLE "outcomes" ADD COLUMN "superseded_by" uuid;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "superseded_tx" char(66);--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "superseded_index" integer;--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "assessed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "assessed_outcomes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "outcomes_superseded" ON "outcomes" USING btree ("superseded_by") WHERE superseded_by is not null;--> statement-breakpoint
CREATE INDEX "outcomes_payment" ON "outcomes" USING btree ("payment_transfer_id") WHERE payment_transfer_id is not null;--> statement-breakpoint
-- Scores of an earlier policy are computed again from the ledger: at the next read, and stored by the next refresh.
UPDATE "reputations" SET "totals" = NULL, "score_day" = "score_day" - 1;
