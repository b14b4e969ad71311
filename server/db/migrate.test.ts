import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "@/server/testing/database";
import { migrateDatabase } from "./migrate";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test("migrating twice, and from two processes at once, changes nothing", async () => {
  const tables = () =>
    database.sql`select table_name from information_schema.tables where table_schema = 'public' order by 1`;
  const before = await tables();
  await Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
  expect(await tables()).toEqual(before);
  expect(before.length).toBeGreaterThan(10);
});
