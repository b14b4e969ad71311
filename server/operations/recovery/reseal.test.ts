import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { idempotencyKeys } from "@/server/agents/tables";
import { seal, unseal } from "@/server/lib/seal";
import { createTestDatabase, type TestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { webhooks } from "@/server/webhooks/tables";
import { reseal } from "./reseal";

const [OLD, NEW, OTHER] = ["a", "b", "c"].map((letter) => letter.repeat(64)) as [
  string,
  string,
  string,
];

let database: TestDatabase;
let agentId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  agentId = (await createTestAgent(database)).id;
});
afterAll(() => database.close());

async function webhook(key: string, secret: string): Promise<string> {
  const id = crypto.randomUUID();
  const sealedSecret = seal({ SECRET_KEY: key }, secret, `webhook:${id}`);
  const url = "https://example.com";
  await database.db.insert(webhooks).values({ id, agentId, url, events: [], sealedSecret });
  return id;
}
const secrets = async (key: string) =>
  Object.fromEntries(
    (await database.db.select().from(webhooks)).map(({ id, sealedSecret }) => [
      id,
      unseal({ SECRET_KEY: key }, sealedSecret, `webhook:${id}`),
    ]),
  );

test("reseals every secret of the previous key with the current one, all or none", async () => {
  const [first, second] = [await webhook(OLD, "whsec_1"), await webhook(NEW, "whsec_2")];
  await expect(reseal(database.db, { previous: OTHER, current: NEW })).rejects.toThrow(
    `opens the secret of webhook ${first}`,
  );
  expect(await reseal(database.db, { previous: OLD, current: NEW })).toBe(1);
  expect(await secrets(NEW)).toEqual({ [first]: "whsec_1", [second]: "whsec_2" });
  expect(await reseal(database.db, { previous: OLD, current: NEW })).toBe(0);
});

test("reseals the secret before a rotation, too", async () => {
  const id = await webhook(OLD, "whsec_new");
  const context = `webhook:${id}`;
  await database.db
    .update(webhooks)
    .set({ previousSealedSecret: seal({ SECRET_KEY: OLD }, "whsec_old", context) })
    .where(eq(webhooks.id, id));
  expect(await reseal(database.db, { previous: OLD, current: NEW })).toBe(2);
  const [row] = await database.db.select().from(webhooks).where(eq(webhooks.id, id));
  expect(unseal({ SECRET_KEY: NEW }, row?.previousSealedSecret ?? Buffer.alloc(0), context)).toBe(
    "whsec_old",
  );
  expect((await secrets(NEW))[id]).toBe("whsec_new");
});

test("deletes the responses of idempotency keys, which the current key can't open", async () => {
  const request = { agentId, operation: "webhooks.create", key: "a" };
  const sealedResponse = Buffer.from("sealed");
  await database.db.insert(idempotencyKeys).values({ ...request, inputHash: "0x", sealedResponse });
  await reseal(database.db, { previous: OLD, current: NEW });
  expect(await database.db.$count(idempotencyKeys)).toBe(0);
});
