import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "@/server/local/process";
import { until } from "./engine";
import { unconfigured } from "./unconfigured";

export interface Standing {
  child: ChildProcess;
  /** Returns its output so far, both streams. */
  said(): string;
  /** Resolves once the output contains `words`; throws if the process ends before. */
  untilSaid(words: string | RegExp): Promise<void>;
  /** Its exit code. */
  ended: Promise<number | null>;
  /** Sends the signal as Ctrl-C does: to the process and its whole process group. */
  signalAll(signal: NodeJS.Signals): void;
}

/** Starts what `npm start` runs, with only `env` configured, as leader of its own process group. */
export function startStanding(env: Record<string, string>): Standing {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...process.env, ...unconfigured(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    said: () => said,
    async untilSaid(words) {
      await until(async () => {
        if (typeof words === "string" ? said.includes(words) : words.test(said)) return true;
        if (child.exitCode !== null || child.signalCode) throw new Error(`it ended: ${said}`);
        return false;
      });
    },
    ended,
    signalAll: (signal) => process.kill(-(child.pid ?? 0), signal),
  };
}

/** Returns the processes that run on a data folder, from the files they wrote there. */
export const partsOn = (data: string) => [serviceOn(data), databaseOn(data), chainOn(data)];

export const serviceOn = (data: string): number => JSON.parse(read(data, "service.json")).pid;
export const chainOn = (data: string): number => JSON.parse(read(data, "chain/anvil.json")).pid;
export const databaseOn = (data: string): number =>
  Number(read(data, "postgres/cluster/postmaster.pid").split("\n")[0]);

const read = (data: string, file: string) => readFileSync(join(data, file), "utf8");

export const allGone = (pids: number[]) => until(async () => pids.every((pid) => !isAlive(pid)));
