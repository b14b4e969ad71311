ALTER TABLE "outcomes" ADD COLUMN "faulted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "fault" text;--> statement-breakpoint
CREATE INDEX "outcomes_faulted" ON "outcomes" USING btree ("faulted_at") WHERE faulted_at is not null;