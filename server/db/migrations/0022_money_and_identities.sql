CREATE TABLE "log_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"next_block" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "escrow_jobs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"escrow" char(42) NOT NULL,
	"job_id" text NOT NULL,
	"client" char(42) NOT NULL,
	"provider" char(42) NOT NULL,
	"agreement_id" uuid,
	"budget_micro" bigint NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"deliverable_hash" char(66),
	"decision" text,
	"transaction_id" uuid,
	"release_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "escrow_jobs_agreementId_unique" UNIQUE("agreement_id"),
	CONSTRAINT "escrow_jobs_job" UNIQUE("escrow","job_id")
);
--> statement-breakpoint
CREATE TABLE "feedback_files" (
	"hash" char(66) PRIMARY KEY NOT NULL,
	"outcome_id" uuid NOT NULL,
	"file" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "given_feedback" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"outcome_id" uuid NOT NULL,
	"value" integer NOT NULL,
	"erc8004_agent_id" text NOT NULL,
	"file_hash" char(66) NOT NULL,
	"status" text DEFAULT 'owed' NOT NULL,
	"transaction_id" uuid,
	"revocation_id" uuid,
	"due_since" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "given_feedback_once" UNIQUE("outcome_id","value")
);
--> statement-breakpoint
CREATE TABLE "registry_feedback" (
	"erc8004_agent_id" text NOT NULL,
	"client" char(42) NOT NULL,
	"feedback_index" bigint NOT NULL,
	"file_hash" char(66) NOT NULL,
	"is_revoked" boolean DEFAULT false NOT NULL,
	CONSTRAINT "registry_feedback_erc8004_agent_id_client_feedback_index_pk" PRIMARY KEY("erc8004_agent_id","client","feedback_index")
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"erc8004_agent_id" text PRIMARY KEY NOT NULL,
	"owner" char(42) NOT NULL,
	"agent_wallet" char(42),
	"registration_uri" text NOT NULL,
	"registered_block" bigint NOT NULL,
	"changed_block" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "identity_links" (
	"wallet" char(42) PRIMARY KEY NOT NULL,
	"erc8004_agent_id" text NOT NULL,
	"proof" text NOT NULL,
	"checked_block" bigint NOT NULL,
	"checked_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "identity_links_erc8004AgentId_unique" UNIQUE("erc8004_agent_id")
);
--> statement-breakpoint
CREATE TABLE "lost_identity_links" (
	"wallet" char(42) PRIMARY KEY NOT NULL,
	"erc8004_agent_id" text NOT NULL,
	"reason" text NOT NULL,
	"lost_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_agreement_id_agreements_id_fk" FOREIGN KEY ("agreement_id") REFERENCES "public"."agreements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_release_id_used_transfers_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_files" ADD CONSTRAINT "feedback_files_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_file_hash_feedback_files_hash_fk" FOREIGN KEY ("file_hash") REFERENCES "public"."feedback_files"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_revocation_id_chain_transactions_id_fk" FOREIGN KEY ("revocation_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "escrow_jobs_open" ON "escrow_jobs" USING btree ("created_at") WHERE status in ('open', 'funded', 'submitted', 'deciding');--> statement-breakpoint
CREATE INDEX "given_feedback_open" ON "given_feedback" USING btree ("due_since") WHERE status in ('owed', 'signed', 'revoking');--> statement-breakpoint
CREATE INDEX "given_feedback_given" ON "given_feedback" USING btree ("due_since") WHERE status = 'given';--> statement-breakpoint
CREATE INDEX "identities_owner" ON "identities" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "identities_wallet" ON "identities" USING btree ("agent_wallet");