import { keccak256 } from "js-sha3";
import {
  type Address,
  type Hex,
  hexToBytes,
  type Log,
  type PublicClient,
  parseAbi,
  zeroHash,
} from "viem";
import { findFirstBlock } from "@/server/chain/find-first-block";
import { decodeRecords, isRecord, type PlacedRecord } from "./decode-records";
import { type RawLog, readLogs } from "./read-logs";

const stateAbi = parseAbi([
  "function head() view returns (bytes32)",
  "function seq() view returns (uint64)",
]);

/** The ledger, read from the chain alone. */
export interface RegistryLedger {
  /** In order of `seq`. */
  records: PlacedRecord[];
  /** The last block read. */
  block: bigint;
  /** Mismatches with the contract's own count and hash chain, one sentence each. */
  faults: string[];
  /** The hash chain after record `headAfter` of the options, if there is such a record. */
  headAfter?: Hex;
}

type Reader = Pick<PublicClient, "request" | "getBlockNumber" | "getCode" | "readContract">;

interface Options {
  client: Reader;
  address: Address;
  /** Called with the number of blocks read so far and in total, and with records likewise. */
  onProgress?: (done: number, all: number, records: { read: number; total: number }) => void;
  /** The first block to read. Default: the contract's deployment block. */
  fromBlock?: bigint | undefined;
  /** Sequence number of a record whose `head` is wanted, too. */
  headAfter?: number | undefined;
}

/**
 * Reads every record of the registry with `eth_getLogs` up to the latest block and verifies them
 * against the contract's state at that block: no `seq` is missing or duplicated, and the hash
 * chain over the logs ends in `head`. Throws if the node is unreachable or there is no contract.
 */
export async function readRegistry(options: Options): Promise<RegistryLedger> {
  const { client, address, onProgress } = options;
  const block = await client.getBlockNumber({ cacheTime: 0 });
  const { head, seq } = await readRegistryState(client, address, block);
  const from = options.fromBlock ?? (await findDeploymentBlock(client, address, block));
  const logs = await readLogs(client, {
    filter: { address },
    from,
    to: block,
    // The registry emits a few logs that are no records.
    onProgress: (done, all, found) =>
      onProgress?.(done, all, { read: Math.min(found, seq), total: seq }),
  });
  return { block, ...verifyLogs(logs, address, { head, seq }, options.headAfter) };
}

/** The registry's count and hash chain, which commit to every record up to `seq`. */
export interface RegistryState {
  seq: number;
  head: Hex;
}

/** Reads the registry's state, at the latest block by default. Throws if the node is unreachable. */
export async function readRegistryState(
  client: Pick<Reader, "readContract">,
  address: Address,
  blockNumber?: bigint,
): Promise<RegistryState> {
  const contract = { address, abi: stateAbi, blockNumber };
  const [head, seq] = await Promise.all([
    client.readContract({ ...contract, functionName: "head" }),
    client.readContract({ ...contract, functionName: "seq" }),
  ]);
  return { head, seq: Number(seq) };
}

/**
 * Decodes the records among the registry's logs. Returns them with the faults found, and with the
 * head after record `headAfter`.
 */
export function verifyLogs(
  logs: RawLog[],
  address: Address,
  { head, seq }: RegistryState,
  headAfter?: number,
): Omit<RegistryLedger, "block"> {
  // A few logs of the contract are no records.
  const recordLogs = logs.filter(isRecord);
  const records = decodeRecords(recordLogs, address);
  const faults = records.flatMap(({ record: { seq } }, at) => {
    const expected = (records[at - 1]?.record.seq ?? 0) + 1;
    return seq === expected ? [] : [describeGap(expected, seq)];
  });
  const last = records.at(-1)?.record.seq ?? 0;
  if (last !== seq)
    faults.push(`The contract counts ${seq} records; the last one found is ${last}.`);
  if (faults.length === 0 && foldLogs(recordLogs) !== head) {
    faults.push("The hash chain over the records does not end in the contract's head.");
  }
  const hasHead = headAfter !== undefined && headAfter <= recordLogs.length;
  return {
    records,
    faults,
    ...(hasHead ? { headAfter: foldLogs(recordLogs.slice(0, headAfter)) } : {}),
  };
}

function describeGap(expected: number, found: number): string {
  if (found < expected) return `Record ${found} comes after record ${expected - 1}.`;
  return found === expected + 1
    ? `Record ${expected} is missing.`
    : `Records ${expected} to ${found - 1} are missing.`;
}

/**
 * Finds the contract's deployment block by bisection. Returns an earlier block if the node has
 * pruned old states, so that no log is missed. Throws if there is no contract.
 */
export async function findDeploymentBlock(
  client: Pick<Reader, "getCode">,
  address: Address,
  latest: bigint,
): Promise<bigint> {
  const code = await client.getCode({ address, blockNumber: latest });
  if (!code) throw new Error(`there is no contract at ${address}`);
  const mayExist = (blockNumber: bigint) =>
    client.getCode({ address, blockNumber }).then(
      (code) => code !== undefined,
      () => true,
    );
  return findFirstBlock(mayExist, latest);
}

/**
 * Folds record logs into the registry's hash chain, from its beginning. Every log must be a
 * record, in order of `seq`; the result equals the contract's `head` only if no log is missing,
 * changed or moved. `head(n) = keccak256(head(n-1) . topics . data)`, `head(0) = 0`
 * (`contracts/VerdictRegistry.sol`).
 */
function foldLogs(logs: readonly Pick<Log, "topics" | "data">[]): Hex {
  return logs.reduce<Hex>((tip, { topics, data }) => {
    const words = [tip, ...topics, data].map((hex) => hex.slice(2)).join("");
    return `0x${keccak256(hexToBytes(`0x${words}`))}`;
  }, zeroHash);
}
