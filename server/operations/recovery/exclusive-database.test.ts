import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "@/server/db/client";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import { addApplicationName, withExclusiveDatabase } from "./exclusive-database";

let database: TestDatabase;
let own: ReturnType<typeof openDatabase>;
beforeAll(async () => {
  database = await createTestDatabase();
  own = openDatabase(addApplicationName(database.url), 4);
});
afterAll(async () => {
  await own.close();
  await database.close();
});

test("work runs only when no service is connected", async () => {
  const service = postgres(database.url, { max: 1 });
  await service`select 1`;
  await expect(withExclusiveDatabase(own.db.sql, async () => "done")).rejects.toThrow(
    /Stop every instance/,
  );
  await service.end();
  // Postgres may take a moment to notice that the connection is closed.
  expect(
    await waitFor(() => withExclusiveDatabase(own.db.sql, async () => "done").catch(() => null)),
  ).toBe("done");
});

test("excludes a second caller, and releases the lock after a failure", async () => {
  const second = openDatabase(addApplicationName(database.url), 1);
  await withExclusiveDatabase(own.db.sql, async () => {
    await expect(withExclusiveDatabase(second.db.sql, async () => {})).rejects.toThrow(
      /Another process/,
    );
  });
  await expect(
    withExclusiveDatabase(own.db.sql, async () => {
      throw new Error("broken");
    }),
  ).rejects.toThrow("broken");
  expect(await withExclusiveDatabase(second.db.sql, async () => "done")).toBe("done");
  await second.close();
});
