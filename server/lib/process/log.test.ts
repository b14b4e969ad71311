import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import type { Logger } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createLog } from "./log";
import { LogOutput } from "./log-output";

const PRIVATE = "the private\n    at (words) of a deliverable";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), "log-"))]);
});
afterAll(() => Promise.all([database.close(), rm(folder, { recursive: true })]));

/** Returns the content of the log file right when the flush that follows `write` ends. */
function logged(write: (log: Logger) => void): Promise<string> {
  const file = join(folder, `${randomUUID()}.log`);
  const log = createLog({ LOG_LEVEL: "info" }, new LogOutput(file));
  write(log);
  return new Promise((resolve) => log.flush(() => resolve(readFileSync(file, "utf8"))));
}

async function failure(): Promise<Error> {
  const query = database.db.execute(sql`insert into nowhere values (${PRIVATE})`);
  return query.then(
    () => new Error("it did not fail"),
    (error: Error) => error,
  );
}

test.each<[string, (log: Logger, error: Error) => void]>([
  ["an error", (log, error) => log.error({ err: error }, "A request failed")],
  ["an error alone", (log, error) => log.error(error)],
  ["a cause", (log, error) => log.warn({ err: new Error("again", { cause: error }) }, "Failed")],
  [
    "an error that was stored",
    (log, { name, message, stack }) => log.warn({ error: { name, message, stack } }, "Failed"),
  ],
])("logs %s of a failed query without the parameters", async (_, write) => {
  const error = await failure();
  const text = await logged((log) => write(log, error));
  expect(text).toContain("insert into nowhere");
  expect(text).not.toContain("private");
  expect(text).not.toContain("of a deliverable");
});

test("logs an error with its stack, cause and code", async () => {
  const cause = Object.assign(new Error("refused"), { code: "ECONNREFUSED" });
  const error = new TypeError("no answer", { cause });
  const line = JSON.parse(await logged((log) => log.error({ err: error }, "Failed")));
  expect(line).toMatchObject({
    msg: "Failed",
    err: { type: "TypeError", message: "no answer", cause: { code: "ECONNREFUSED" } },
  });
  expect(line.err.stack).toContain("log.test.ts");
});

test("drops and counts lines while the disk is full, and resumes when there is space", async () => {
  const file = join(folder, "full.log");
  await symlink("/dev/full", file);
  const output = new LogOutput(file);
  const log = createLog({ LOG_LEVEL: "info" }, output);
  for (const word of ["lost", "lost too"]) {
    log.info(word);
    await new Promise<void>((done) => log.flush(() => done()));
  }
  // An attempt to report the loss may have failed too.
  const atLeastTwo = expect.toSatisfy((lines: number) => lines >= 2);
  expect(output.state).toEqual({ status: "unavailable", droppedLines: atLeastTwo });
  await rm(file);
  await expect.poll(() => output.state.status).toBe("ok");
  log.info("kept");
  await new Promise<void>((done) => log.flush(() => done()));
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 40, msg: "Log lines were dropped", droppedLines: atLeastTwo },
    { msg: "kept" },
  ]);
});
