import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type LocalChain, startAnvil } from "@/server/local/anvil";
import { keepRunning } from "@/server/local/keep-running";
import { isWholeState } from "./chain-state";
import { signalTo } from "./signal";

/** A chain that makes a block a second, finalizes 32 behind, and comes back after a kill. */
export interface ChainNode {
  chain: LocalChain;
  signal(signal: NodeJS.Signals): boolean;
  stop(): Promise<void>;
}

export const BLOCK_SECONDS = 1;
/** `finalized` lies twice as many blocks behind: more than a kill or a reorganisation here undoes. */
const SLOTS = 16;
const STATE_SECONDS = 2;
const COPIES = 3;

/**
 * A killed node loses what it had not written, some seconds of blocks, as a reorganisation would. The
 * file it was writing may be cut off, or torn: then a copy of the one before is taken, so that no kill
 * loses what was final.
 */
export async function keepChain(folder: string, port: number): Promise<ChainNode> {
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
    say: () => {},
  });
  const copying = new AbortController();
  const copies = keepCopies(folder, copying.signal);
  return {
    chain: first,
    signal: (signal) => signalTo(current?.pid ?? first.pid, signal),
    async stop() {
      copying.abort();
      await copies;
      await stop();
    },
  };
}

const stateFile = (folder: string) => join(folder, "state.json");
const copyFileOf = (folder: string, nth: number) => join(folder, `state-${nth % COPIES}.copy.json`);

async function keepCopies(folder: string, signal: AbortSignal): Promise<void> {
  let copied = 0;
  for (let nth = 0; !signal.aborted; await pause(500, undefined, { signal }).catch(() => {})) {
    const written = await stat(stateFile(folder)).catch(() => null);
    if (!written || written.mtimeMs === copied) continue;
    copied = written.mtimeMs;
    await copyFile(stateFile(folder), copyFileOf(folder, nth)).catch(() => {});
    nth += 1;
  }
}

/** Puts the newest whole state where the node looks for it. */
async function restoreState(folder: string): Promise<void> {
  if (!(await stat(stateFile(folder)).catch(() => null))) return;
  const copies = Array.from({ length: COPIES }, (_, nth) => copyFileOf(folder, nth));
  const found = await Promise.all(
    copies.map(async (file) => ({ file, at: (await stat(file).catch(() => null))?.mtimeMs ?? 0 })),
  );
  const newest = found.toSorted((a, b) => b.at - a.at).map(({ file }) => file);
  for (const file of [stateFile(folder), ...newest]) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (!isWholeState(text)) continue;
    if (file !== stateFile(folder)) await copyFile(file, stateFile(folder));
    return;
  }
  throw new Error(`no state of the chain in ${folder} is whole`);
}
