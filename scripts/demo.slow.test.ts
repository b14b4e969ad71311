import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "vitest";
import { findProcesses, waitUntilExited } from "@/scripts/testing/npm-start";
import { emptyEnv } from "@/server/testing/process/process-env";

test.concurrent.each(["SIGTERM", "SIGKILL"] as const)(
  "a demo whose npm is ended by %s leaves no process",
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), "standing-demo-"));
    // When run as root, Postgres runs as another user, who needs access to the folder.
    await chmod(folder, 0o755);
    const data = join(folder, "data");
    const npm = spawn("npm", ["run", "--silent", "demo", "--", "--history"], {
      env: { ...process.env, ...emptyEnv(), DATA_DIR: data },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise<void>((resolve) =>
      npm.stdout.on("data", (text) => String(text).includes("Simulating") && resolve()),
    );
    const pids = findProcesses(data);
    npm.kill(signal);
    await waitUntilExited(pids);
    await rm(folder, { recursive: true });
  },
  240_000,
);
