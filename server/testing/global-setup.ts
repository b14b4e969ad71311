import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { migrateDatabase } from "@/server/db/migrate";
import { startPostgres } from "@/server/local/postgres";
import { TEMPLATE } from "./database";

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string;
    /** How functions are called: in the process, or from outside by Inngest's protocol. */
    transport: "embedded" | "http";
  }
}

/**
 * Starts one real PostgreSQL for the whole run, with a migrated template that every test file
 * copies. Unit tests do not use it, even when run together with integration tests.
 */
export default async function setup({ vitest }: TestProject) {
  const needing = vitest.projects.filter(({ name }) => name !== "unit");
  if (needing.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "standing-test-"));
  await chmod(folder, 0o755);
  const server = await startPostgres({ folder: join(folder, "postgres"), durable: false });
  const admin = postgres(server.url, { max: 1 });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await admin.end();
  await migrateDatabase(withDatabase(server.url, TEMPLATE));
  for (const project of needing) project.provide("postgresUrl", server.url);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
