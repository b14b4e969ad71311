import {
  type Address,
  type ContractEventName,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
  type Hex,
  maxUint64,
  parseAbi,
  zeroHash,
} from "viem";
import { CATEGORIES } from "@/server/lib/schema";
import type { LedgerRecord, NewRecord, OutcomeRecord, RecordOf, RecordType } from "./ledger";

/** Version of the score policy under which outcomes are recorded now. */
export const POLICY_VERSION = "qc-4";
/** `POLICY_VERSION` as the registry's numeric `policy` field. */
const POLICY_NUMBER = 4;

/** The part of the ABI of `contracts/VerdictRegistry.sol` that the service uses. */
export const registryAbi = parseAbi([
  "struct Verdict { bytes16 outcomeId; address contractor; address requester; uint8 category; uint8 flags; uint16 policy; uint32 confPpm; uint64 valueMicro; uint64 paidMicro; uint64 resolvedAt; bytes32 evidenceHash; }",
  "function isRecorder(address account) view returns (bool)",
  "function record(Verdict verdict)",
  "function recordBatch(Verdict[] verdicts)",
  "function recordDispute(bytes16 outcomeId, uint8 flags, uint64 resolvedAt, bytes32 evidenceHash)",
  "function recordRefund(bytes16 outcomeId, uint64 refundedAt, bytes32 paymentTx)",
  "function recordSuperseded(bytes16 outcomeId, bytes16 by)",
  "function recordAnchor(address wallet, uint64 from, uint64 until)",
  "function recordAnchorRevoked(uint64 anchorSeq)",
  "function recordTakeover(address wallet, uint64 takenAt)",
  "event OutcomeRecorded(bytes16 indexed outcomeId, address indexed contractor, address indexed requester, uint64 seq, uint8 category, uint8 flags, uint16 policy, uint32 confPpm, uint64 valueMicro, uint64 paidMicro, uint64 resolvedAt, bytes32 evidenceHash)",
  "event DisputeRecorded(bytes16 indexed outcomeId, uint64 seq, uint8 flags, uint64 resolvedAt, bytes32 evidenceHash)",
  "event RefundRecorded(bytes16 indexed outcomeId, uint64 seq, uint64 refundedAt, bytes32 paymentTx)",
  "event SupersededRecorded(bytes16 indexed outcomeId, bytes16 indexed by, uint64 seq)",
  "event AnchorRecorded(address indexed wallet, uint64 seq, uint64 from, uint64 until)",
  "event AnchorRevocationRecorded(uint64 indexed anchorSeq, uint64 seq)",
  "event TakeoverRecorded(address indexed wallet, uint64 seq, uint64 takenAt)",
]);

type Abi = typeof registryAbi;

/** Reads the words of a log, topics and data alike, by their position from 0. */
export interface LogReader {
  seq: number;
  /** A topic that is a number; topic 0 names the event. */
  topicNumber(index: number): number;
  topicUuid(index: number): string;
  topicWallet(index: number): string;
  number(index: number): number;
  /** Undefined if all bits are zero. */
  hash(index: number): string | undefined;
  /** Null if all 64 bits are set. */
  end(index: number): number | null;
}

/** How the registry holds records of one kind. */
interface RecordEncoding<T extends RecordType> {
  event: ContractEventName<Abi>;
  /** Returns the calldata that records it. */
  encode(record: NewRecord<T>): Hex;
  decode(log: LogReader): NewRecord<T>;
  /** Describes it in a few words. */
  describe(record: RecordOf<T>): string;
}

/** Every kind of record, as the registry holds it. */
export const RECORD_ENCODINGS: { [T in RecordType]: RecordEncoding<T> } = {
  outcome: {
    event: "OutcomeRecorded",
    encode: (record) => call("record", [toVerdict(record)]),
    decode(log) {
      const [categoryAt, flags] = [log.number(1), log.number(2)];
      const category = CATEGORIES[categoryAt];
      if (!category) throw new Error(`Record ${log.seq} has the unknown category ${categoryAt}`);
      return {
        type: "outcome",
        id: log.topicUuid(1),
        contractor: log.topicWallet(2),
        requester: log.topicWallet(3),
        category,
        valueMicro: log.number(5),
        paidMicro: log.number(6),
        submittedBy: flags & 1 ? "requester" : "contractor",
        proven: (flags & 2) !== 0,
        agreed: (flags & 8) !== 0,
        verdict: flags & 4 ? "SUCCESS" : "FAILURE",
        confPpm: log.number(4),
        resolvedAt: log.number(7),
        evidenceHash: log.hash(8),
      };
    },
    describe: ({ id, verdict }) => `outcome ${id}, ${verdict}`,
  },
  dispute: {
    event: "DisputeRecorded",
    encode({ outcomeId, verdict, assessed, resolvedAt, evidenceHash }) {
      const flags = (verdict === "CONTRACTOR_WINS" ? 1 : 0) | (assessed ? 2 : 0);
      const time = BigInt(resolvedAt);
      return call("recordDispute", [toBytes16(outcomeId), flags, time, toBytes32(evidenceHash)]);
    },
    decode: (log) => ({
      type: "dispute",
      outcomeId: log.topicUuid(1),
      verdict: log.number(1) & 1 ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
      assessed: (log.number(1) & 2) !== 0,
      resolvedAt: log.number(2),
      evidenceHash: log.hash(3),
    }),
    describe: ({ outcomeId, verdict }) => `dispute of ${outcomeId}, ${verdict}`,
  },
  refund: {
    event: "RefundRecorded",
    encode: ({ outcomeId, at, paymentTx }) =>
      call("recordRefund", [toBytes16(outcomeId), BigInt(at), toBytes32(paymentTx)]),
    decode: (log) => ({
      type: "refund",
      outcomeId: log.topicUuid(1),
      at: log.number(1),
      paymentTx: log.hash(2),
    }),
    describe: ({ outcomeId }) => `refund of ${outcomeId}`,
  },
  superseded: {
    event: "SupersededRecorded",
    encode: ({ outcomeId, by }) => call("recordSuperseded", [toBytes16(outcomeId), toBytes16(by)]),
    decode: (log) => ({ type: "superseded", outcomeId: log.topicUuid(1), by: log.topicUuid(2) }),
    describe: ({ outcomeId, by }) => `outcome ${outcomeId}, superseded by ${by}`,
  },
  takeover: {
    event: "TakeoverRecorded",
    encode: ({ wallet, at }) => call("recordTakeover", [wallet as Address, BigInt(at)]),
    decode: (log) => ({ type: "takeover", wallet: log.topicWallet(1), at: log.number(1) }),
    describe: ({ wallet }) => `takeover of ${wallet}`,
  },
  anchor: {
    event: "AnchorRecorded",
    encode: ({ wallet, from, until }) =>
      call("recordAnchor", [wallet as Address, BigInt(from), BigInt(until ?? maxUint64)]),
    decode: (log) => ({
      type: "anchor",
      wallet: log.topicWallet(1),
      from: log.number(1),
      until: log.end(2),
    }),
    describe: ({ wallet }) => `anchor ${wallet}`,
  },
  "anchor-revoked": {
    event: "AnchorRevocationRecorded",
    encode: ({ anchorSeq }) => call("recordAnchorRevoked", [BigInt(anchorSeq)]),
    decode: (log) => ({ type: "anchor-revoked", anchorSeq: log.topicNumber(1) }),
    describe: ({ anchorSeq }) => `revocation of anchor ${anchorSeq}`,
  },
};

/** Returns the encoding of the kind of `record`. */
export const getEncoding = (record: NewRecord) =>
  RECORD_ENCODINGS[record.type] as RecordEncoding<RecordType>;

/** Describes a ledger record in a few words. */
export const describeRecord = (record: LedgerRecord): string =>
  getEncoding(record).describe(record);

/** Returns the calldata that records several outcomes. */
export const encodeBatch = (outcomes: readonly OutcomeRecord[]): Hex =>
  call("recordBatch", [outcomes.map(toVerdict)]);

function toVerdict(record: OutcomeRecord) {
  return {
    outcomeId: toBytes16(record.id),
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
    evidenceHash: toBytes32(record.evidenceHash),
  };
}

const toBytes16 = (uuid: string): Hex => `0x${uuid.replaceAll("-", "")}`;
const toBytes32 = (hash: string | undefined) => (hash ?? zeroHash) as Hex;

const call = <N extends ContractFunctionName<Abi, "nonpayable">>(
  functionName: N,
  args: ContractFunctionArgs<Abi, "nonpayable", N>,
) => encodeFunctionData<Abi, N>({ abi: registryAbi, functionName, args } as never);
