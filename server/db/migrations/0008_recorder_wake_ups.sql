CREATE TABLE "recorder_wake_ups" (
	"id" uuid PRIMARY KEY DEFAULT uuidv7() NOT NULL,
	"recorder" char(42) NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "recorder_wake_ups_recorder_unique" UNIQUE("recorder")
);
--> statement-breakpoint
CREATE INDEX "outcomes_unrecorded" ON "outcomes" USING btree ("judged_at") WHERE status = 'EVALUATING' and judged_at is not null;