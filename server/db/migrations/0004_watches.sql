CREATE TABLE "watches" (
	"webhook_id" uuid PRIMARY KEY NOT NULL,
	"wallet" char(42) NOT NULL,
	"host" text NOT NULL,
	"client" "bytea" NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"confirmation_attempts" integer DEFAULT 0 NOT NULL,
	"confirmed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhooks" ALTER COLUMN "agent_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "watches" ADD CONSTRAINT "watches_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "watches_wallet" ON "watches" USING btree ("wallet");--> statement-breakpoint
CREATE INDEX "watches_host" ON "watches" USING btree ("host");--> statement-breakpoint
CREATE INDEX "watches_client" ON "watches" USING btree ("client");