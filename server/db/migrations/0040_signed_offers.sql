DROP INDEX "agreements_agreed";--> statement-breakpoint
ALTER TABLE "log_cursors" ADD COLUMN "read_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "agreements_reserving" ON "agreements" USING btree ("contractor","status","start_by");