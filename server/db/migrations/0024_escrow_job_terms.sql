ALTER TABLE "escrow_jobs" ALTER COLUMN "budget_micro" SET DEFAULT 0;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD COLUMN "created_block" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD COLUMN "terms_hash" char(66);--> statement-breakpoint
CREATE INDEX "escrow_jobs_terms" ON "escrow_jobs" USING btree ("terms_hash");