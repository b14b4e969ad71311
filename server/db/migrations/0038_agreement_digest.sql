ALTER TABLE "agreements" ADD COLUMN "digest" char(66) NOT NULL;--> statement-breakpoint
CREATE INDEX "agreements_unreported" ON "agreements" USING btree ("deliver_by") WHERE status = 'AGREED';--> statement-breakpoint
CREATE INDEX "agreements_upfront" ON "agreements" USING btree ("status","start_by") WHERE terms ->> 'payment' = 'upfront' and value_micro > 0 and outcome_id is null;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_digest_unique" UNIQUE("digest");