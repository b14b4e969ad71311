import { afterAll, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { createTestDatabase } from "@/server/testing/database";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { readWalletsOfPage } from "./list-wallets";

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.close());

test("pages of wallets hold every agent once, in order of registration", async () => {
  const wallets = [1, 2, 3, 4, 5].map(createWallet);
  for (const wallet of wallets) await db.insert(agents).values({ wallet, name: "Agent" });
  const pages = await Promise.all([0, 1, 2, 3].map((page) => readWalletsOfPage(db, page, 2)));
  expect(pages).toEqual([wallets.slice(0, 2), wallets.slice(2, 4), wallets.slice(4), []]);
});
