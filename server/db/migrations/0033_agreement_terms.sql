ALTER TABLE "agreements" RENAME COLUMN "accept_by" TO "start_by";--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "contractor_block" bigint;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "requester_block" bigint;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "paid_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "refund_transfer_id" uuid;--> statement-breakpoint
ALTER TABLE "agreements" ADD COLUMN "settled_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_refund_transfer_id_used_transfers_id_fk" FOREIGN KEY ("refund_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;
