import { parseAbi } from "viem";

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

/** Version of the score policy under which outcomes are recorded now. */
export const POLICY_VERSION = "qc-4";
/** `POLICY_VERSION` as the registry's numeric `policy` field. */
export const POLICY_NUMBER = 4;
