CREATE TABLE "engine_crons" (
	"id" text PRIMARY KEY NOT NULL,
	"last_tick" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "engine_jobs" (
	"run_id" uuid PRIMARY KEY NOT NULL,
	"function_id" text NOT NULL,
	"key" text DEFAULT '' NOT NULL,
	"event_name" text,
	"state" text NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempt" integer DEFAULT 0 NOT NULL,
	"pickups" integer DEFAULT 0 NOT NULL,
	"worker" text,
	"unknown_since" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "engine_jobs" ADD CONSTRAINT "engine_jobs_run_id_engine_runs_id_fk" FOREIGN KEY ("run_id") REFERENCES "public"."engine_runs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "engine_jobs_ready" ON "engine_jobs" USING btree ("function_id","key","due_at","run_id") WHERE state = 'ready';--> statement-breakpoint
CREATE INDEX "engine_jobs_sleeping" ON "engine_jobs" USING btree ("due_at") WHERE state = 'sleeping';--> statement-breakpoint
CREATE INDEX "engine_jobs_running" ON "engine_jobs" USING btree ("function_id","key") WHERE state = 'running';--> statement-breakpoint
ALTER TABLE "engine_runs" ADD COLUMN "key" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "engine_steps" ADD COLUMN "wakes_at" timestamp (3) with time zone;--> statement-breakpoint
-- A slot was named by its function, or by function and value. Completed runs need no key.
UPDATE "engine_runs" SET "key" = substr("slot", length("function_id") + 2)
WHERE "status" <> 'completed' AND length("slot") > length("function_id");--> statement-breakpoint
-- Moves what waits in the tables of graphile-worker: each active run to its next call, at the time
-- at which that, or the end of its sleep, was due; and the events for an Inngest server. Ticks of
-- crons are left out: the next one makes up for them.
DO $$
BEGIN
	IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
		CREATE TEMPORARY TABLE waiting ON COMMIT DROP AS
			SELECT t.identifier, j.payload, j.run_at
			FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id;
		UPDATE engine_steps s SET wakes_at = w.run_at FROM waiting w
		WHERE w.identifier = 'engine:wake' AND s.run_id = (w.payload->>'run')::uuid
			AND s.id = w.payload->>'step' AND s.done_at IS NULL;
		INSERT INTO engine_jobs (run_id, function_id, key, event_name, state, due_at, attempt)
		SELECT r.id, r.function_id, r.key, e.name, 'sleeping', coalesce(w.run_at, now()),
			coalesce((w.payload->>'attempt')::integer, (q.call->>'attempt')::integer, 0)
		FROM engine_runs r LEFT JOIN engine_events e ON e.id = r.event_id
			LEFT JOIN waiting w
				ON w.identifier IN ('engine:call', 'engine:wake') AND w.payload->>'run' = r.id::text
			LEFT JOIN engine_slots q ON q.call->>'run' = r.id::text
		WHERE r.status = 'active'
		ON CONFLICT DO NOTHING;
		WITH sent AS (
			SELECT 'outbox:' || (payload->'event'->>'id') AS id, payload, run_at, uuidv7() AS run
			FROM waiting WHERE identifier = 'relay:event'
		), events AS (
			INSERT INTO engine_events (id, name, data, ts)
			SELECT id, 'outbox/event', payload->'event', (payload->'event'->>'ts')::bigint FROM sent
			ON CONFLICT DO NOTHING RETURNING id
		), runs AS (
			INSERT INTO engine_runs (id, function_id, status, event_id)
			SELECT run, 'outbox', 'active', id FROM sent JOIN events USING (id) RETURNING id
		)
		INSERT INTO engine_jobs (run_id, function_id, event_name, state, due_at, attempt)
		SELECT run, 'outbox', 'outbox/event', 'sleeping', run_at, (payload->>'failures')::integer
		FROM sent JOIN runs ON runs.id = sent.run;
		DROP SCHEMA graphile_worker CASCADE;
	END IF;
END $$;--> statement-breakpoint
DROP TABLE "engine_slots" CASCADE;--> statement-breakpoint
ALTER TABLE "engine_runs" DROP COLUMN "slot";
