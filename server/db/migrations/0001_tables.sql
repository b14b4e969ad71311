CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"owner_email" text,
	"wallet_verified_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_wallet_unique" UNIQUE("wallet")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"agent_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "auth_nonces" (
	"nonce" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "takeovers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"record_needed" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_attempts" (
	"hash" char(66) PRIMARY KEY NOT NULL,
	"transaction_id" uuid NOT NULL,
	"raw" text NOT NULL,
	"max_fee_per_gas" bigint NOT NULL,
	"max_priority_fee_per_gas" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chain_transactions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"chain_id" integer NOT NULL,
	"signer" text NOT NULL,
	"nonce" integer NOT NULL,
	"purpose" text NOT NULL,
	"to" text NOT NULL,
	"data" text NOT NULL,
	"gas" bigint NOT NULL,
	"status" text DEFAULT 'signed' NOT NULL,
	"hash" char(66),
	"block_number" bigint,
	"block_hash" char(66),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	CONSTRAINT "chain_transactions_nonce" UNIQUE("chain_id","signer","nonce")
);
--> statement-breakpoint
CREATE TABLE "engine_events" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"data" json NOT NULL,
	"ts" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_runs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"function_id" text NOT NULL,
	"status" text NOT NULL,
	"event_ids" text[] NOT NULL,
	"idempotency_key" text,
	"slot" text,
	"version" integer,
	"parent_run" uuid,
	"parent_step" text,
	"output" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_slots" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "engine_slots_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"job_id" bigint,
	"call" json,
	CONSTRAINT "engine_slots_jobId_unique" UNIQUE("job_id")
);
--> statement-breakpoint
CREATE TABLE "engine_steps" (
	"run_id" uuid NOT NULL,
	"id" text NOT NULL,
	"name" text,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine_steps_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"eager" boolean DEFAULT false NOT NULL,
	"output" json,
	"done_at" timestamp (3) with time zone,
	CONSTRAINT "engine_steps_run_id_id_pk" PRIMARY KEY("run_id","id")
);
--> statement-breakpoint
CREATE TABLE "engine_waits" (
	"run_id" uuid NOT NULL,
	"step_id" text NOT NULL,
	"event" text NOT NULL,
	"condition" text,
	CONSTRAINT "engine_waits_run_id_step_id_pk" PRIMARY KEY("run_id","step_id")
);
--> statement-breakpoint
CREATE TABLE "explorer_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "explorer_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"category" text NOT NULL,
	"tier" text NOT NULL,
	"points" integer NOT NULL,
	"agents" integer NOT NULL,
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explorer_entries" (
	"agent_id" uuid PRIMARY KEY NOT NULL,
	"wallet" char(42) NOT NULL,
	"name" text NOT NULL,
	"search_text" text NOT NULL,
	"categories" text[] NOT NULL,
	"score_e_2" integer NOT NULL,
	"tier" text NOT NULL,
	"total_outcomes" integer NOT NULL,
	"wallet_verified" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "explorer_entries_wallet_unique" UNIQUE("wallet")
);
--> statement-breakpoint
CREATE TABLE "explorer_ranks" (
	"agent_id" uuid NOT NULL,
	"category" text NOT NULL,
	"score_e_2" integer NOT NULL,
	"total_outcomes" integer NOT NULL,
	"name" text NOT NULL,
	"tier" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "explorer_ranks_agent_id_category_pk" PRIMARY KEY("agent_id","category")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"subject_id" uuid NOT NULL,
	"url" text NOT NULL,
	"content" text,
	"media_type" text,
	"sha256" char(66),
	"failure" text,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "documents_subject_url" UNIQUE("subject_id","url")
);
--> statement-breakpoint
CREATE TABLE "judgements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"subject_id" uuid NOT NULL,
	"judge_kind" text NOT NULL,
	"judge_id" text NOT NULL,
	"verdict" text NOT NULL,
	"confidence_ppm" integer NOT NULL,
	"reasoning" text NOT NULL,
	"evidence" jsonb NOT NULL,
	"evidence_hash" char(66) NOT NULL,
	"detail" jsonb NOT NULL,
	"duration_ms" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "judgements_subjectId_unique" UNIQUE("subject_id")
);
--> statement-breakpoint
CREATE TABLE "rate_limit_windows" (
	"bucket" text PRIMARY KEY NOT NULL,
	"hits" timestamp (6) with time zone[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outcomes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contractor" char(42) NOT NULL,
	"requester" char(42) NOT NULL,
	"task_description" text NOT NULL,
	"task_category" text NOT NULL,
	"deliverable_content" text,
	"deliverable_url" text,
	"value_micro" bigint NOT NULL,
	"paid_micro" bigint DEFAULT 0 NOT NULL,
	"payment_tx_hash" char(66),
	"submitted_by" text NOT NULL,
	"submitter_agent_id" uuid,
	"salt" "bytea" NOT NULL,
	"task_hash" char(66) NOT NULL,
	"deliverable_hash" char(66) NOT NULL,
	"submitted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"idempotency_key" text,
	"input_hash" char(66) NOT NULL,
	"stored_answer" text NOT NULL,
	"status" text DEFAULT 'EVALUATING' NOT NULL,
	"judged_at" timestamp (3) with time zone,
	"verdict" text,
	"confidence_ppm" integer,
	"reasoning" text,
	"judge_kind" text,
	"judge_id" text,
	"evidence" jsonb,
	"evidence_hash" char(66),
	"proven" boolean NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	"on_chain_tx" char(66),
	"record_index" integer,
	"dispute_id" uuid,
	"final_verdict" text,
	CONSTRAINT "outcomes_idempotency" UNIQUE("submitter_agent_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "ledger_records" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"record" jsonb NOT NULL,
	"outcome_id" uuid,
	"contractor" char(42),
	"wallet" char(42),
	"tx_hash" char(66) NOT NULL,
	"log_index" integer NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reputation_history" (
	"wallet" char(42) NOT NULL,
	"version" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"cause" text NOT NULL,
	"outcome_id" uuid,
	"score_e_4" integer NOT NULL,
	"previous_score_e_4" integer NOT NULL,
	"tier" text NOT NULL,
	"total_outcomes" integer NOT NULL,
	CONSTRAINT "reputation_history_wallet_version_pk" PRIMARY KEY("wallet","version")
);
--> statement-breakpoint
CREATE TABLE "reputations" (
	"wallet" char(42) PRIMARY KEY NOT NULL,
	"score_e_4" integer NOT NULL,
	"tier" text NOT NULL,
	"total_outcomes" integer NOT NULL,
	"success_rate_e_4" integer NOT NULL,
	"dispute_rate_e_4" integer NOT NULL,
	"category_scores_e_4" jsonb NOT NULL,
	"breakdown" jsonb NOT NULL,
	"version" integer NOT NULL,
	"score_day" date NOT NULL,
	"last_updated" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recordings" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"kind" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"record" jsonb NOT NULL,
	"transaction_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "recordings_subject" UNIQUE("kind","subject_id")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"delivery_id" uuid NOT NULL,
	"run" integer NOT NULL,
	"attempt" integer NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"latency_ms" integer NOT NULL,
	"error" text,
	CONSTRAINT "webhook_attempts_once" UNIQUE("delivery_id","run","attempt")
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"webhook_id" uuid NOT NULL,
	"event_id" text NOT NULL,
	"event" text NOT NULL,
	"payload" text NOT NULL,
	"status" text DEFAULT 'pending' NOT NULL,
	"failure" text,
	"run" integer DEFAULT 1 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"claimed_until" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_deliveries_event" UNIQUE("webhook_id","event_id")
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"agent_id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"sealed_secret" "bytea" NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_attempts" ADD CONSTRAINT "chain_attempts_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_waits" ADD CONSTRAINT "engine_waits_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "explorer_entries" ADD CONSTRAINT "explorer_entries_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_submitter_agent_id_agents_id_fk" FOREIGN KEY ("submitter_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_keys_agent_id_index" ON "api_keys" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "auth_nonces_expiry" ON "auth_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "chain_attempts_transaction_id_index" ON "chain_attempts" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "chain_transactions_open" ON "chain_transactions" USING btree ("status");--> statement-breakpoint
CREATE INDEX "engine_events_age" ON "engine_events" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "engine_runs_idempotency" ON "engine_runs" USING btree ("function_id","idempotency_key");--> statement-breakpoint
CREATE UNIQUE INDEX "engine_runs_collecting" ON "engine_runs" USING btree ("function_id") WHERE status = 'collecting';--> statement-breakpoint
CREATE INDEX "engine_runs_status" ON "engine_runs" USING btree ("status","finished_at") WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX "engine_runs_age" ON "engine_runs" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "engine_slots_name" ON "engine_slots" USING btree ("name","job_id","id");--> statement-breakpoint
CREATE INDEX "engine_waits_event" ON "engine_waits" USING btree ("event");--> statement-breakpoint
CREATE INDEX "explorer_counts_bucket" ON "explorer_counts" USING btree ("category","tier","points");--> statement-breakpoint
CREATE INDEX "explorer_counts_xid" ON "explorer_counts" USING btree ("xid");--> statement-breakpoint
CREATE INDEX "explorer_text" ON "explorer_entries" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "explorer_wallet_prefix" ON "explorer_entries" USING btree (lower(wallet) text_pattern_ops);--> statement-breakpoint
CREATE INDEX "explorer_by_score" ON "explorer_ranks" USING btree ("category","score_e_2" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier");--> statement-breakpoint
CREATE INDEX "explorer_by_outcomes" ON "explorer_ranks" USING btree ("category","total_outcomes" DESC NULLS FIRST,"score_e_2" DESC NULLS FIRST,"name","agent_id","tier");--> statement-breakpoint
CREATE INDEX "explorer_by_name" ON "explorer_ranks" USING btree ("category",lower(name collate "pg_c_utf8"),"name","agent_id","tier","score_e_2","total_outcomes");--> statement-breakpoint
CREATE INDEX "explorer_by_age" ON "explorer_ranks" USING btree ("category","created_at" DESC NULLS FIRST,"agent_id" DESC NULLS FIRST,"tier","score_e_2","total_outcomes");--> statement-breakpoint
CREATE INDEX "outcomes_contractor" ON "outcomes" USING btree ("contractor","submitted_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "outcomes_requester" ON "outcomes" USING btree ("requester","submitted_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "outcomes_unresolved" ON "outcomes" USING btree ("submitted_at") WHERE status = 'EVALUATING';--> statement-breakpoint
CREATE INDEX "outcomes_on_chain_tx" ON "outcomes" USING btree ("on_chain_tx");--> statement-breakpoint
CREATE INDEX "ledger_contractor" ON "ledger_records" USING btree ("contractor");--> statement-breakpoint
CREATE INDEX "ledger_wallet" ON "ledger_records" USING btree ("wallet","type");--> statement-breakpoint
CREATE INDEX "ledger_outcome" ON "ledger_records" USING btree ("outcome_id");--> statement-breakpoint
CREATE INDEX "ledger_revocation" ON "ledger_records" USING btree (((record->>'anchorSeq')::bigint)) WHERE type = 'anchor-revoked';--> statement-breakpoint
CREATE INDEX "recordings_transaction" ON "recordings" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("status","next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("webhook_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhooks_agent_id_index" ON "webhooks" USING btree ("agent_id");