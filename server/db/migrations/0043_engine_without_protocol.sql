ALTER TABLE "engine_runs" DROP COLUMN "version";--> statement-breakpoint
ALTER TABLE "engine_steps" DROP COLUMN "name";