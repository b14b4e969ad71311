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
	"successes" integer NOT NULL,
	"disputed" integer NOT NULL,
	CONSTRAINT "evidence_wallet_requester_category_backing_reported_day_pk" PRIMARY KEY("wallet","requester","category","backing","reported","day")
);
--> statement-breakpoint
ALTER TABLE "reputations" ADD COLUMN "totals" jsonb;