import { LRUCache } from "lru-cache";
import { type Hex, isAddressEqual, type Log, maxUint64, toEventSelector } from "viem";
import { toChecksumAddress } from "@/server/lib/wallet";
import type { LedgerRecord, NewRecord, RecordPlace, RecordType } from "./ledger";
import { type LogReader, RECORD_ENCODINGS, registryAbi } from "./record-encodings";

export interface PlacedRecord<T extends RecordType = RecordType> {
  record: Extract<LedgerRecord, { type: T }> & { seq: number };
  place: RecordPlace;
}

/** A log of a receipt or of `eth_getLogs`; only mined logs have a position. */
type MinedLog = Pick<Log<bigint, number, false>, "address" | "topics" | "data" | "transactionHash">;

/**
 * Decodes the records among `logs`, in order. Skips logs of other contracts, since any contract
 * can emit look-alike events. `logIndex` counts the registry's records within one transaction, so
 * a reorg that moves the transaction does not change it; `logs` must therefore contain all logs of
 * each transaction.
 */
export function decodeRecords(logs: readonly MinedLog[], registryAddress: Hex): PlacedRecord[] {
  const placed: PlacedRecord[] = [];
  let previous: PlacedRecord | undefined;
  for (const log of logs) {
    const record = isAddressEqual(log.address, registryAddress) ? decode(log) : null;
    if (!record) continue;
    const txHash = log.transactionHash;
    const logIndex = previous?.place.txHash === txHash ? previous.place.logIndex + 1 : 0;
    previous = { record, place: { seq: record.seq, txHash, logIndex } };
    placed.push(previous);
  }
  return placed;
}

/** Returns whether a log of the registry is a complete record. Ownership and recorder changes aren't. */
export function isRecord({ topics, data }: Pick<MinedLog, "topics" | "data">): boolean {
  const kind = KINDS[topics[0] ?? ""];
  return topics.length === kind?.topics && data.length === 2 + 64 * kind.words;
}

/**
 * Decodes one log by hand: all event fields are static words, and ABI decoding of a long ledger
 * takes ten times as long. Returns null if the log is not a complete record.
 */
function decode({ topics, data }: MinedLog): PlacedRecord["record"] | null {
  const kind = KINDS[topics[0] ?? ""];
  if (!kind || !isRecord({ topics, data })) return null;
  const word = (index: number) => data.slice(2 + 64 * index, 66 + 64 * index);
  const topic = (index: number) => (topics[index] ?? "").slice(2);
  const number = (index: number) => Number.parseInt(word(index), 16);
  const seq = number(0);
  const record = kind.decode({
    seq,
    topicNumber: (index) => Number.parseInt(topic(index), 16),
    topicUuid: (index) => decodeUuid(topic(index)),
    topicWallet: (index) => checksums.memo(`0x${topic(index).slice(24)}`),
    number,
    hash: (index) => (word(index) === NO_HASH ? undefined : `0x${word(index)}`),
    end: (index) => (word(index) === NO_END ? null : number(index)),
  });
  return { ...record, seq };
}

/** Kinds of records by the first topic of their logs, with the number of topics and data words. */
const KINDS: Record<string, { decode(log: LogReader): NewRecord; topics: number; words: number }> =
  Object.fromEntries(
    Object.values(RECORD_ENCODINGS).flatMap(({ event, decode }) =>
      registryAbi
        .filter((item) => item.type === "event")
        .filter(({ name }) => name === event)
        .map((item) => {
          const indexed = item.inputs.filter((input) => "indexed" in input && input.indexed).length;
          const words = item.inputs.length - indexed;
          return [toEventSelector(item), { decode, topics: indexed + 1, words }];
        }),
    ),
  );

const NO_END = maxUint64.toString(16).padStart(64, "0");
const NO_HASH = "0".repeat(64);

/** Converts the left 16 bytes of a word to a UUID. */
const decodeUuid = (word: string): string =>
  word.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/**
 * Caches checksummed addresses: records repeat the same few wallets, and each checksum takes a
 * hash.
 */
const checksums = new LRUCache<string, string>({ max: 50_000, memoMethod: toChecksumAddress });
