import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext } from "@/server/testing/core";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { insertAgreement } from "@/server/testing/fixtures/agreement";
import { insertPendingOutcome } from "@/server/testing/fixtures/outcome";
import { shareSettlementFixture } from "@/server/testing/fixtures/settlement";
import { createOutcomesRouter } from "./router";

const bench = await shareSettlementFixture();
let contractor: TestAgent;
let requester: TestAgent;
beforeEach(async () => {
  contractor = await createAgent();
  requester = await createAgent();
});

async function createAgent({ isVerified = true } = {}): Promise<TestAgent> {
  const agent = await createTestAgent(bench.core);
  const walletVerifiedAt = isVerified ? new Date() : null;
  await bench.core.db.update(agents).set({ walletVerifiedAt }).where(eq(agents.id, agent.id));
  return agent;
}

const outcomesRouter = createOutcomesRouter(async (_, outcomes) => outcomes);
const readNames = (agent: TestAgent | null, ids: string[]) =>
  createCallerFactory(outcomesRouter)(
    createTestContext(bench.core, { apiKey: agent?.apiKey ?? null }).context,
  ).jobNames(ids);

const insert = async (fields: Parameters<typeof insertPendingOutcome>[2]) =>
  (await insertPendingOutcome(bench.core, contractor, { requester: requester.wallet, ...fields }))
    .id;

test("both parties see the title, or the first words of the task in one line", async () => {
  const agreement = await insertAgreement(
    bench.core,
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
  expect(await readNames(await createAgent(), [id])).toEqual({});
  const unverified = await createAgent({ isVerified: false });
  expect(await readNames(unverified, [await insert({ requester: unverified.wallet })])).toEqual({});
  await expect(readNames(null, [id])).rejects.toMatchObject({ cause: { code: "unauthenticated" } });
});
