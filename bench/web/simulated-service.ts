import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/server/local/free-port";
import { startStanding } from "@/server/testing/npm-start";
import { unconfigured } from "@/server/testing/unconfigured";

export interface SimulatedService {
  url: string;
  /** Resolves once the history is played; throws where something of it fails. */
  ready: Promise<void>;
  stop(): Promise<void>;
}

/** What ends the block that a service says when it is ready. */
const READY = "Stop: Ctrl-C.";

/**
 * The service as `npm start` runs it, built when stale, in a data folder of its own with the
 * simulated history in it. On `PORT`, or on a port that is free.
 */
export async function startSimulated(): Promise<SimulatedService> {
  const folder = await mkdtemp(join(tmpdir(), "standing-bench-"));
  // Root's Postgres runs as another user, who must get there.
  await chmod(folder, 0o755);
  const port = process.env.PORT || String(await freePort());
  const env = { PORT: port, DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" };
  const service = startStanding(env);
  const stop = async () => {
    service.child.kill("SIGTERM");
    await service.ended;
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const ready = service.untilSaid(READY).then(() => playHistory(url, env));
  return { url, ready, stop };
}

/** Says what it says only where it fails. */
async function playHistory(url: string, env: Record<string, string>): Promise<void> {
  const args = ["--import", "tsx", "scripts/demo.ts", "--history", "--url", url];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...unconfigured(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`npm run demo -- --history ended with ${code}:\n${said}`);
}
