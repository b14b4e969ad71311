CREATE TABLE "confirmation_mails" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"wallet" char(42) NOT NULL,
	"inbox" "bytea" NOT NULL,
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
ALTER TABLE "email_addresses" ADD CONSTRAINT "email_addresses_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "confirmation_mails_age" ON "confirmation_mails" USING btree ("created_at");