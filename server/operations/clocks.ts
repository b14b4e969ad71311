import type { Sql } from "@/server/lib/context";
import { readDatabaseTime } from "@/server/lib/database";
import { MINUTE_MS } from "@/server/lib/time";

/** Returns by how many milliseconds the database's clock is ahead of this process's; negative: behind. */
export async function readDatabaseAheadMs(db: Sql): Promise<number> {
  const before = Date.now();
  const time = await readDatabaseTime(db);
  return Math.round(time.getTime() - (before + Date.now()) / 2);
}

/**
 * Returns by how many milliseconds the latest block is ahead of this process's clock. It is behind by
 * its age, so only a positive result shows that the clocks differ.
 */
export const getChainAheadMs = (latest: { timestamp: bigint }): number =>
  Number(latest.timestamp) * 1_000 - Date.now();

/** As far as a wallet's clock may be ahead. */
const MAX_DIFFERENCE_MS = MINUTE_MS;

/** Says for the operator which clocks differ from this process's; empty if all agree. Null: not known. */
export function findClockProblems(clocks: {
  databaseAheadMs: number | null;
  chainAheadMs: number | null;
}): string[] {
  const database = clocks.databaseAheadMs ?? 0;
  const chain = clocks.chainAheadMs ?? 0;
  const inSeconds = (ms: number) => `${Math.abs(Math.round(ms / 1_000))} s`;
  const candidates: [boolean, string][] = [
    [
      Math.abs(database) > MAX_DIFFERENCE_MS,
      `the database's clock is ${inSeconds(database)} ${database > 0 ? "ahead of" : "behind"} this machine's: synchronize both`,
    ],
    [
      chain > MAX_DIFFERENCE_MS,
      `the latest block is ${inSeconds(chain)} ahead of this machine's clock: synchronize the clock`,
    ],
  ];
  return candidates.flatMap(([applies, sentence]) => (applies ? sentence : []));
}
