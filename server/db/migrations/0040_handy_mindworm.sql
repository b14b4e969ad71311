CREATE TABLE "model_states" (
	"model" text PRIMARY KEY NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"reason" text,
	"probe_at" timestamp (3) with time zone,
	"pause_seconds" integer NOT NULL
);
--> statement-breakpoint
DROP TABLE "judge_states" CASCADE;--> statement-breakpoint
DROP TABLE "rubrics" CASCADE;