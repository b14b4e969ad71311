import { eq, sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { type FaultyDatabase, startFaultyDatabase } from "@/server/testing/faulty-database";
import { type DatabaseHandle, openDatabase } from "./client";

// What the patched driver guarantees when a connection breaks: docs/decisions/database-driver.md.

let database: TestDatabase;
let admin: postgres.Sql;
let handle: DatabaseHandle;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = postgres(inject("postgresUrl"), { max: 1 });
});
beforeEach(async () => {
  handle = openDatabase(database.url, 1);
  await handle.db.sql`create table if not exists kept (n int)`.catch(() => {});
  await handle.db.sql`truncate kept`;
  return () => handle.close();
});
afterAll(async () => {
  await admin.end();
  await database.close();
});

async function breakConnections(): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await admin`
    select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = ${name} and application_name = 'postgres.js'`;
}

const kept = () => handle.db.sql`select n from kept order by n`.then((rows) => [...rows]);

/** Waits until the pool has noticed and serves again, on the same slot in the pool. */
async function untilServed(): Promise<void> {
  while (!(await handle.db.sql`select 1`.catch(() => null))) await new Promise(setImmediate);
}

test("rolls back a transaction whose connection broke", async () => {
  let later: unknown;
  const transaction = handle.db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    await breakConnections();
    await untilServed();
    later = await tx.execute(sql`insert into kept values (2)`).catch((error) => error);
  });
  await expect(transaction).rejects.toThrow();
  await untilServed();
  await expect.poll(() => later).toBeInstanceOf(Error);
  expect(await kept()).toEqual([]);
});

test.each([98, 99, 100, 101])(
  "begins a transaction on a connection with %i queries before it",
  async (before) => {
    await handle.db.sql`select 1`;
    const reads = Array.from({ length: before }, () => handle.db.sql`select 1`.execute());
    const transaction = handle.db.transaction((tx) => tx.execute(sql`insert into kept values (1)`));
    await Promise.all([...reads, transaction]);
    expect(await kept()).toEqual([{ n: 1 }]);
  },
);

test("never mixes statements of two transactions", async () => {
  let proceed = () => {};
  const released = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  let late: Promise<unknown> | undefined;
  const first = handle.db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (1)`);
    await breakConnections();
    await released;
    late = tx.execute(sql`insert into kept values (2)`).catch((error) => error);
  });
  await expect(first).rejects.toThrow();
  await untilServed();
  await handle.db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (3)`);
    proceed();
    await expect.poll(() => late).toBeDefined();
    expect(await late).toBeInstanceOf(Error);
  });
  expect(await kept()).toEqual([{ n: 3 }]);
});

test("recovers after connections break at any moment of a write", async () => {
  const wide = openDatabase(database.url, 4);
  let ended = false;
  const writers = Array.from({ length: 8 }, async (_, n) => {
    while (!ended) {
      await wide.db
        .transaction(async (tx) => {
          await tx.execute(sql`insert into kept values (${n})`);
          await Promise.all([tx.execute(sql`select 1`), tx.execute(sql`select 2`)]);
        })
        .catch(() => new Promise(setImmediate));
    }
  });
  for (let round = 0; round < 12; round += 1) await breakConnections();
  ended = true;
  await Promise.all(writers);
  const results = await Promise.all(
    Array.from({ length: 12 }, () =>
      wide.db.sql`select 1 as n`.catch(() => wide.db.sql`select 1 as n`),
    ),
  );
  expect(results.every(([row]) => row?.n === 1)).toBe(true);
  await wide.close();
});

describe("if the connection breaks at a chosen moment", () => {
  let faulty: FaultyDatabase;
  let single: DatabaseHandle;

  beforeEach(async () => {
    faulty = await startFaultyDatabase(database.url);
    single = openDatabase(faulty.url, 1);
    return async () => {
      await single.close();
      await faulty.close();
    };
  });

  test("serves again on the same slot after a reset within a transaction", async () => {
    await single.db.sql`select 1`;
    faulty.breakAt("a statement in flight");
    const transaction = single.db.transaction((tx) =>
      tx.execute(sql`select 'a statement in flight'`),
    );
    await expect(transaction).rejects.toThrow();
    expect(await single.db.sql`select 1 as n`).toEqual([{ n: 1 }]);
  });

  test("completes the query despite a reset while the driver reads the types", async () => {
    faulty.breakAt("pg_catalog.pg_type");
    expect(await single.db.sql`select array[1, 2] as n`).toEqual([{ n: [1, 2] }]);
  });
});

test("a statement is prepared if drizzle's or the driver's statement says so", async () => {
  const named = (name: string) =>
    handle.db.transaction(async (tx) => {
      await tx.execute(sql`select ${name}::text as built`);
      await tx.sql`select ${name}::text as written`;
      const settings = pgTable("pg_settings", { name: text() });
      await tx.select().from(settings).where(eq(settings.name, name)).prepare("setting").execute();
    });
  for (const name of ["jit", "port", "work_mem"]) await named(name);
  const rows = await handle.db.sql`
    select statement from pg_prepared_statements where statement ~ '^select .*(::text|pg_settings)'
    order by 1`;
  expect(rows.map(({ statement }) => statement)).toEqual([
    'select "name" from "pg_settings" where "pg_settings"."name" = $1',
    "select $1::text as written",
  ]);
});

test("a nested transaction is a savepoint with both libraries", async () => {
  await handle.db.transaction(async (tx) => {
    const nested = tx.transaction(async (inner) => {
      await inner.sql`insert into kept values (1)`;
      await inner.execute(sql`insert into kept values (2)`);
      throw new Error("undone");
    });
    await expect(nested).rejects.toThrow("undone");
    await tx.sql`insert into kept values (3)`;
  });
  expect(await kept()).toEqual([{ n: 3 }]);
});
