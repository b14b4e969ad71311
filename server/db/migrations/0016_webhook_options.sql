ALTER TABLE "watches" ADD COLUMN "confirmed_address" text;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "previous_sealed_secret" "bytea";--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "previous_secret_expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "retry_schedule" text DEFAULT 'standard' NOT NULL;