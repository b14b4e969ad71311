import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import registry from "@/contracts/VerdictRegistry.json";
import { recordDirectly, startTestChain, type TestChain } from "@/server/testing/chain/chain";
import {
  anyHash,
  anyOutcome,
  anyTime,
  anyWallet,
  sampleOutcomes,
} from "@/server/testing/fixtures/random-records";
import { decodeRecords } from "./decode-records";
import { encodeRecords, MAX_BATCH } from "./encode-records";
import type { OutcomeRecord } from "./ledger";
import { registryAbi } from "./record-encodings";

let local: TestChain;
beforeAll(async () => {
  local = await startTestChain();
});
afterAll(() => local.close());

const [first, second] = sampleOutcomes(2, 1) as [OutcomeRecord, OutcomeRecord];

async function record(...records: Parameters<typeof encodeRecords>[0]) {
  const receipt = await recordDirectly(local.chain, records);
  expect(receipt.status).toBe("success");
  return decodeRecords(receipt.logs, local.chain.registryAddress);
}

const allLogs = () =>
  local.chain.client.getLogs({ address: local.chain.registryAddress, fromBlock: 0n });

describe("records on chain and back", () => {
  test("outcomes come back field by field, in the order of the batch, numbered without gaps", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(anyOutcome, { minLength: 1, maxLength: 12, selector: ({ id }) => id }),
        async (outcomes) => {
          const before = decodeRecords(await allLogs(), local.chain.registryAddress).length;
          const placed = await record(...outcomes);
          expect(placed.map((entry) => entry.record)).toEqual(
            outcomes.map((outcome, i) => ({ ...outcome, seq: before + i + 1 })),
          );
          expect(placed.map((entry) => entry.place.logIndex)).toEqual(outcomes.map((_, i) => i));
        },
      ),
      { numRuns: 12 },
    );
  });

  test("disputes, refunds, anchors, their revocations and takeovers come back", async () => {
    await fc.assert(
      fc.asyncProperty(
        anyOutcome,
        fc.boolean(),
        fc.boolean(),
        fc.option(anyHash, { nil: undefined }),
        anyWallet,
        anyTime,
        fc.option(fc.nat({ max: 2 ** 40 }), { nil: null }),
        async (outcome, wins, isAssessed, evidenceHash, wallet, at, lasts) => {
          await record(outcome);
          const dispute = {
            type: "dispute" as const,
            outcomeId: outcome.id,
            verdict: wins ? ("CONTRACTOR_WINS" as const) : ("REQUESTER_WINS" as const),
            assessed: isAssessed,
            resolvedAt: at,
            ...(evidenceHash ? { evidenceHash } : {}),
          };
          expect((await record(dispute))[0]?.record).toMatchObject(dispute);
          const refund = {
            type: "refund" as const,
            outcomeId: outcome.id,
            at,
            ...(evidenceHash ? { paymentTx: evidenceHash } : {}),
          };
          const [refunded] = await record(refund);
          expect(refunded?.record).toEqual({ ...refund, seq: refunded?.place.seq });
          const until = lasts === null ? null : at + lasts + 1;
          const anchor = { type: "anchor" as const, wallet, from: at, until };
          const [anchored] = await record(anchor);
          expect(anchored?.record).toMatchObject(anchor);
          const revoked = { type: "anchor-revoked" as const, anchorSeq: anchored?.place.seq ?? 0 };
          expect((await record(revoked))[0]?.record).toMatchObject(revoked);
          const takeover = { type: "takeover" as const, wallet, at };
          expect((await record(takeover))[0]?.record).toMatchObject(takeover);
        },
      ),
      { numRuns: 6 },
    );
  });

  test("one eth_getLogs returns the whole ledger, and places match the receipts", async () => {
    const fromReceipt = await record(first, second);
    const ledger = decodeRecords(await allLogs(), local.chain.registryAddress);
    expect(ledger.map(({ place }) => place.seq)).toEqual(ledger.map((_, i) => i + 1));
    expect(ledger.slice(-2)).toEqual(fromReceipt);
  });

  test("a log that another contract emits is ignored", async () => {
    const { logs } = await recordDirectly(local.chain, sampleOutcomes(1, 2));
    expect(decodeRecords(logs, local.chain.registryAddress)).toHaveLength(1);
    expect(decodeRecords(logs, local.chain.usdcAddress)).toEqual([]);
  });
});

describe("encoding", () => {
  test("an invalid batch is rejected", () => {
    const takeover = { type: "takeover" as const, wallet: first.contractor, at: 1 };
    expect(() => encodeRecords([])).toThrow("Nothing");
    expect(() => encodeRecords([first, takeover])).toThrow("outcomes only");
    expect(() => encodeRecords([takeover, first])).toThrow("outcomes only");
    expect(() => encodeRecords(sampleOutcomes(MAX_BATCH + 1, 5))).toThrow("at most");
  });

  test("the gas limit of the largest batch is enough, and below Base's cap", async () => {
    const batch = sampleOutcomes(MAX_BATCH, 6);
    const { gas } = encodeRecords(batch);
    expect(gas).toBeLessThan(2n ** 24n / 2n);
    const fresh = await startTestChain();
    try {
      const receipt = await recordDirectly(fresh.chain, batch);
      expect(receipt.status).toBe("success");
      expect(receipt.gasUsed * 4n).toBeLessThan(gas * 3n);
    } finally {
      await fresh.close();
    }
  });

  test("the ABI in use is part of the compiled one", () => {
    const known = new Map(
      registry.abi.map((item) => [`${item.type} ${"name" in item ? item.name : ""}`, item]),
    );
    for (const item of registryAbi) {
      const compiled = known.get(`${item.type} ${item.name}`);
      expect(shape(compiled)).toEqual(shape(item));
    }
  });
});

/** Names and types of all parameters, without what compilers and parsers add differently. */
function shape(item: unknown): unknown {
  const { name, type, indexed, inputs, components } = item as Record<string, unknown>;
  const list = (inputs ?? components) as unknown[] | undefined;
  return { name, type, indexed: indexed ?? false, inner: list?.map(shape) };
}
