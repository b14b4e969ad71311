import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MIGRATIONS, migrateDatabase } from "@/server/db/migrate";
import { waitFor } from "@/server/testing/engine/engine";
import { buildSubmission } from "@/server/testing/fixtures/outcome";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "newer-schema-"));
  cpSync(MIGRATIONS, folder, { recursive: true });
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Adds a migration to the folder, as the next version of the code would. */
function addMigration(tag: string, statement: string): void {
  const file = join(folder, "meta/_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8"));
  const last = journal.entries.at(-1);
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(join(folder, `${tag}.sql`), statement);
}

async function submit(): Promise<{ status: number; outcomeId: string; wallet: string }> {
  const { wallet, apiKey } = await service.agent();
  const { status, body } = await service.call("POST", "/outcome", {
    key: apiKey,
    body: buildSubmission(wallet),
  });
  return { status, outcomeId: body.outcomeId, wallet };
}

test("the older version serves every request while a newer one adds to every table", async () => {
  const statuses: number[] = [];
  const outcomes: string[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const { status, outcomeId, wallet } = await submit();
      statuses.push(status);
      outcomes.push(outcomeId);
      for (const path of [
        `/outcome/${outcomeId}`,
        `/reputation/${wallet}`,
        "/explore/leaderboard",
        `/agents/${wallet}/outcomes`,
      ]) {
        statuses.push((await service.call("GET", path)).status);
      }
    }
  };
  const clients = [client(), client()];
  const more = () => {
    const seen = statuses.length;
    return waitFor(async () => statuses.length > seen + 5);
  };
  await more();

  const { sql } = service.database.db;
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`;
  expect(tables.length).toBeGreaterThan(10);
  // One table at a time, as a migration should: two in one transaction can deadlock with requests
  // that lock them in the other order.
  for (const { name } of tables) {
    addMigration(`add_to_${name}`, `alter table ${name} add column added_later text default 'new'`);
    await migrateDatabase(service.database.url, { folder });
    await more();
  }
  isOver = true;
  await Promise.all(clients);

  expect(statuses.filter((status) => status !== 200 && status !== 202)).toEqual([]);
  for (const outcomeId of outcomes) await service.waitForResolved(outcomeId);

  // Back to the older version: it starts on the newer schema and works.
  const older = await startTestService({ sharedWith: service });
  const { status, outcomeId } = await submit();
  expect(status).toBe(202);
  expect((await older.waitForResolved(outcomeId)).verdict).toBe("SUCCESS");
  await older.close();
}, 300_000);

test("a migration that waits for a long transaction does not block other queries", async () => {
  const { db, url } = service.database;
  const { sql } = db;
  const long = await sql.reserve();
  await long`begin`;
  await long`select from outcomes`;
  addMigration("add_to_a_busy_table", "alter table outcomes add column added_much_later text");
  let done = false;
  const migrated = migrateDatabase(url, { folder }).then(() => {
    done = true;
  });
  await waitFor(async () => {
    const waiting = await sql`
      select from pg_locks where not granted and relation = 'outcomes'::regclass`;
    return waiting.length > 0;
  });
  // Would wait forever behind the migration if that did not give way.
  await sql`select from outcomes`;
  expect(done).toBe(false);
  await long`commit`;
  long.release();
  await migrated;
});
