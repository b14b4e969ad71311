ALTER TABLE "agreements" ADD COLUMN "delivery_payment_tx_hash" char(66);--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "delivery_payment_log_index" integer;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "delivery_payment_searched_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "agreements_unpaid" ON "agreements" USING btree ("delivery_payment_searched_at") WHERE status = 'DELIVERED' and paid_at is null and delivery_payment_tx_hash is null;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_delivery_payment" UNIQUE("delivery_payment_tx_hash","delivery_payment_log_index");