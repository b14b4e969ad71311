import { type Address, encodeFunctionData, type Hex, maxUint64, zeroHash } from "viem";
import { CATEGORIES } from "@/server/lib/schema";
import { POLICY_NUMBER, registryAbi } from "./abi";
import type { AnchorRecord, LedgerRecord, OutcomeRecord } from "./ledger";

/** A record that has no position on chain yet. */
export type NewRecord = Exclude<LedgerRecord, AnchorRecord> | Omit<AnchorRecord, "seq">;

/** Maximum outcomes per transaction: about 1.6 million gas, far below Base's cap of 2^24. */
export const MAX_BATCH = 50;

// Limits, not costs: `contracts/gas.test.ts` measures half of them. The first record of a registry
// costs 34,000 more, since its count and head start at zero.
const BASE_GAS = 120_000n;
const GAS_PER_OUTCOME = 50_000n;

/**
 * Returns the registry calldata that records `records`, and its gas limit. Accepts 1 to
 * `MAX_BATCH` outcomes, or one record of another kind. Throws on any other combination.
 */
export function encodeRecords(records: readonly NewRecord[]): { data: Hex; gas: bigint } {
  const gas = BASE_GAS + GAS_PER_OUTCOME * BigInt(records.length);
  const [first, second] = records;
  if (!first) throw new Error("Nothing to record");
  if (first.type === "outcome") {
    const outcomes = records.filter((record) => record.type === "outcome");
    if (outcomes.length !== records.length || outcomes.length > MAX_BATCH) {
      throw new Error(`A batch holds outcomes only, at most ${MAX_BATCH}`);
    }
    return { data: encodeOutcomes(outcomes), gas };
  }
  if (second) throw new Error(`A record of kind ${first.type} cannot share a transaction`);
  return { data: encodeSingle(first), gas };
}

function encodeOutcomes(outcomes: readonly OutcomeRecord[]): Hex {
  const verdicts = outcomes.map(toVerdict);
  const [only] = verdicts;
  return verdicts.length === 1 && only
    ? encodeFunctionData({ abi: registryAbi, functionName: "record", args: [only] })
    : encodeFunctionData({ abi: registryAbi, functionName: "recordBatch", args: [verdicts] });
}

function encodeSingle(record: Exclude<NewRecord, OutcomeRecord>): Hex {
  const abi = registryAbi;
  switch (record.type) {
    case "dispute": {
      const flags = (record.verdict === "CONTRACTOR_WINS" ? 1 : 0) | (record.assessed ? 2 : 0);
      const evidenceHash = (record.evidenceHash ?? zeroHash) as Hex;
      const outcomeId = uuidToBytes16(record.outcomeId);
      const args = [outcomeId, flags, BigInt(record.resolvedAt), evidenceHash] as const;
      return encodeFunctionData({ abi, functionName: "recordDispute", args });
    }
    case "refund": {
      const paymentTx = (record.paymentTx ?? zeroHash) as Hex;
      const args = [uuidToBytes16(record.outcomeId), BigInt(record.at), paymentTx] as const;
      return encodeFunctionData({ abi, functionName: "recordRefund", args });
    }
    case "superseded": {
      const args = [uuidToBytes16(record.outcomeId), uuidToBytes16(record.by)] as const;
      return encodeFunctionData({ abi, functionName: "recordSuperseded", args });
    }
    case "anchor": {
      const until = record.until === null ? maxUint64 : BigInt(record.until);
      const args = [record.wallet as Address, BigInt(record.from), until] as const;
      return encodeFunctionData({ abi, functionName: "recordAnchor", args });
    }
    case "anchor-revoked": {
      const args = [BigInt(record.anchorSeq)] as const;
      return encodeFunctionData({ abi, functionName: "recordAnchorRevoked", args });
    }
    case "takeover": {
      const args = [record.wallet as Address, BigInt(record.at)] as const;
      return encodeFunctionData({ abi, functionName: "recordTakeover", args });
    }
  }
}

function toVerdict(record: OutcomeRecord) {
  return {
    outcomeId: uuidToBytes16(record.id),
    contractor: record.contractor as Address,
    requester: record.requester as Address,
    category: CATEGORIES.indexOf(record.category),
    flags:
      (record.submittedBy === "requester" ? 1 : 0) |
      (record.proven ? 2 : 0) |
      (record.verdict === "SUCCESS" ? 4 : 0) |
      (record.agreed ? 8 : 0),
    policy: POLICY_NUMBER,
    confPpm: record.confPpm,
    valueMicro: BigInt(record.valueMicro),
    paidMicro: BigInt(record.paidMicro),
    resolvedAt: BigInt(record.resolvedAt),
    evidenceHash: (record.evidenceHash ?? zeroHash) as Hex,
  };
}

const uuidToBytes16 = (id: string): Hex => `0x${id.replaceAll("-", "")}`;
