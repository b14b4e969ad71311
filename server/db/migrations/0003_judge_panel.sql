CREATE TABLE "judge_states" (
	"judge_id" text PRIMARY KEY NOT NULL,
	"last_answer_at" timestamp (3) with time zone,
	"failing_since" timestamp (3) with time zone,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "rubrics" (
	"key" char(66) PRIMARY KEY NOT NULL,
	"category" text NOT NULL,
	"criteria" jsonb NOT NULL,
	"call" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "documents" ADD COLUMN "body" "bytea";--> statement-breakpoint
CREATE INDEX "rubrics_created" ON "rubrics" USING btree ("created_at");