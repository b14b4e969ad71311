import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { pipeline, unordered } from "./pipeline";

const database = await createTestDatabase();
const { db } = database;
await database.db.sql`create table names (name text unique)`;
const names = pgTable("names", { name: text() });
beforeEach(async () => {
  await database.db.sql`delete from names`;
});
afterAll(() => database.close());

test("statements of both libraries run in the given order, whichever comes first", async () => {
  const results = await db.transaction((tx) =>
    pipeline(tx, [
      () => tx.insert(names).values({ name: "drizzle" }),
      () => tx.sql`select name from names`,
      () => tx.sql`insert into names values ('driver')`,
      () => tx.select().from(names).orderBy(names.name),
      () => tx.delete(names).prepare("delete_names"),
      () => tx.sql`select name from names`,
      () => tx.execute(sql`insert into names values ('last')`),
      () => tx.sql`select name from names`,
    ]),
  );
  expect([1, 3, 5, 7].map((index) => [...(results[index] as object[])])).toEqual([
    [{ name: "drizzle" }],
    [{ name: "driver" }, { name: "drizzle" }],
    [],
    [{ name: "last" }],
  ]);
});

test("a step may be a pipeline, and the last one any function", async () => {
  const found = await db.transaction((tx) => {
    const add = (name: string) =>
      pipeline(tx, [() => null, () => tx.insert(names).values({ name })], () => name);
    const count = async () => (await tx.select().from(names)).length;
    return pipeline(tx, [
      () => add("a"),
      () => tx.sql`select name from names`,
      () => add("b"),
      () => unordered(count()),
    ]);
  });
  expect([found[0], [...found[1]], found[2], found[3]]).toEqual(["a", [{ name: "a" }], "b", 2]);
});

test("the first error is thrown, once all statements have ended", async () => {
  let ended = 0;
  const failing = db.transaction((tx) =>
    pipeline(tx, [
      () => tx.insert(names).values({ name: "twice" }),
      () => tx.sql`insert into names values ('twice')`,
      () => unordered(tx.execute(sql`select 1`).then(undefined, () => void ended++)),
      () => unordered(Promise.reject(new Error("later"))),
    ]),
  );
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  expect(ended).toBe(1);
});

test("statements of a pipeline do not wait for each other's results", async () => {
  const order: string[] = [];
  await db.transaction(async (tx) => {
    // A prepared statement needs one round trip, of which this is the first.
    await tx.sql`select pg_sleep(${0})`;
    await pipeline(tx, [
      () => ({ execute: () => tx.sql`select pg_sleep(${0.05})`.then(() => order.push("ended")) }),
      () => ({ execute: async () => order.push("started") }),
    ]);
  });
  expect(order).toEqual(["started", "ended"]);
});
