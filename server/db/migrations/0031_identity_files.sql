ALTER TABLE "identity_links" ADD COLUMN "file" jsonb;--> statement-breakpoint
ALTER TABLE "identity_links" ADD COLUMN "file_read_at" timestamp (3) with time zone;