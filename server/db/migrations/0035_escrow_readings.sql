DROP INDEX "escrow_jobs_open";--> statement-breakpoint
ALTER TABLE "escrow_jobs" ALTER COLUMN "provider" SET DEFAULT '0x0000000000000000000000000000000000000000';--> statement-breakpoint
ALTER TABLE "escrow_jobs" ALTER COLUMN "expires_at" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ALTER COLUMN "status" SET DEFAULT 'unread';--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD COLUMN "funded_block" bigint NOT NULL;--> statement-breakpoint
CREATE INDEX "escrow_jobs_open" ON "escrow_jobs" USING btree ("created_at") WHERE status in ('unread', 'funded', 'deciding');--> statement-breakpoint
ALTER TABLE "escrow_jobs" DROP COLUMN "created_block";