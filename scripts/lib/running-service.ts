import { join } from "node:path";
import { openPublisher } from "@/server/bootstrap/functions";
import { openDatabase } from "@/server/db/client";
import type { Core } from "@/server/lib/context";
import type { Env } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { isNodeLimit } from "@/server/lib/unavailable";
import { getLockHolder } from "@/server/local/data-folder";
import { findRunningPostgres } from "@/server/local/postgres";
import { addApplicationName } from "@/server/operations/recovery/exclusive-database";
import { CommandError } from "./command-error.mjs";

/** The service's database, and the means to publish its events. */
export type ServiceHandle = Pick<Core, "db" | "publish">;

/**
 * Runs `work` on the configured or running service. Throws `CommandError` if there is none, or the
 * database has no tables of one.
 */
export async function withService<T>(
  env: Env,
  work: (service: ServiceHandle) => Promise<T>,
): Promise<T> {
  const databaseUrl = addApplicationName(await findDatabaseUrl(env), "standing-command");
  const { db, close } = openDatabase(databaseUrl, 2);
  const log = createLog({ ...env, LOG_LEVEL: "silent" });
  const publisher = openPublisher({ env, databaseUrl, log });
  try {
    await requireSchema(db);
    return await work({ db, publish: publisher.publish });
  } finally {
    await publisher.close();
    await close();
  }
}

/**
 * Returns the database URL of the configured service, or of the one that runs on the data folder.
 * Throws `CommandError`.
 */
export async function findDatabaseUrl(env: Env): Promise<string> {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  // A database that outlived its killed service would never record anything.
  const isRunning = getLockHolder(join(env.DATA_DIR, "service.json")) !== null;
  const url = isRunning && (await findRunningPostgres(join(env.DATA_DIR, "postgres")));
  if (url) return url;
  throw new CommandError(
    `No service runs on ${env.DATA_DIR}: start it with npm start, or set DATA_DIR to its data folder or DATABASE_URL to its database.`,
  );
}

/** Throws `CommandError` if no service has used the database yet. */
export async function requireSchema({ sql }: Core["db"]): Promise<void> {
  const [row] = await sql`select to_regclass('drizzle.__drizzle_migrations') is null as missing`;
  if (!row?.missing) return;
  throw new CommandError(
    "The database has no tables of the service: start the service once, or fix DATABASE_URL.",
  );
}

/** Describes a database or network error in one sentence; returns null for any other error. */
export function describeDatabaseError(error: unknown): string | null {
  if (isNodeLimit(error)) return "The chain's node limits requests: try again later.";
  // Only the innermost error: the others repeat the SQL statement.
  if (error instanceof AggregateError) return describeDatabaseError(error.errors[0]);
  if (!(error instanceof Error)) return null;
  if (error.cause) return describeDatabaseError(error.cause);
  return "code" in error
    ? `The database cannot be used: ${error.message.replace(/\.$/, "")}.`
    : null;
}
