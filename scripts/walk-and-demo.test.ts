import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, test } from "vitest";
import { GET as getHealth } from "@/app/api/health/route";
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
  expect(output).toMatch(/REQUESTER_WINS|CONTRACTOR_WINS/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
}, 240_000);

test.concurrent("npm run walk gets the expected response from every endpoint", async ({
  expect,
}) => {
  const { code, output } = await runScript("walk", [url]);
  expect(output).toMatch(/\n\d{3} checks passed\n$/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
}, 240_000);
