import { afterAll, beforeAll, expect, test } from "vitest";
import { EAS_ATTEST_GAS, measureGas } from "@/bench/gas";
import { startTestChain, type TestChain } from "@/server/testing/chain/chain";

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.close());

test("a verdict costs less than half of an EAS attestation, less in a batch, and a statement least", async () => {
  const gas = await measureGas(local.chain);
  expect(Math.max(...Object.values(gas))).toBeLessThan(EAS_ATTEST_GAS / 2);
  expect(gas["gas.single"]).toBeLessThan(75_000);
  expect(gas["gas.batch10"]).toBeLessThan(45_000);
  expect(gas["gas.batch50"]).toBeLessThan(40_000);
  expect(gas["gas.statement"]).toBeLessThan(12_000);
});
