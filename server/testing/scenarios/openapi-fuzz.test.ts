import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Operation, readOperations } from "@/server/testing/fuzz/contract";
import { anyPlan, buildRequest, type Plan } from "@/server/testing/fuzz/request";
import { send } from "@/server/testing/fuzz/send";
import { listViolations } from "@/server/testing/fuzz/violations";
import { type FuzzWorld, startFuzzWorld } from "@/server/testing/fuzz/world";

/** Cases per operation. A failure prints its seed, which `FUZZ_SEED` takes. */
const CASES = Number(process.env.FUZZ_CASES ?? 15);
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

test("every operation with its own limit refuses as documented", async () => {
  const plain: Plan = { caller: "contractor", seed: 0, mutations: [], header: null, raw: null };
  const refusing: string[] = [];
  for (const operation of operations.filter(({ method }) => method === "POST")) {
    await world.clearRateLimits();
    const statuses = new Set<number>();
    for (let times = 0; times < 12; times++)
      statuses.add(await expectConformingResponse(operation, plain));
    if (statuses.has(429)) refusing.push(operation.id);
  }
  const limited = ["registerAgent", "submitOutcome", "openDispute", "pingWebhook"];
  expect(refusing).toEqual(expect.arrayContaining(limited));
}, 180_000);
