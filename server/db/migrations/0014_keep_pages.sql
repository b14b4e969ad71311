ALTER TABLE "documents" ADD COLUMN "final_url" text;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "status" integer;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "is_partial" boolean;--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "submitter" char(42);--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "kept_bytes" integer;--> statement-breakpoint
CREATE INDEX "documents_kept" ON "documents" USING btree ("submitter","subject_id","kept_bytes");--> statement-breakpoint
CREATE INDEX "documents_to_prune" ON "documents" USING btree ("fetched_at") WHERE submitter is not null;