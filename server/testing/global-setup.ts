import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
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
    /** Folder of the checkout that is removed after the run. */
    runFolder: string;
    /** How functions are called: in the process, or from outside by Inngest's protocol. */
    transport: "embedded" | "http";
  }
}

/**
 * Starts one real PostgreSQL for the whole run, with a migrated template that every test file
 * copies. Unit tests do not use it, even when run together with integration tests.
 */
export default async function setup({ vitest }: TestProject) {
  const projects = vitest.projects.filter(({ name }) => name !== "unit");
  if (projects.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "standing-test-"));
  await chmod(folder, 0o755);
  const server = await startPostgres({ folder: join(folder, "postgres"), durable: false });
  const admin = postgres(server.url, { max: 1 });
  await admin.unsafe(`create database ${TEMPLATE}`);
  await admin.end();
  const template = withDatabase(server.url, TEMPLATE);
  await migrateDatabase(template);
  await mkdir(".test", { recursive: true });
  const runFolder = await mkdtemp(join(".test", "run-"));
  for (const project of projects) {
    project.provide("postgresUrl", server.url);
    project.provide("runFolder", runFolder);
  }
  return async () => {
    await server.stop();
    for (const one of [folder, runFolder]) await rm(one, { recursive: true, force: true });
  };
}

function withDatabase(url: string, name: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${name}`;
  return parsed.href;
}
