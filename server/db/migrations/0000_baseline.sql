CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- `functions/search.sql` explains it; the index below needs it before that file is run.
CREATE FUNCTION explorer_suffixes(folded text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_to_tsvector(array(
    SELECT substr(word, at, 32)
    FROM (
      SELECT DISTINCT word
      FROM regexp_split_to_table(folded, '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') AS word
    ) AS words, generate_series(1, length(word) - 2) AS at
  ))
$$;
--> statement-breakpoint
CREATE TABLE "agents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"categories" text[] DEFAULT '{}' NOT NULL,
	"links" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"owner_email" text,
	"wallet_verified_at" timestamp (3) with time zone,
	"simulated" boolean DEFAULT false NOT NULL,
	"rebuilt" boolean DEFAULT false NOT NULL,
	"search_text" text GENERATED ALWAYS AS (casefold((name || E'\x1f' || description) collate "pg_c_utf8")) STORED NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agents_wallet_unique" UNIQUE("wallet")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"agent_id" uuid NOT NULL,
	"hash" "bytea" NOT NULL,
	"name" text DEFAULT '' NOT NULL,
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
CREATE TABLE "idempotency_keys" (
	"agent_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"input_hash" char(66) NOT NULL,
	"sealed_response" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_agent_id_operation_key_pk" PRIMARY KEY("agent_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "sessions_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "takeovers" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"record_needed" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agreements" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"terms" jsonb NOT NULL,
	"terms_hash" char(66) NOT NULL,
	"digest" char(66) NOT NULL,
	"requester" char(42) NOT NULL,
	"contractor" char(42) NOT NULL,
	"value_micro" bigint NOT NULL,
	"start_by" timestamp (3) with time zone NOT NULL,
	"deliver_by" timestamp (3) with time zone NOT NULL,
	"proposed_by" text NOT NULL,
	"status" text DEFAULT 'PROPOSED' NOT NULL,
	"contractor_signature" text,
	"requester_signature" text,
	"contractor_block" bigint,
	"requester_block" bigint,
	"payment_transfer_id" uuid,
	"paid_at" timestamp (3) with time zone,
	"refund_transfer_id" uuid,
	"cancellation_requested_by" text,
	"proposed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"agreed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"settled_at" timestamp (3) with time zone,
	"delivery_payment_tx_hash" char(66),
	"delivery_payment_log_index" integer,
	"delivery_payment_searched_at" timestamp (3) with time zone,
	"unresponsive_urls" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"check_passed_at" timestamp (3) with time zone,
	"passed_check" jsonb,
	"outcome_id" uuid,
	CONSTRAINT "agreements_termsHash_unique" UNIQUE("terms_hash"),
	CONSTRAINT "agreements_digest_unique" UNIQUE("digest"),
	CONSTRAINT "agreements_delivery_payment" UNIQUE("delivery_payment_tx_hash","delivery_payment_log_index")
);
--> statement-breakpoint
CREATE TABLE "confirmation_mails" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"inbox" "bytea" NOT NULL,
	"client" "bytea",
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_addresses" (
	"webhook_id" uuid PRIMARY KEY NOT NULL,
	"agent_id" uuid NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "email_addresses_agentId_unique" UNIQUE("agent_id")
);
--> statement-breakpoint
CREATE TABLE "watched_agents" (
	"agent_id" uuid NOT NULL,
	"wallet" char(42) NOT NULL,
	"known" text[] NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watched_agents_agent_id_wallet_pk" PRIMARY KEY("agent_id","wallet")
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
CREATE TABLE "log_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"next_block" bigint NOT NULL,
	"read_until" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
	"final_at" timestamp (3) with time zone,
	CONSTRAINT "used_transfers_log" UNIQUE("chain_id","tx_hash","log_index")
);
--> statement-breakpoint
CREATE TABLE "dispute_sides" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"dispute_id" uuid NOT NULL,
	"party" text NOT NULL,
	"agent_id" uuid,
	"statement" text,
	"deliverable_content" text,
	"deliverable_hash" char(66),
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
	"assessed" boolean,
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
	"simulated" boolean DEFAULT false NOT NULL,
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
CREATE TABLE "engine_crons" (
	"id" text PRIMARY KEY NOT NULL,
	"last_tick" timestamp (3) with time zone NOT NULL
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
CREATE TABLE "engine_jobs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"function_id" text NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"event_name" text,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"pickups" integer DEFAULT 0 NOT NULL,
	"worker" text,
	"unknown_since" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_runs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"function_id" text NOT NULL,
	"status" text NOT NULL,
	"event_id" text NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"output" json,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "engine_steps" (
	"run_id" uuid NOT NULL,
	"id" text NOT NULL,
	"ordinal" bigint GENERATED ALWAYS AS IDENTITY (sequence name "engine_steps_ordinal_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"output" json,
	"done_at" timestamp (3) with time zone,
	"wakes_at" timestamp (3) with time zone,
	CONSTRAINT "engine_steps_run_id_id_pk" PRIMARY KEY("run_id","id")
);
--> statement-breakpoint
CREATE TABLE "escrow_jobs" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"escrow" char(42) NOT NULL,
	"job_id" text NOT NULL,
	"client" char(42) NOT NULL,
	"funded_block" bigint NOT NULL,
	"provider" char(42) DEFAULT '0x0000000000000000000000000000000000000000' NOT NULL,
	"terms_hash" char(66),
	"agreement_id" uuid,
	"budget_micro" bigint DEFAULT 0 NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"status" text DEFAULT 'unread' NOT NULL,
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
CREATE TABLE "explorer_counts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "explorer_counts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"category" text NOT NULL,
	"tier" text NOT NULL,
	"points" integer NOT NULL,
	"agents" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "explorer_ranks" (
	"agent_id" uuid NOT NULL,
	"category" text NOT NULL,
	"score_e_2" integer NOT NULL,
	"total_outcomes" integer NOT NULL,
	"success_rate_e_4" integer,
	"requesters" integer NOT NULL,
	"name" text collate "C" NOT NULL,
	"tier" text NOT NULL,
	"last_active" timestamp (3) with time zone,
	"wallet_verified" boolean NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "explorer_ranks_agent_id_category_pk" PRIMARY KEY("agent_id","category")
);
--> statement-breakpoint
CREATE TABLE "network_days" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "network_days_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL,
	"category" text NOT NULL,
	"outcomes" integer DEFAULT 0 NOT NULL,
	"assessed" integer DEFAULT 0 NOT NULL,
	"successes" integer DEFAULT 0 NOT NULL,
	"paid_micro" bigint DEFAULT 0 NOT NULL,
	"disputes" integer DEFAULT 0 NOT NULL,
	"overturned" integer DEFAULT 0 NOT NULL,
	"agents" integer DEFAULT 0 NOT NULL
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
	"file" jsonb,
	"file_read_at" timestamp (3) with time zone,
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
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"subject_id" uuid NOT NULL,
	"url" text NOT NULL,
	"content" text,
	"media_type" text,
	"sha256" char(66),
	"body" "bytea",
	"failure" text,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	"final_url" text,
	"status" integer,
	"is_partial" boolean,
	"submitter" char(42),
	"kept_bytes" integer,
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
CREATE TABLE "model_states" (
	"endpoint" text NOT NULL,
	"model" text NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"reason" text,
	"probe_at" timestamp (3) with time zone,
	"pause_seconds" integer NOT NULL,
	CONSTRAINT "model_states_endpoint_model_pk" PRIMARY KEY("endpoint","model")
);
--> statement-breakpoint
CREATE TABLE "status_days" (
	"day" date PRIMARY KEY NOT NULL,
	"first_at" timestamp (3) with time zone NOT NULL,
	"last_at" timestamp (3) with time zone NOT NULL,
	"checks" integer NOT NULL,
	"down" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outcomes" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"contractor" char(42) NOT NULL,
	"requester" char(42) NOT NULL,
	"task_description" text NOT NULL,
	"title" text,
	"task_category" text NOT NULL,
	"deliverable_content" text,
	"deliverable_url" text,
	"value_micro" bigint NOT NULL,
	"paid_micro" bigint DEFAULT 0 NOT NULL,
	"payment_tx_hash" char(66),
	"payment_transfer_id" uuid,
	"x402_receipt" jsonb,
	"submitted_by" text NOT NULL,
	"agreement_id" uuid,
	"agreed" boolean DEFAULT false NOT NULL,
	"submitter_agent_id" uuid,
	"submitter_client" text,
	"salt" "bytea" NOT NULL,
	"task_hash" char(66) NOT NULL,
	"deliverable_hash" char(66) NOT NULL,
	"submitted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"idempotency_key" text,
	"input_hash" char(66) NOT NULL,
	"stored_answer" text NOT NULL,
	"status" text DEFAULT 'EVALUATING' NOT NULL,
	"unanswered_at" timestamp (3) with time zone,
	"faulted_at" timestamp (3) with time zone,
	"fault" text,
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
	"superseded_by" uuid,
	"superseded_tx" char(66),
	"superseded_index" integer,
	"final_verdict" text,
	"assessed" boolean,
	"simulated" boolean DEFAULT false NOT NULL,
	"rebuilt" boolean DEFAULT false NOT NULL,
	CONSTRAINT "outcomes_agreementId_unique" UNIQUE("agreement_id"),
	CONSTRAINT "outcomes_idempotency" UNIQUE("submitter_agent_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "recorder_wake_ups" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"recorder" char(42) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recorder_wake_ups_recorder_unique" UNIQUE("recorder")
);
--> statement-breakpoint
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
CREATE TABLE "rate_limit_windows" (
	"bucket" text PRIMARY KEY NOT NULL,
	"hits" timestamp (6) with time zone[] NOT NULL
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
CREATE TABLE "evidence" (
	"wallet" char(42) NOT NULL,
	"requester" char(42) NOT NULL,
	"category" text NOT NULL,
	"backing" text NOT NULL,
	"reported" boolean NOT NULL,
	"day" integer NOT NULL,
	"good" bigint NOT NULL,
	"bad" bigint NOT NULL,
	"outcomes" integer NOT NULL,
	"counted" integer NOT NULL,
	"assessed" integer DEFAULT 0 NOT NULL,
	"passed" integer DEFAULT 0 NOT NULL,
	"successes" integer NOT NULL,
	"disputed" integer NOT NULL,
	"earned" bigint NOT NULL,
	"lost" bigint NOT NULL,
	CONSTRAINT "evidence_wallet_requester_category_backing_reported_day_pk" PRIMARY KEY("wallet","requester","category","backing","reported","day")
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
	"dispute_id" uuid,
	"seq" bigint,
	"score_e_4" integer NOT NULL,
	"previous_score_e_4" integer NOT NULL,
	"tier" text NOT NULL,
	"total_outcomes" integer NOT NULL,
	"receipt" jsonb,
	CONSTRAINT "reputation_history_wallet_version_pk" PRIMARY KEY("wallet","version")
);
--> statement-breakpoint
CREATE TABLE "reputations" (
	"wallet" char(42) PRIMARY KEY NOT NULL,
	"score_e_4" integer NOT NULL,
	"tier" text NOT NULL,
	"total_outcomes" integer NOT NULL,
	"confirmed_outcomes" integer DEFAULT 0 NOT NULL,
	"assessed_outcomes" integer DEFAULT 0 NOT NULL,
	"success_rate_e_4" integer NOT NULL,
	"assessed_success_rate_e_4" integer,
	"dispute_rate_e_4" integer NOT NULL,
	"category_scores_e_4" jsonb NOT NULL,
	"breakdown" jsonb NOT NULL,
	"version" integer NOT NULL,
	"score_day" date NOT NULL,
	"last_updated" timestamp (3) with time zone NOT NULL,
	"simulated" boolean DEFAULT false NOT NULL,
	"totals" jsonb
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
	"previous_sealed_secret" "bytea",
	"previous_secret_expires_at" timestamp (3) with time zone,
	"retry_schedule" text DEFAULT 'standard' NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"disabled_reason" text,
	"failing_since" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_payment_transfer_id_used_transfers_id_fk" FOREIGN KEY ("payment_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agreements" ADD CONSTRAINT "agreements_refund_transfer_id_used_transfers_id_fk" FOREIGN KEY ("refund_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_addresses" ADD CONSTRAINT "email_addresses_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watched_agents" ADD CONSTRAINT "watched_agents_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chain_attempts" ADD CONSTRAINT "chain_attempts_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dispute_sides" ADD CONSTRAINT "dispute_sides_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "disputes" ADD CONSTRAINT "disputes_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_dispute_id_disputes_id_fk" FOREIGN KEY ("dispute_id") REFERENCES "public"."disputes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payouts" ADD CONSTRAINT "payouts_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_jobs" ADD CONSTRAINT "engine_jobs_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "engine_steps" ADD CONSTRAINT "engine_steps_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_agreement_id_agreements_id_fk" FOREIGN KEY ("agreement_id") REFERENCES "public"."agreements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "escrow_jobs" ADD CONSTRAINT "escrow_jobs_release_id_used_transfers_id_fk" FOREIGN KEY ("release_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "explorer_ranks" ADD CONSTRAINT "explorer_ranks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback_files" ADD CONSTRAINT "feedback_files_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_file_hash_feedback_files_hash_fk" FOREIGN KEY ("file_hash") REFERENCES "public"."feedback_files"("hash") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_feedback" ADD CONSTRAINT "given_feedback_revocation_id_chain_transactions_id_fk" FOREIGN KEY ("revocation_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_payment_transfer_id_used_transfers_id_fk" FOREIGN KEY ("payment_transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_agreement_id_agreements_id_fk" FOREIGN KEY ("agreement_id") REFERENCES "public"."agreements"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outcomes" ADD CONSTRAINT "outcomes_submitter_agent_id_agents_id_fk" FOREIGN KEY ("submitter_agent_id") REFERENCES "public"."agents"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_outcome_id_outcomes_id_fk" FOREIGN KEY ("outcome_id") REFERENCES "public"."outcomes"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_transfer_id_used_transfers_id_fk" FOREIGN KEY ("transfer_id") REFERENCES "public"."used_transfers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recordings" ADD CONSTRAINT "recordings_transaction_id_chain_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."chain_transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agents_simulated" ON "agents" USING btree ("simulated") WHERE simulated;--> statement-breakpoint
CREATE INDEX "agents_suffixes" ON "agents" USING gin (explorer_suffixes(search_text)) WITH (fastupdate=false);--> statement-breakpoint
-- Without statistics every search is planned for a rare term, and an analysis does not compute the suffixes.
ALTER INDEX "agents_suffixes" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
CREATE INDEX "agents_wallet_prefix" ON "agents" USING btree (lower(wallet) text_pattern_ops);--> statement-breakpoint
CREATE INDEX "api_keys_agent_id_index" ON "api_keys" USING btree ("agent_id");--> statement-breakpoint
CREATE INDEX "auth_nonces_expiry" ON "auth_nonces" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_newest" ON "idempotency_keys" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "sessions_wallet" ON "sessions" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "agreements_requester" ON "agreements" USING btree ("requester","proposed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "agreements_contractor" ON "agreements" USING btree ("contractor","proposed_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "agreements_reserving" ON "agreements" USING btree ("contractor","status","start_by");--> statement-breakpoint
CREATE INDEX "agreements_open" ON "agreements" USING btree ("start_by") WHERE status = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "agreements_unpaid" ON "agreements" USING btree ("delivery_payment_searched_at") WHERE status = 'DELIVERED' and paid_at is null and delivery_payment_tx_hash is null;--> statement-breakpoint
CREATE INDEX "agreements_unreported" ON "agreements" USING btree ("deliver_by") WHERE status = 'AGREED';--> statement-breakpoint
CREATE INDEX "agreements_upfront" ON "agreements" USING btree ("status","start_by") WHERE terms ->> 'payment' = 'upfront' and value_micro > 0 and outcome_id is null;--> statement-breakpoint
CREATE INDEX "confirmation_mails_age" ON "confirmation_mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "watched_agents_wallet" ON "watched_agents" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "watched_agents_checked" ON "watched_agents" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "chain_attempts_transaction_id_index" ON "chain_attempts" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "chain_transactions_open" ON "chain_transactions" USING btree ("status");--> statement-breakpoint
CREATE INDEX "used_transfers_watched" ON "used_transfers" USING btree ("used_at") WHERE purpose = 'stake' and gone_at is null and final_at is null;--> statement-breakpoint
CREATE INDEX "disputes_open" ON "disputes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "disputes_newest" ON "disputes" USING btree ("opened_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "disputes_unresolved" ON "disputes" USING btree ("opened_at") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "disputes_contractor" ON "disputes" USING btree ("contractor","opened_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "disputes_requester" ON "disputes" USING btree ("requester","opened_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "payouts_unsettled" ON "payouts" USING btree ("status","created_at");--> statement-breakpoint
CREATE INDEX "engine_events_age" ON "engine_events" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "engine_jobs_ready" ON "engine_jobs" USING btree ("function_id","key","due_at","run_id") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "engine_jobs_sleeping" ON "engine_jobs" USING btree ("due_at") WHERE state = 'sleeping';--> statement-breakpoint
CREATE INDEX "engine_jobs_running" ON "engine_jobs" USING btree ("function_id","key") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "engine_runs_status" ON "engine_runs" USING btree ("status","finished_at") WHERE status <> 'completed';--> statement-breakpoint
CREATE INDEX "engine_runs_age" ON "engine_runs" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "escrow_jobs_terms" ON "escrow_jobs" USING btree ("terms_hash");--> statement-breakpoint
CREATE INDEX "escrow_jobs_open" ON "escrow_jobs" USING btree ("created_at") WHERE status in ('unread', 'funded', 'deciding');--> statement-breakpoint
CREATE INDEX "explorer_counts_bucket" ON "explorer_counts" USING btree ("category","tier","points");--> statement-breakpoint
CREATE INDEX "explorer_by_score" ON "explorer_ranks" USING btree ("category","score_e_2" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id","tier");--> statement-breakpoint
CREATE INDEX "explorer_by_outcomes" ON "explorer_ranks" USING btree ("total_outcomes" DESC NULLS FIRST,"score_e_2" DESC NULLS FIRST,"name","agent_id","tier") WHERE category = '*';--> statement-breakpoint
CREATE INDEX "explorer_by_success_rate" ON "explorer_ranks" USING btree ("success_rate_e_4" DESC NULLS LAST,"total_outcomes" DESC NULLS FIRST,"name","agent_id") WHERE category = '*';--> statement-breakpoint
CREATE INDEX "explorer_by_requesters" ON "explorer_ranks" USING btree ("requesters" DESC NULLS FIRST,"total_outcomes" DESC NULLS FIRST,"name","agent_id") WHERE category = '*';--> statement-breakpoint
CREATE INDEX "explorer_by_activity" ON "explorer_ranks" USING btree ("last_active" DESC NULLS LAST,"agent_id") WHERE category = '*';--> statement-breakpoint
CREATE INDEX "explorer_by_name" ON "explorer_ranks" USING btree (lower(name collate "pg_c_utf8"),"name","agent_id") WHERE category = '*';--> statement-breakpoint
CREATE INDEX "explorer_by_age" ON "explorer_ranks" USING btree ("created_at" DESC NULLS FIRST,"agent_id" DESC NULLS FIRST) WHERE category = '*';--> statement-breakpoint
CREATE INDEX "network_days_day" ON "network_days" USING btree ("day","category");--> statement-breakpoint
CREATE INDEX "given_feedback_open" ON "given_feedback" USING btree ("due_since") WHERE status in ('owed', 'signed', 'revoking');--> statement-breakpoint
CREATE INDEX "given_feedback_given" ON "given_feedback" USING btree ("due_since") WHERE status = 'given';--> statement-breakpoint
CREATE INDEX "identities_owner" ON "identities" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "identities_wallet" ON "identities" USING btree ("agent_wallet");--> statement-breakpoint
CREATE INDEX "documents_kept" ON "documents" USING btree ("submitter","subject_id","kept_bytes");--> statement-breakpoint
CREATE INDEX "documents_to_prune" ON "documents" USING btree ("fetched_at") WHERE submitter is not null;--> statement-breakpoint
CREATE INDEX "outcomes_contractor" ON "outcomes" USING btree ("contractor","submitted_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "outcomes_failed" ON "outcomes" USING btree ("contractor","resolved_at") WHERE final_verdict = 'FAILURE';--> statement-breakpoint
CREATE INDEX "outcomes_requester" ON "outcomes" USING btree ("requester","submitted_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "outcomes_newest" ON "outcomes" USING btree ("submitted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outcomes_category_newest" ON "outcomes" USING btree ("task_category","submitted_at" DESC NULLS FIRST,"id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "outcomes_unresolved" ON "outcomes" USING btree ("submitted_at") WHERE status = 'EVALUATING';--> statement-breakpoint
CREATE INDEX "outcomes_faulted" ON "outcomes" USING btree ("faulted_at") WHERE faulted_at is not null;--> statement-breakpoint
CREATE INDEX "outcomes_unrecorded" ON "outcomes" USING btree ("judged_at") WHERE status = 'EVALUATING' and judged_at is not null;--> statement-breakpoint
CREATE INDEX "outcomes_on_chain_tx" ON "outcomes" USING btree ("on_chain_tx");--> statement-breakpoint
CREATE INDEX "outcomes_superseded" ON "outcomes" USING btree ("superseded_by") WHERE superseded_by is not null;--> statement-breakpoint
CREATE INDEX "outcomes_payment" ON "outcomes" USING btree ("payment_transfer_id") WHERE payment_transfer_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_unrecorded" ON "refunds" USING btree ("accepted_at") WHERE refunded_at is null;--> statement-breakpoint
CREATE INDEX "anchors_wallet" ON "anchors" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "ledger_contractor" ON "ledger_records" USING btree ("contractor");--> statement-breakpoint
CREATE INDEX "ledger_wallet" ON "ledger_records" USING btree ("wallet","type");--> statement-breakpoint
CREATE INDEX "ledger_outcome" ON "ledger_records" USING btree ("outcome_id");--> statement-breakpoint
CREATE INDEX "ledger_transaction" ON "ledger_records" USING btree ("tx_hash");--> statement-breakpoint
CREATE INDEX "ledger_others" ON "ledger_records" USING btree ("type") WHERE type <> 'outcome';--> statement-breakpoint
CREATE INDEX "ledger_revocation" ON "ledger_records" USING btree (((record->>'anchorSeq')::bigint)) WHERE type = 'anchor-revoked';--> statement-breakpoint
CREATE INDEX "reputation_history_time" ON "reputation_history" USING btree ("wallet","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "reputation_history_outcome" ON "reputation_history" USING btree ("outcome_id") WHERE outcome_id is not null;--> statement-breakpoint
CREATE INDEX "reputations_score_day" ON "reputations" USING btree ("score_day");--> statement-breakpoint
CREATE INDEX "recordings_transaction" ON "recordings" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "recordings_unsettled" ON "recordings" USING btree ("created_at") WHERE settled_at is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_pending" ON "webhook_deliveries" USING btree ("status","next_attempt_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_newest" ON "webhook_deliveries" USING btree ("webhook_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "webhooks_agent_id_index" ON "webhooks" USING btree ("agent_id");