import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import pino from "pino";
import postgres from "postgres";
import { type Engine, openEngine } from "@/server/engine/engine";
import { defineFunction } from "@/server/lib/background-function";
import { parseEnv } from "@/server/lib/env";

const log = pino({ level: "silent" });

/**
 * Creates an engine with one function that logs every step it runs, and whether that step's result
 * was already stored, in which case it should not have run. Each step is slow enough to be killed
 * in.
 */
export function createCrashEngine(url: string, sql: postgres.Sql): Engine {
  const chain = defineFunction(
    { id: "chain", retries: 3, concurrency: { limit: 6 }, triggers: [{ event: "chain" }] },
    async ({ step, event, runId }) => {
      const effect = (name: string) =>
        step.run(name, async () => {
          await sql`
              insert into effects (event, step, memoised)
              select ${event.id}, ${name}, exists (
                select from engine_steps
                where run_id = ${runId} and id = ${name} and done_at is not null)`;
          await pause(20);
          return name;
        });
      await effect("first");
      await effect("second");
      await effect("third");
      await step.sleepUntil("nap", new Date(event.ts + 1_000));
      await effect("last");
      return event.id;
    },
  );
  return openEngine({
    env: parseEnv({}),
    functions: [chain],
    databaseUrl: url,
    log,
    concurrency: 8,
    pollIntervalMs: 300,
  });
}

const [, script, url] = process.argv;
if (url && script && import.meta.url === pathToFileURL(script).href) {
  await createCrashEngine(url, postgres(url, { max: 4 })).start(undefined);
}
