import { execFileSync } from "node:child_process";
import { chmodSync, constants, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { startBuiltService } from "@/scripts/testing/npm-start";
import { findFreePort } from "@/server/local/process";
import { waitFor } from "@/server/testing/engine/engine";
import { ensureBuild } from "./lib/build.mjs";

/** The first start may have to build the pages, and a shutdown may take 45 seconds. */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

let folder: string;
let base: string;
let data: string;
let env: Record<string, string>;

beforeAll(() => ensureBuild());
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "standing-shutdown-test-"));
  // When run as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  const port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  data = join(folder, "data");
  env = { PORT: String(port), DATA_DIR: data, LOG_LEVEL: "debug" };
  return () => rmSync(folder, { recursive: true, force: true });
});

const readHealth = async () => (await fetch(`${base}/api/health`)).json();

test("serves while the disk of the log is full, and stops", async () => {
  const full = await open("/dev/full", "w");
  const service = startBuiltService(env, full.fd);
  await service.waitForOutput("Stop: Ctrl-C.");
  await fetch(`${base}/api/v1/network`);
  await waitFor(async () => (await readHealth()).log.droppedLines > 0);
  expect(await readHealth()).toMatchObject({ status: "degraded", log: { status: "unavailable" } });
  service.child.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  await full.close();
});

test("stops while a write to the log hangs", async () => {
  const { LOG_LEVEL: _, ...logToFile } = env;
  mkdirSync(data);
  const log = join(data, "standing.log");
  execFileSync("mkfifo", [log]);
  const pipe = await open(log, constants.O_RDWR | constants.O_NONBLOCK);
  const fill = async () => {
    for (;;) await pipe.write(Buffer.alloc(4_096));
  };
  await expect(fill()).rejects.toThrow("EAGAIN");
  const service = startBuiltService(logToFile);
  await service.waitForOutput("Stop: Ctrl-C.");
  await causeLogLine();
  service.child.kill("SIGTERM");
  await service.ended;
  await pipe.close();
});

/** Registers an agent and a webhook whose endpoint does not listen, which is logged. */
async function causeLogLine(): Promise<void> {
  const call = async (path: string, key: string, body: object) => {
    const response = await fetch(`${base}/api/v1${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-API-Key": key },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const agentAddress = "0x52908400098527886E0F7030069857D2E4169EE7";
  const { apiKey } = await call("/agents/register", "", { agentAddress, name: "An agent" });
  const webhook = { url: "http://127.0.0.1:9/", events: ["outcome.resolved"] };
  const { webhookId } = await call("/webhooks", apiKey, webhook);
  await call(`/webhooks/${webhookId}/ping`, apiKey, {});
  await waitFor(async () => {
    const url = `${base}/api/v1/webhooks/${webhookId}/deliveries`;
    const page = await (await fetch(url, { headers: { "X-API-Key": apiKey } })).json();
    return page.content[0]?.attempts.length > 0;
  });
}
