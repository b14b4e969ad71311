import { LRUCache } from "lru-cache";
import {
  type ContractEventName,
  type Hex,
  isAddressEqual,
  type Log,
  maxUint64,
  toEventSelector,
} from "viem";
import { CATEGORIES } from "@/server/lib/schema";
import { toChecksumAddress } from "@/server/lib/wallet";
import { registryAbi } from "./abi";
import type { LedgerRecord, RecordPlace } from "./ledger";

export interface PlacedRecord {
  record: LedgerRecord & { seq: number };
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

/**
 * Decodes one log by hand: all event fields are static words, and ABI decoding of a long ledger
 * takes ten times as long. Returns null if the log is not a complete record.
 */
function decode({ topics, data }: MinedLog): PlacedRecord["record"] | null {
  const spec = EVENTS[topics[0] ?? ""];
  const isComplete = topics.length === spec?.topics && data.length === 2 + 64 * spec.words;
  // Ownership and recorder changes are registry events, too, but not records.
  if (!spec || !isComplete) return null;
  const word = (index: number) => data.slice(2 + 64 * index, 66 + 64 * index);
  const number = (index: number) => Number.parseInt(word(index), 16);
  const topic = (index: number) => (topics[index] ?? "").slice(2);
  const seq = number(0);
  switch (spec.event) {
    case "OutcomeRecorded": {
      const [categoryAt, flags] = [number(1), number(2)];
      const category = CATEGORIES[categoryAt];
      if (!category) throw new Error(`Record ${seq} has the unknown category ${categoryAt}`);
      return {
        type: "outcome",
        id: decodeUuid(topic(1)),
        contractor: decodeWallet(topic(2)),
        requester: decodeWallet(topic(3)),
        category,
        valueMicro: number(5),
        paidMicro: number(6),
        submittedBy: flags & 1 ? "requester" : "contractor",
        proven: (flags & 2) !== 0,
        agreed: (flags & 8) !== 0,
        verdict: flags & 4 ? "SUCCESS" : "FAILURE",
        confPpm: number(4),
        resolvedAt: number(7),
        ...evidence(word(8)),
        seq,
      };
    }
    case "DisputeRecorded":
      return {
        type: "dispute",
        outcomeId: decodeUuid(topic(1)),
        verdict: number(1) & 1 ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
        assessed: (number(1) & 2) !== 0,
        resolvedAt: number(2),
        ...evidence(word(3)),
        seq,
      };
    case "RefundRecorded":
      return {
        type: "refund",
        outcomeId: decodeUuid(topic(1)),
        at: number(1),
        ...(word(2) === NO_HASH ? {} : { paymentTx: `0x${word(2)}` }),
        seq,
      };
    case "SupersededRecorded":
      return {
        type: "superseded",
        outcomeId: decodeUuid(topic(1)),
        by: decodeUuid(topic(2)),
        seq,
      };
    case "AnchorRecorded":
      return {
        type: "anchor",
        wallet: decodeWallet(topic(1)),
        from: number(1),
        until: word(2) === NO_END ? null : number(2),
        seq,
      };
    case "AnchorRevocationRecorded":
      return { type: "anchor-revoked", anchorSeq: Number.parseInt(topic(1), 16), seq };
    case "TakeoverRecorded":
      return { type: "takeover", wallet: decodeWallet(topic(1)), at: number(1), seq };
  }
}

type RecordEvent = ContractEventName<typeof registryAbi>;

/** Record events by their first topic, with the number of topics and data words of each. */
const EVENTS: Record<string, { event: RecordEvent; topics: number; words: number }> =
  Object.fromEntries(
    registryAbi
      .filter((item) => item.type === "event")
      .map((item) => {
        const indexed = item.inputs.filter((input) => "indexed" in input && input.indexed).length;
        const words = item.inputs.length - indexed;
        return [toEventSelector(item), { event: item.name, topics: indexed + 1, words }];
      }),
  );

const NO_END = maxUint64.toString(16).padStart(64, "0");
const NO_HASH = "0".repeat(64);

const evidence = (word: string) => (word === NO_HASH ? {} : { evidenceHash: `0x${word}` });

/** Converts the left 16 bytes of a word to a UUID. */
const decodeUuid = (word: string): string =>
  word.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/**
 * Caches checksummed addresses: records repeat the same few wallets, and each checksum takes a
 * hash.
 */
const checksums = new LRUCache<string, string>({ max: 50_000, memoMethod: toChecksumAddress });

const decodeWallet = (word: string): string => checksums.memo(`0x${word.slice(24)}`);
