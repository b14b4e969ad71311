import { join } from "node:path";
import { CommandError } from "@/scripts/lib/say.mjs";
import { openDatabase } from "@/server/db/client";
import { type Env, EnvError } from "@/server/lib/env";
import { createLog } from "@/server/lib/log";
import { holderOf } from "@/server/local/data-folder";
import { runningPostgres } from "@/server/local/running-postgres";
import { openPublisher } from "@/server/publisher";

/** The service's database, and its way to announce what is to be done. */
export function openService(env: Env, url: string) {
  const { db, close } = openDatabase(url, 2);
  const log = createLog({ ...env, LOG_LEVEL: "silent" });
  const publisher = openPublisher({ env, databaseUrl: url, log });
  return {
    db,
    publish: publisher.publish,
    close: async () => {
      await publisher.close();
      await close();
    },
  };
}

export type OpenService = ReturnType<typeof openService>;

/** Where the service that is configured, or runs in the data folder, keeps its data. Throws `CommandError`. */
export async function databaseUrl(env: Env): Promise<string> {
  const url = env.DATABASE_URL ?? (await localDatabase(env.DATA_DIR));
  if (url) return url;
  throw new CommandError(
    `No Standing runs on ${env.DATA_DIR}: start it with npm start, or name its data folder with DATA_DIR or its database with DATABASE_URL.`,
  );
}

/** That of a running service alone: a database that a killed one left would never record anything. */
async function localDatabase(folder: string): Promise<string | null> {
  return holderOf(join(folder, "service.json")) && runningPostgres(join(folder, "postgres"));
}

/** What the database or the network said; what is wrapped around it repeats the statement. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError) return rootOf(error.errors[0]);
  return error instanceof Error && error.cause ? rootOf(error.cause) : error;
}

/** One plain sentence for what is no fault of the code; null for anything else. */
export function sentenceOf(error: unknown): string | null {
  if (error instanceof CommandError) return error.message;
  if (error instanceof EnvError) return `The configuration is wrong:\n${error.message}`;
  const root = rootOf(error);
  if (!(root instanceof Error && "code" in root)) return null;
  return `The database cannot be used: ${root.message.replace(/\.$/, "")}.`;
}
