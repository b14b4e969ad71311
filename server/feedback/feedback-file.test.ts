import fc from "fast-check";
import { keccak256, stringToBytes } from "viem";
import { expect, test } from "vitest";
import { buildFeedbackFile, locateFile } from "./feedback-file";

const FACTS = {
  chainId: 8453,
  identityAddress: "0x8004A169FB4a3325136EB29fA0ceB6D2e539a432",
  agentId: "4711",
  client: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  value: 100,
  createdAt: new Date("2026-11-21T12:00:00.000Z"),
  outcomeId: "3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10",
  publicUrl: "https://standing.example",
  payment: null,
} as const;

test("is canonical JSON, without a payment if there was none", () => {
  const { file, hash } = buildFeedbackFile(FACTS);
  expect(file).toBe(
    '{"agentId":4711,"agentRegistry":"eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432","clientAddress":"eip155:8453:0x8617E340B3D01FA5F11F306F4090FD50E238070D","createdAt":"2026-11-21T12:00:00.000Z","endpoint":"https://standing.example/outcomes/3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10","outcome":"https://standing.example/api/v1/outcome/3f2b8c1e-6a54-4d0e-9b1f-2c7f5d9a8e10","tag1":"job_completion","tag2":"standing","value":100,"valueDecimals":0}',
  );
  expect(hash).toBe(keccak256(stringToBytes(file)));
  expect(locateFile(file, hash)).toEqual({
    endpoint: `https://standing.example/outcomes/${FACTS.outcomeId}`,
    feedbackUri: `https://standing.example/outcomes/${FACTS.outcomeId}/feedback/${hash}.json`,
  });
});

test("keeps every digit of an agent's id", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (id) => {
      const { file } = buildFeedbackFile({ ...FACTS, agentId: String(id) });
      expect(BigInt(JSON.parse(file).agentId)).toBe(id);
    }),
  );
});
