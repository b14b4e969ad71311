import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@/server/local/free-port";
import { startStanding } from "@/server/testing/npm-start";

export interface SecondService {
  url: string;
  stop(): Promise<void>;
}

/** A service beside the one that the browser tests share, configured by `env`. */
export async function secondService(env: Record<string, string>): Promise<SecondService> {
  const folder = mkdtempSync(join(tmpdir(), "standing-e2e-"));
  // Root's Postgres runs as another user, who must get there.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const service = startStanding({ PORT: String(port), DATA_DIR: join(folder, "data"), ...env });
  await service.untilSaid("Standing is ready");
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      service.child.kill("SIGTERM");
      await service.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
