import { execFile, spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { GET as getHealth } from "@/app/api/health/route";
import { findProcesses, waitUntilExited } from "@/scripts/testing/npm-start";
import { setRuntime } from "@/server/bootstrap/runtime";
import { createRequestHandler } from "@/server/http/request-handler";
import { handleRequest } from "@/server/testing/http/listen";
import { emptyEnv } from "@/server/testing/process/process-env";
import { startTestService, type TestService } from "@/server/testing/service";

let service: TestService;
let server: Server;
let url: string;
beforeAll(async () => {
  // The demo waits until the window of one dispute has passed.
  service = await startTestService({ env: { DISPUTE_RESPONSE_WINDOW: "5s" } });
  setRuntime(service.runtime);
  // Of the pages, the walk only reads the health.
  server = createServer(
    createRequestHandler(service.runtime, (req, res) => handleRequest(getHealth, req, res)),
  );
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  await service.close();
});

/** Runs an npm script to its end. Returns its exit code and both output streams. */
const runScript = (name: string, args: string[]): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(
      "npm",
      ["run", "--silent", name, "--", ...args],
      { env: { ...process.env, ...emptyEnv() }, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

// Both mostly wait, so they run at once.
test.concurrent("npm run demo pays, disputes and refunds, and every score matches the chain at the end", async ({
  expect,
}) => {
  const { code, output } = await runScript("demo", ["--url", url]);
  const [firstScore] = /(?<=score +)[\d.]+/.exec(output) ?? [];
  expect(Number(firstScore)).toBeGreaterThan(0);
  expect(output).toMatch(/confidence 0\.5, no weight: /);
  expect(output).toMatch(/REQUESTER_WINS|CONTRACTOR_WINS/);
  expect(output).toMatch(/All 2 requirements hold/);
  expect(output).toMatch(/0 of 1 requirement holds/);
  expect(output).toMatch(/Nothing was delivered by/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
}, 240_000);

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

test.concurrent("npm run walk gets the expected response from every endpoint", async ({
  expect,
}) => {
  const { code, output } = await runScript("walk", [url]);
  expect(output).toMatch(/\n\d{3} checks passed\n$/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
}, 240_000);
