import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Operation, readOperations } from "@/server/testing/fuzz/contract";
import { anyPlan, buildRequest, type Plan } from "@/server/testing/fuzz/request";
import { send } from "@/server/testing/fuzz/send";
import { listViolations } from "@/server/testing/fuzz/violations";
import { type FuzzWorld, startFuzzWorld } from "@/server/testing/fuzz/world";
import { scaleRuns } from "@/server/testing/scale-runs";

/** Cases per operation. A failure prints its seed, which `FUZZ_SEED` takes. */
const CASES = Number(process.env.FUZZ_CASES ?? scaleRuns(2));
const SEED = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {};

let world: FuzzWorld;
let operations: Operation[];
beforeAll(async () => {
  world = await startFuzzWorld();
  operations = readOperations((await world.service.call("GET", "/openapi.json")).body);
});
afterAll(() => world.close());

async function expectConformingResponse(operation: Operation, plan: Plan): Promise<number> {
  const request = buildRequest(operation, plan, world.known);
  const response = await send(world.service.base, request);
  world.learn(response.text);
  const found = listViolations(operation, response);
  if (request.allowed === false && response.status < 400)
    found.push("accepted a forbidden request");
  if (request.allowed && response.status === 400) found.push("refused an allowed request");
  const description = `${operation.id}: ${JSON.stringify(request).slice(0, 20_000)}\n${response.text}`;
  expect(found, description).toEqual([]);
  return response.status;
}

test("every operation responds as documented to any caller and request", async () => {
  expect(operations.length).toBeGreaterThan(20);
  for (const operation of operations) {
    const property = fc.asyncProperty(anyPlan, async (plan) => {
      await world.clearRateLimits();
      await expectConformingResponse(operation, plan);
    });
    await fc.assert(property, { numRuns: CASES, ...SEED });
  }
}, 3_600_000);

test("every operation with a limit of its own refuses as documented", async () => {
  const plain: Plan = { caller: "contractor", seed: 0, mutations: [], header: null, raw: null };
  const limited = ["registerAgent", "submitOutcome", "openDispute", "pingWebhook"];
  const refusing: string[] = [];
  for (const operation of operations.filter(({ id }) => limited.includes(id))) {
    await world.clearRateLimits();
    const statuses = new Set<number>();
    for (let times = 0; times < 12 && !statuses.has(429); times++)
      statuses.add(await expectConformingResponse(operation, plain));
    if (statuses.has(429)) refusing.push(operation.id);
  }
  expect(refusing.toSorted()).toEqual(limited.toSorted());
}, 180_000);
