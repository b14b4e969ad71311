import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { keepRunning } from "@/server/local/process";

/** A chain with one block per second, finality 32 blocks deep, and recovery after a kill. */
export interface ChainNode {
  chain: LocalChain;
  signal(signal: NodeJS.Signals): boolean;
  stop(): Promise<void>;
}

export const BLOCK_SECONDS = 1;
/** Finality is twice as many blocks deep, which is deeper than any kill or reorg here undoes. */
const SLOTS = 16;
const STATE_SECONDS = 2;
const COPIES = 3;

/**
 * Runs a node that restarts after a kill. A kill loses the last seconds of blocks, like a reorg, and
 * may damage the state file. The node then restores an earlier copy, so no kill loses finalized
 * blocks.
 */
export async function superviseChain(folder: string, port: number): Promise<ChainNode> {
  await mkdir(folder, { recursive: true });
  let current: LocalChain | null = null;
  const { first, stop } = await keepRunning<LocalChain>("The chain", {
    async start() {
      await restoreState(folder);
      current = await startAnvil({
        folder,
        port,
        blockTime: BLOCK_SECONDS,
        slotsInAnEpoch: SLOTS,
        stateInterval: STATE_SECONDS,
      });
      return current;
    },
    notify: () => {},
  });
  const copying = new AbortController();
  const copies = copyRepeatedly(folder, copying.signal);
  return {
    chain: first,
    signal: (signal) => sendSignal(current?.pid ?? first.pid, signal),
    async stop() {
      copying.abort();
      await copies;
      await stop();
    },
  };
}

const getStatePath = (folder: string) => join(folder, "state.json");
const getCopyPath = (folder: string, index: number) =>
  join(folder, `state-${index % COPIES}.copy.json`);

async function copyRepeatedly(folder: string, signal: AbortSignal): Promise<void> {
  let copiedMs = 0;
  for (let index = 0; !signal.aborted; await pause(500, undefined, { signal }).catch(() => {})) {
    const written = await stat(getStatePath(folder)).catch(() => null);
    if (!written || written.mtimeMs === copiedMs) continue;
    copiedMs = written.mtimeMs;
    await copyFile(getStatePath(folder), getCopyPath(folder, index)).catch(() => {});
    index += 1;
  }
}

/** Replaces a damaged state file by its newest complete copy. */
async function restoreState(folder: string): Promise<void> {
  if (!(await stat(getStatePath(folder)).catch(() => null))) return;
  const copies = Array.from({ length: COPIES }, (_, index) => getCopyPath(folder, index));
  const candidates = await Promise.all(
    copies.map(async (file) => ({
      file,
      writtenMs: (await stat(file).catch(() => null))?.mtimeMs ?? 0,
    })),
  );
  const newest = candidates.toSorted((a, b) => b.writtenMs - a.writtenMs).map(({ file }) => file);
  for (const file of [getStatePath(folder), ...newest]) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (!isCompleteState(text)) continue;
    if (file !== getStatePath(folder)) await copyFile(file, getStatePath(folder));
    return;
  }
  throw new Error(`no state of the chain in ${folder} is complete`);
}

/** Sends a signal. Returns whether the process existed. */
export function sendSignal(pid: number | undefined, signal: NodeJS.Signals): boolean {
  if (!pid) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The fields read from anvil's state file. */
interface State {
  accounts: Record<string, { nonce: number }>;
  blocks: { transactions: { transaction: { hash: string; nonce: string } }[] }[];
  transactions: { info: { transaction_hash: string; from: string } }[];
}

/**
 * Returns whether a state file is complete and consistent. A kill may truncate it. Also, anvil
 * writes accounts and blocks at different times. If a block is mined in between, the accounts
 * include its transactions but no block does, which never happens on a real chain.
 */
export function isCompleteState(text: string): boolean {
  try {
    const { accounts, blocks, transactions } = JSON.parse(text) as State;
    const senders = new Map(
      transactions.map(({ info }) => [info.transaction_hash, info.from.toLowerCase()]),
    );
    const used = new Map<string, number>();
    for (const { transaction } of blocks.flatMap((block) => block.transactions)) {
      const from = senders.get(transaction.hash);
      if (!from) return false;
      used.set(from, Math.max(used.get(from) ?? 0, Number(transaction.nonce) + 1));
    }
    return [...used].every(([address, nonces]) => (accounts[address]?.nonce ?? 0) <= nonces);
  } catch {
    return false;
  }
}
