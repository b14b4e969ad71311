import {
  createPublicClient,
  type Hex,
  http,
  keccak256,
  type Log,
  maxUint64,
  parseAbi,
  parseEventLogs,
  zeroHash,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { CATEGORIES } from "@/server/lib/schema";
import type { LocalChain } from "@/server/local/anvil";
import type { ChainFacts } from "./facts";

/** Copied from `contracts/VerdictRegistry.sol`. */
const registry = parseAbi([
  "function head() view returns (bytes32)",
  "function seq() view returns (uint64)",
  "event OutcomeRecorded(bytes16 indexed outcomeId, address indexed contractor, address indexed requester, uint64 seq, uint8 category, uint8 flags, uint16 policy, uint32 confPpm, uint64 valueMicro, uint64 paidMicro, uint64 resolvedAt, bytes32 evidenceHash)",
  "event DisputeRecorded(bytes16 indexed outcomeId, uint64 seq, bool contractorWins, uint64 resolvedAt, bytes32 evidenceHash)",
  "event RefundRecorded(bytes16 indexed outcomeId, uint64 seq, uint64 refundedAt, bytes32 paymentTx)",
  "event SupersededRecorded(bytes16 indexed outcomeId, bytes16 indexed by, uint64 seq)",
  "event AnchorRecorded(address indexed wallet, uint64 seq, uint64 from, uint64 until)",
  "event AnchorRevocationRecorded(uint64 indexed anchorSeq, uint64 seq)",
  "event TakeoverRecorded(address indexed wallet, uint64 seq, uint64 takenAt)",
]);
const usdc = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function balanceOf(address account) view returns (uint256)",
]);

const REQUESTER_SUBMITTED = 1;
const PROVEN = 2;
const SUCCESS = 4;
const AGREED = 8;

/** Reads registry, USDC and stake account from the chain. Does not use the service's decoder. */
export async function collectChain(chain: LocalChain): Promise<ChainFacts> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 30_000 }) });
  const stakeAddress = privateKeyToAddress(chain.stakeKey);
  const blockNumber = await client.getBlockNumber();
  const range = { fromBlock: 0n, toBlock: blockNumber };
  const contract = { address: chain.registryAddress, abi: registry, blockNumber };
  const [logs, usdcLogs, head, seq, balance] = await Promise.all([
    client.getLogs({ address: chain.registryAddress, ...range }),
    client.getLogs({ address: chain.usdcAddress, ...range }),
    client.readContract({ ...contract, functionName: "head" }),
    client.readContract({ ...contract, functionName: "seq" }),
    client.readContract({
      address: chain.usdcAddress,
      abi: usdc,
      functionName: "balanceOf",
      args: [stakeAddress],
      blockNumber,
    }),
  ]);
  const parsed = parseEventLogs({ abi: registry, logs });
  const counts = new Map<string, number>();
  return {
    records: parsed.map((log) => {
      const txHash = log.transactionHash;
      const logIndex = counts.get(txHash) ?? 0;
      counts.set(txHash, logIndex + 1);
      const record = decode(log);
      return {
        ...record,
        seq: Number(log.args.seq),
        subject: getSubject(record),
        txHash,
        logIndex,
      };
    }),
    seq: Number(seq),
    head,
    computedHead: computeHead(parsed),
    transfers: parseEventLogs({ abi: usdc, logs: usdcLogs, eventName: "Transfer" }).map(
      ({ transactionHash, args: { from, to, value } }) => ({
        txHash: transactionHash,
        from,
        to,
        micro: String(value),
      }),
    ),
    stakeAddress,
    stakeBalanceMicro: String(balance),
  };
}

function getSubject(record: LedgerRecord): string {
  if (record.type === "outcome") return record.id;
  if (record.type === "anchor-revoked") return String(record.anchorSeq);
  return "outcomeId" in record ? record.outcomeId : record.wallet;
}

function decode({
  eventName,
  args,
}: ReturnType<typeof parseEventLogs<typeof registry>>[number]): LedgerRecord {
  switch (eventName) {
    case "OutcomeRecorded":
      return {
        type: "outcome",
        id: formatUuid(args.outcomeId),
        contractor: args.contractor,
        requester: args.requester,
        category: CATEGORIES[args.category] as never,
        valueMicro: Number(args.valueMicro),
        paidMicro: Number(args.paidMicro),
        submittedBy: args.flags & REQUESTER_SUBMITTED ? "requester" : "contractor",
        proven: (args.flags & PROVEN) !== 0,
        agreed: (args.flags & AGREED) !== 0,
        verdict: args.flags & SUCCESS ? "SUCCESS" : "FAILURE",
        confPpm: args.confPpm,
        resolvedAt: Number(args.resolvedAt),
      };
    case "DisputeRecorded":
      return {
        type: "dispute",
        outcomeId: formatUuid(args.outcomeId),
        verdict: args.contractorWins ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
        resolvedAt: Number(args.resolvedAt),
      };
    case "RefundRecorded":
      return {
        type: "refund",
        outcomeId: formatUuid(args.outcomeId),
        at: Number(args.refundedAt),
        paymentTx: args.paymentTx,
      };
    case "SupersededRecorded":
      return {
        type: "superseded",
        outcomeId: formatUuid(args.outcomeId),
        by: formatUuid(args.by),
      };
    case "TakeoverRecorded":
      return { type: "takeover", wallet: args.wallet, at: Number(args.takenAt) };
    case "AnchorRecorded":
      return {
        type: "anchor",
        wallet: args.wallet,
        from: Number(args.from),
        until: args.until === maxUint64 ? null : Number(args.until),
        seq: Number(args.seq),
      };
    case "AnchorRevocationRecorded":
      return { type: "anchor-revoked", anchorSeq: Number(args.anchorSeq) };
  }
}

const formatUuid = (bytes: Hex) =>
  bytes.slice(2).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Computes head(n) = keccak256(head(n - 1) . topics of log n . data of log n), head(0) = 0. */
const computeHead = (logs: Pick<Log, "topics" | "data">[]) =>
  logs.reduce<Hex>((head, { topics, data }) => {
    const words = [head, ...topics, data].map((hex) => hex.slice(2)).join("");
    return keccak256(`0x${words}`);
  }, zeroHash);
