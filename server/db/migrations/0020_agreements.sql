CREATE TABLE "agreements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"terms" jsonb NOT NULL,
	"terms_hash" char(66) NOT NULL,
	"requester" char(42) NOT NULL,
	"contractor" char(42) NOT NULL,
	"value_micro" bigint NOT NULL,
	"deliver_by" timestamp (3) with time zone NOT NULL,
	"proposed_by" text NOT NULL,
	"status" text DEFAULT 'PROPOSED' NOT NULL,
	"contractor_signature" text,
	"requester_signature" text,
	"payment_transfer_id" uuid,
	"cancellation_requested_by" text,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"accept_by" timestamp (3) with time zone NOT NULL,
	"agreed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"outcome_id" uuid,
	CONSTRAINT "agreements_termsHash_unique" UNIQUE("terms_hash")
);
--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "agreement_id" uuid;--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "agreed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_payment_transfer_id_used_transfers_id_fk" FOREIGN KEY ("payment_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agreements_requester" ON "agreements" USING btree ("requester","proposed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "agreements_contractor" ON "agreements" USING btree ("contractor","proposed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "agreements_open" ON "agreements" USING btree ("accept_by") WHERE status = 'PROPOSED';--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_agreement_id_agreements_id_fk" FOREIGN KEY ("agreement_id") REFERENCES "public"."agreements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_agreementId_unique" UNIQUE("agreement_id");