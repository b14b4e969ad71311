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
DROP TABLE "judge_states" CASCADE;--> statement-breakpoint
DROP TABLE "rubrics" CASCADE;