ALTER TABLE "evidence" ADD COLUMN "earned" bigint NOT NULL;--> statement-breakpoint
ALTER TABLE "evidence" ADD COLUMN "lost" bigint NOT NULL;--> statement-breakpoint
CREATE INDEX "agreements_agreed" ON "agreements" USING btree ("contractor") WHERE status = 'AGREED';--> statement-breakpoint
CREATE INDEX "outcomes_failed" ON "outcomes" USING btree ("contractor","resolved_at") WHERE final_verdict = 'FAILURE';