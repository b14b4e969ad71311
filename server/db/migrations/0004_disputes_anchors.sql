CREATE TABLE "used_transfers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"chain_id" integer NOT NULL,
	"tx_hash" char(66) NOT NULL,
	"log_index" integer NOT NULL,
	"purpose" text NOT NULL,
	"from" char(42) NOT NULL,
	"to" char(42) NOT NULL,
	"amount_micro" bigint NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" char(66) NOT NULL,
	"used_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"gone_at" timestamp (3) with time zone,
	CONSTRAINT "used_transfers_log" UNIQUE("chain_id","tx_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "dispute_sides" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"dispute_id" uuid NOT NULL,
	"party" text NOT NULL,
	"agent_id" uuid,
	"statement" text,
	"evidence_url" text,
	"evidence_hash" char(66),
	"evidence_failure" text,
	"transfer_id" uuid NOT NULL,
	"staked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "dispute_sides_once" UNIQUE("dispute_id","party")
);
--> statement-breakpoint
CREATE TABLE "disputes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"outcome_id" uuid NOT NULL,
	"opened_by" text NOT NULL,
	"contractor" char(42) NOT NULL,
	"requester" char(42) NOT NULL,
	"recorded_verdict" text NOT NULL,
	"salt" "bytea" NOT NULL,
	"status" text DEFAULT 'OPEN' NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"review_started_at" timestamp (3) with time zone,
	"judged_at" timestamp (3) with time zone,
	"verdict" text,
	"final_verdict" text,
	"explanation" text,
	"judge_kind" text,
	"judge_id" text,
	"evidence" jsonb,
	"evidence_hash" char(66),
	"detail" jsonb,
	"resolved_at" timestamp (3) with time zone,
	"on_chain_tx" char(66),
	"record_index" integer,
	CONSTRAINT "disputes_outcomeId_unique" UNIQUE("outcome_id")
);
--> statement-breakpoint
CREATE TABLE "payouts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"purpose" text NOT NULL,
	"dispute_id" uuid,
	"party" text,
	"transfer_id" uuid NOT NULL,
	"to" char(42) NOT NULL,
	"amount_micro" bigint NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"transaction_id" uuid,
	"tx_hash" char(66),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "payouts_transferId_unique" UNIQUE("transfer_id"),
	CONSTRAINT "payouts_party" UNIQUE("dispute_id","party")
);
--> statement-breakpoint
CREATE TABLE "anchors" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"from" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	"reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"seq" bigint,
	"tx_hash" char(66),
	"revoke_asked_at" timestamp (3) with time zone,
	"revoked_seq" bigint,
	"revoked_tx_hash" char(66),
	CONSTRAINT "anchors_seq_unique" UNIQUE("seq"),
	CONSTRAINT "anchors_revokedSeq_unique" UNIQUE("revoked_seq")
);
--> statement-breakpoint
ALTER TABLE "outcomes" ADD COLUMN "payment_transfer_id" uuid;--> statement-breakpoint
ALTER TABLE "reputation_history" ADD COLUMN "dispute_id" uuid;--> statement-breakpoint
ALTER TABLE "reputation_history" ADD COLUMN "seq" bigint;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "disputes_contractor" ON "disputes" USING btree ("contractor","opened_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "disputes_requester" ON "disputes" USING btree ("requester","opened_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payouts_unsettled" ON "payouts" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "anchors_wallet" ON "anchors" USING btree ("wallet");--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_payment_transfer_id_used_transfers_id_fk" FOREIGN KEY ("payment_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;