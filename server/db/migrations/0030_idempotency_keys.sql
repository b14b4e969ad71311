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
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_newest" ON "idempotency_keys" USING btree ("agent_id","created_at");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");