ALTER TABLE "agreements" ADD COLUMN "unresponsive_urls" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "check_passed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "passed_check" jsonb;