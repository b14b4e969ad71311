import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { spawnService } from "@/scripts/lib/spawn-service";
import { keepRunning } from "@/server/local/process";

/** A supervised process of the service: restarted whenever it ends. */
export interface ServiceProcess {
  name: string;
  url: string;
  /** Sends a signal to the current process. Returns whether there was one. */
  signal(signal: NodeJS.Signals): boolean;
  stop(): Promise<void>;
}

interface Options {
  name: string;
  port: number;
  folder: string;
  env: Record<string, string>;
  /** Draws the clock error of the next start, in milliseconds. */
  skewMs: () => number;
}

export async function superviseService({
  name,
  port,
  folder,
  env,
  skewMs,
}: Options): Promise<ServiceProcess> {
  let child: ChildProcess | null = null;
  const { stop } = await keepRunning(name, {
    async start() {
      const output = openSync(join(folder, `${name}.log`), "a");
      const nodeArgs = ["--import", "./scripts/chaos/skew.mjs"];
      const skewed = { ...env, CLOCK_SKEW_MS: String(skewMs()) };
      const started = spawnService({ port, env: skewed, nodeArgs, output });
      closeSync(output);
      child = started;
      return { pid: started.pid ?? 0, stop: () => end(started) };
    },
    notify: () => {},
  });
  return {
    name,
    url: `http://127.0.0.1:${port}`,
    signal: (signal) => child?.kill(signal) ?? false,
    stop,
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  // Kills a frozen process, too.
  child.kill("SIGKILL");
  await exited;
}
