import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { SERVER_ARGS } from "@/scripts/lib/compile.mjs";
import { emptyEnv } from "@/server/testing/process/process-env";

interface Options {
  port: number;
  /** The whole configuration: the shell's variables and `.env` are ignored. */
  env: Record<string, string>;
  /** Arguments of Node itself. */
  nodeArgs?: string[];
  /** Both output streams are appended to it. */
  logFile: string;
}

/** Starts the built service as `npm start` does. It ends together with this process. */
export const spawnService = ({ port, env, nodeArgs = [], logFile }: Options): ChildProcess =>
  spawnNode([...nodeArgs, ...SERVER_ARGS], logFile, {
    ...emptyEnv(),
    PATH: process.env.PATH,
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(port),
    ...env,
  });

/** Starts Node with an IPC channel, whose closing ends the service. */
export function spawnNode(args: string[], logFile: string, env: Partial<NodeJS.ProcessEnv> = {}) {
  const log = openSync(logFile, "a");
  const child = spawn(process.execPath, args, {
    env: { NODE_ENV: "production", ...env },
    stdio: ["ignore", log, log, "ipc"],
  });
  closeSync(log);
  return child;
}

/** Kills a process that is frozen, or withholds responses on purpose: SIGTERM would not end it. */
export async function killChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}
