import { eq, sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { openDatabase } from "./client";
import { prepareLookup } from "./prepare-statements";

const database = await createTestDatabase();
const { db, close } = openDatabase(database.url, 1);
afterAll(async () => {
  await close();
  await database.close();
});

/** Returns the prepared statements of these tests, without those of the driver. */
const listPrepared = async () => {
  const rows = await db.execute<{ statement: string }>(
    sql`select statement from pg_prepared_statements where statement like 'select $1%'`,
  );
  return rows.map(({ statement }) => statement);
};

test("a statement of transactions is prepared from its second use on", async () => {
  const double = (value: number) =>
    db.transaction((tx) => tx.execute(sql`select ${value}::int * 2 as doubled`));
  expect([...(await double(1))]).toEqual([{ doubled: 2 }]);
  expect(await listPrepared()).toEqual([]);
  expect([...(await double(2))]).toEqual([{ doubled: 4 }]);
  expect([...(await double(3))]).toEqual([{ doubled: 6 }]);
  expect(await listPrepared()).toEqual(["select $1::int * 2 as doubled"]);
});

test("a statement outside transactions is not prepared", async () => {
  for (let use = 0; use < 3; use++) await db.execute(sql`select ${use}::int + 1 as sum`);
  expect(await listPrepared()).not.toContain("select $1::int + 1 as sum");
});

test("a lookup outside transactions is prepared, and built once", async () => {
  const settings = pgTable("pg_settings", { name: text(), setting: text() });
  const lookup = prepareLookup(
    db
      .select()
      .from(settings)
      .where(eq(settings.name, sql.placeholder("name"))),
  );
  expect(await lookup.execute({ name: "block_size" })).toMatchObject([{ setting: "8192" }]);
  expect(await lookup.execute({ name: "server_encoding" })).toMatchObject([{ setting: "UTF8" }]);
  const rows = await db.execute(
    sql`select from pg_prepared_statements where statement like '%from "pg_settings" where%'`,
  );
  expect(rows).toHaveLength(1);
});

test("the number of prepared statements is limited", async () => {
  await db.transaction(async (tx) => {
    for (let shape = 0; shape < 400; shape++) {
      const statement = sql`select ${1}::int as ${sql.identifier(`column_${shape}`)}`;
      for (let use = 0; use < 2; use++) await tx.execute(statement);
    }
  });
  expect(await listPrepared()).toHaveLength(300);
});
