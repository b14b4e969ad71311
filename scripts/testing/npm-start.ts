import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER_ARGS } from "@/scripts/lib/compile.mjs";
import type { LocalChain } from "@/server/local/anvil";
import { isAlive } from "@/server/local/process";
import { waitFor } from "@/server/testing/engine/engine";
import { buildChainEnv, emptyEnv } from "@/server/testing/process/process-env";

export interface ServiceProcess {
  child: ChildProcess;
  /** Returns its output so far, both streams. */
  getOutput(): string;
  /** Resolves once the output contains `words`; throws if the process ends before. */
  waitForOutput(words: string | RegExp): Promise<void>;
  /** Its exit code. */
  ended: Promise<number | null>;
  /** Sends the signal as Ctrl-C does: to the process and its whole process group. */
  signalAll(signal: NodeJS.Signals): void;
}

/** Starts what `npm start` runs, with only `env` configured, as leader of its own process group. */
export const startServiceProcess = (env: Record<string, string>): ServiceProcess =>
  spawnProcess(["scripts/start.mjs"], env, ["ignore", "pipe", "pipe"]);

/**
 * Starts the built service directly, without the checks of `npm start`, which take seconds. Like
 * `npm start`, it ends with this process.
 */
export const startBuiltService = (
  env: Record<string, string>,
  stderr: "pipe" | number = "pipe",
): ServiceProcess =>
  spawnProcess(SERVER_ARGS, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", ...env }, [
    "ignore",
    "pipe",
    stderr,
    "ipc",
  ]);

function spawnProcess(
  args: string[],
  env: Record<string, string>,
  stdio: StdioOptions,
): ServiceProcess {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...emptyEnv(), ...env },
    stdio,
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    child,
    getOutput: () => output,
    async waitForOutput(words) {
      await waitFor(async () => {
        if (typeof words === "string" ? output.includes(words) : words.test(output)) return true;
        if (child.exitCode !== null || child.signalCode)
          throw new Error(`The process ended:\n${output}`);
        return false;
      });
    },
    ended,
    signalAll: (signal) => process.kill(-(child.pid ?? 0), signal),
  };
}

/** Returns the processes that run on a data folder, from the files they wrote there. */
export const findProcesses = (data: string) => [
  findService(data),
  findDatabase(data),
  findChain(data),
];

export const findService = (data: string): number => JSON.parse(read(data, "service.json")).pid;
export const findChain = (data: string): number => JSON.parse(read(data, "chain/anvil.json")).pid;
export const findDatabase = (data: string): number =>
  Number(read(data, "postgres/cluster/postmaster.pid").split("\n")[0]);

const read = (data: string, file: string) => readFileSync(join(data, file), "utf8");

export const waitUntilExited = (pids: number[]) =>
  waitFor(async () => pids.every((pid) => !isAlive(pid)));

/** Starts the built service as one of several processes on a shared database and chain. */
export function startInstance(
  port: number,
  databaseUrl: string,
  chain: LocalChain,
  env: Record<string, string> = {},
): ServiceProcess {
  return startBuiltService({
    PORT: String(port),
    DATABASE_URL: databaseUrl,
    ...buildChainEnv(chain),
    SECRET_KEY: "5".repeat(64),
    LOG_LEVEL: "warn",
    OUTBOUND_ALLOW_LOOPBACK: "true",
    PUBLIC_READS_PER_MINUTE: "1000000",
    ...env,
  });
}
