CREATE TABLE "watched_agents" (
	"agent_id" uuid NOT NULL,
	"wallet" char(42) NOT NULL,
	"known" text[] NOT NULL,
	"checked_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "watched_agents_agent_id_wallet_pk" PRIMARY KEY("agent_id","wallet")
);
--> statement-breakpoint
ALTER TABLE "watched_agents" ADD CONSTRAINT "watched_agents_agent_id_agents_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."agents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watched_agents_wallet" ON "watched_agents" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "watched_agents_checked" ON "watched_agents" USING btree ("checked_at");