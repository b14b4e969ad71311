import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "@/server/testing/database";
import { array, columns, type ElementType } from "./arrays";

const { db, close } = await createTestDatabase();
const { sql } = db;
afterAll(close);

const ID = "0190a5a0-0000-7000-8000-000000000000";
const AT = new Date("2026-11-24T00:00:00.123Z");

test.each<[ElementType, unknown[], unknown[]]>([
  ["text", ["a", '"\\{', null], ["a", '"\\{', null]],
  ["uuid", [null, ID], [null, ID]],
  ["boolean", [false, true, "true", null], ["false", "true", "true", null]],
  ["integer", [1, null, -2], ["1", null, "-2"]],
  ["bigint", [2n ** 62n, 1], [`${2n ** 62n}`, "1"]],
  ["jsonb", [{ a: ['"\\'] }, "x", 1, null], ['{"a": ["\\"\\\\"]}', '"x"', "1", null]],
  ["json", [[1, 2]], ["[1,2]"]],
  ["timestamptz", [AT], ["2026-11-24 00:00:00.123+00"]],
  ["uuid", [], []],
])("PostgreSQL gets an array of %s %o as it is", async (type, values, expected) => {
  await sql`set time zone 'UTC'`;
  const rows = await sql`select value::text from unnest(${array(sql, type, values)}) as value`;
  expect(rows.map(({ value }) => value)).toEqual(expected);
});

test("rows become columns, of which an undefined value is null", async () => {
  const rows: { id: string; n?: number; isDone: boolean }[] = [
    { id: ID, isDone: false },
    { id: ID, n: 2, isDone: true },
  ];
  const types = { id: "uuid", isDone: "boolean", n: "integer" } as const;
  const found = await sql`
    select * from unnest(${columns(sql, rows, types)}) as row(id, "isDone", n)`;
  expect([...found]).toEqual([{ ...rows[0], n: null }, rows[1]]);
});

test("a statement stays prepared for any number of elements", async () => {
  const count = (ids: string[]) => sql`select cardinality(${array(sql, "uuid", ids)}) as marked`;
  for (const ids of [[], [ID], [ID, ID]]) await count(ids);
  const [row] = await sql<{ texts: number }[]>`
    select count(distinct statement)::int as texts from pg_prepared_statements
    where statement like 'select cardinality(%as marked'`;
  expect(row?.texts).toBe(1);
});
