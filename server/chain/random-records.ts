import fc from "fast-check";
import { getAddress, type Hex } from "viem";
import { CATEGORIES } from "@/server/lib/schema";
import type { OutcomeRecord } from "./ledger";

// Unbiased, as what is to be recorded once must not come up twice.
const wallet = fc
  .noBias(fc.uint8Array({ minLength: 20, maxLength: 20 }))
  .map((bytes) => getAddress(`0x${Buffer.from(bytes).toString("hex")}`));

const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => bytes.some((byte) => byte !== 0))
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

/** Amounts up to the billion USDC that a submission may name, in millionths. */
const micro = fc.integer({ min: 0, max: 1_000_000_000_000_000 });
const time = fc.integer({ min: 1, max: 2 ** 40 });

/** Any outcome that the service may record. */
export const anyOutcome: fc.Arbitrary<OutcomeRecord> = fc.record(
  {
    type: fc.constant("outcome" as const),
    id: fc.noBias(fc.uuid()),
    contractor: wallet,
    requester: wallet,
    category: fc.constantFrom(...CATEGORIES),
    valueMicro: micro,
    paidMicro: micro,
    submittedBy: fc.constantFrom("contractor" as const, "requester" as const),
    proven: fc.boolean(),
    verdict: fc.constantFrom("SUCCESS" as const, "FAILURE" as const),
    confPpm: fc.integer({ min: 0, max: 1_000_000 }),
    resolvedAt: time,
    evidenceHash: hash,
  },
  {
    requiredKeys: [
      "type",
      "id",
      "contractor",
      "requester",
      "category",
      "valueMicro",
      "paidMicro",
      "submittedBy",
      "proven",
      "verdict",
      "confPpm",
      "resolvedAt",
    ],
  },
);

export const anyWallet = wallet;
export const anyTime = time;
export const anyHash = hash;

/** `count` outcomes that differ, the same ones each time for the same `seed`. */
export const sampleOutcomes = (count: number, seed: number): OutcomeRecord[] =>
  fc.sample(anyOutcome, { numRuns: count, seed });
