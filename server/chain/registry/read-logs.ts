import { type Address, type Hex, numberToHex, type PublicClient } from "viem";

export interface RawLog {
  address: Address;
  topics: [Hex, ...Hex[]];
  data: Hex;
  blockNumber: Hex;
  logIndex: Hex;
  transactionHash: Hex;
}

export interface LogFilter {
  address: Address | readonly Address[];
  /** A list in place of a topic matches any of its elements. */
  topics?: (Hex | Hex[] | null)[];
}

interface Options {
  filter: LogFilter;
  from: bigint;
  to: bigint;
  /** Called with the number of blocks read so far and in total, and of logs found. */
  onProgress?: ((done: number, all: number, logs: number) => void) | undefined;
}

const INITIAL_RANGE = 500n;
const MAX_RANGE = 500_000n;
/** Above this number of logs (about ten megabytes), the next range is shorter. */
const MANY_LOGS = 10_000;

/**
 * Reads all logs in ranges as long as the node allows. Shortens a range that the node refuses, and
 * throws if it refuses a single block.
 */
export async function readLogs(
  client: Pick<PublicClient, "request">,
  { onProgress, ...options }: Options,
): Promise<RawLog[]> {
  const { from, to } = options;
  const logs: RawLog[] = [];
  for await (const range of readLogRanges(client, options)) {
    for (const log of range.logs) logs.push(log);
    onProgress?.(Number(range.next - from), Number(to - from + 1n), logs.length);
  }
  return logs;
}

/** Like `readLogs`, range by range; `next` is the first block after the range. */
export async function* readLogRanges(
  client: Pick<PublicClient, "request">,
  { filter, from, to }: Omit<Options, "onProgress">,
): AsyncGenerator<{ logs: RawLog[]; next: bigint }, void> {
  let length = INITIAL_RANGE;
  for (let next = from; next <= to; ) {
    const end = next + length - 1n < to ? next + length - 1n : to;
    let logs: RawLog[];
    try {
      logs = (await client.request({
        method: "eth_getLogs",
        params: [{ ...filter, fromBlock: numberToHex(next), toBlock: numberToHex(end) }] as never,
      })) as unknown as RawLog[];
    } catch (error) {
      if (end === next) throw error;
      length = (end - next + 2n) / 3n;
      continue;
    }
    next = end + 1n;
    if (logs.length > MANY_LOGS) length = (length + 1n) / 2n;
    else if (logs.length < MANY_LOGS / 4 && length < MAX_RANGE) length *= 2n;
    yield { logs, next };
  }
}
