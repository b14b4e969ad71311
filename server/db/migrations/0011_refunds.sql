CREATE TABLE "refunds" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"outcome_id" uuid NOT NULL,
	"transfer_id" uuid,
	"tx_hash" char(66) NOT NULL,
	"amount_micro" bigint NOT NULL,
	"accepted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"refunded_at" timestamp (3) with time zone,
	"on_chain_tx" char(66),
	"record_index" integer,
	CONSTRAINT "refunds_outcomeId_unique" UNIQUE("outcome_id"),
	CONSTRAINT "refunds_transferId_unique" UNIQUE("transfer_id")
);
--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD COLUMN "deliverable_content" text;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD COLUMN "deliverable_hash" char(66);--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "confirmed_outcomes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "refunds_unrecorded" ON "refunds" USING btree ("accepted_at") WHERE refunded_at is null;