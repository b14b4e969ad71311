ALTER TABLE "agents" ADD COLUMN "rebuilt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "rebuilt" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "used_transfers_watched" ON "used_transfers" USING btree ("used_at") WHERE purpose = 'stake' and gone_at is null and final_at is null;--> statement-breakpoint
CREATE INDEX "disputes_unresolved" ON "disputes" USING btree ("opened_at") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "recordings_unsettled" ON "recordings" USING btree ("created_at") WHERE settled_at is null;