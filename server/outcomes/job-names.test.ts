import { afterAll, expect, test } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { createOutcomesRouter } from "./router";

const database = await createTestDatabase();
const core = createTestCore(database);
afterAll(database.close);
const contractor = await createTestAgent(core, { isVerified: true });
const requester = await createTestAgent(core, { isVerified: true });

const outcomesRouter = createOutcomesRouter(async (_, outcomes) => outcomes);
const readNames = (agent: TestAgent | null, ids: string[]) =>
  createCallerFactory(outcomesRouter)(
    createTestContext(core, { apiKey: agent?.apiKey ?? null }).context,
  ).jobNames(ids);

const insert = async (fields: Parameters<typeof insertPendingOutcome>[2]) =>
  (await insertPendingOutcome(core, contractor, { requester: requester.wallet, ...fields })).id;

test("both parties see the title, or the first words of the task in one line", async () => {
  const agreement = await insertAgreement(
    core,
    { contractor, requester },
    { title: "Rivers of Asia" },
  );
  const long = `Name three rivers\n\n  of ${"Europe and ".repeat(20)}Asia.`;
  const ids = [
    await insert({ title: "Rivers of Europe" }),
    await insert({ agreementId: agreement.id }),
    await insert({ taskDescription: long }),
    await insert({ taskDescription: "x".repeat(200) }),
    await insert({ taskDescription: "" }),
  ];
  const names = await readNames(contractor, ids);
  expect(ids.map((id) => names[id])).toEqual([
    "Rivers of Europe",
    "Rivers of Asia",
    `Name three rivers of ${"Europe and ".repeat(5)}Eur…`.replace(" Eur…", "…"),
    `${"x".repeat(79)}…`,
    undefined,
  ]);
  expect(await readNames(requester, ids)).toEqual(names);
});

test("only a party with a verified wallet sees a name", async () => {
  const id = await insert({});
  expect(Object.keys(await readNames(contractor, [id]))).toEqual([id]);
  expect(await readNames(await createTestAgent(core, { isVerified: true }), [id])).toEqual({});
  const unverified = await createTestAgent(core);
  expect(await readNames(unverified, [await insert({ requester: unverified.wallet })])).toEqual({});
  await expect(readNames(null, [id])).rejects.toMatchObject({ cause: { code: "unauthenticated" } });
});
