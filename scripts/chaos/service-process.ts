import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { killChild, spawnService } from "@/scripts/lib/spawn-service";
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
      const logFile = join(folder, `${name}.log`);
      const nodeArgs = ["--import", "./scripts/chaos/skew.mjs"];
      const skewed = { ...env, CLOCK_SKEW_MS: String(skewMs()) };
      const started = spawnService({ port, env: skewed, nodeArgs, logFile });
      child = started;
      return { pid: started.pid ?? 0, stop: () => killChild(started) };
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
