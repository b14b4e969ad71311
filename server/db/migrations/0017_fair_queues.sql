ALTER TABLE "engine_slots" ADD COLUMN "share" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "submitter_client" text;--> statement-breakpoint
CREATE INDEX "engine_slots_queued" ON "engine_slots" USING btree ("name","share","id") WHERE job_id is null;