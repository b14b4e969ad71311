import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  findChain,
  findDatabase,
  findProcesses,
  findService,
  type ServiceProcess,
  startServiceProcess,
  waitUntilExited,
} from "@/scripts/testing/npm-start";
import { findFreePort, getCommandLine } from "@/server/local/process";
import { waitFor } from "@/server/testing/engine/engine";
import { buildSubmission } from "@/server/testing/fixtures/outcome";

/** The first start may have to build the pages. */
const BUILD_TIMEOUT_MS = 300_000;
// A start is slow on a busy machine, and some tests start twice.
vi.setConfig({ testTimeout: 240_000 });
const READY = "Stop: Ctrl-C.";

let folder: string;
let data: string;
let port: number;
let base: string;
let running: ServiceProcess;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "standing-start-test-"));
  // When run as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  data = join(folder, "data");
  port = await findFreePort();
  base = `http://127.0.0.1:${port}`;
  running = startServiceProcess({ PORT: String(port), DATA_DIR: data });
  await running.waitForOutput(READY);
}, BUILD_TIMEOUT_MS);

afterAll(async () => {
  running.child.kill("SIGTERM");
  await running.ended;
  rmSync(folder, { recursive: true, force: true });
});

async function restart() {
  running = startServiceProcess({ PORT: String(port), DATA_DIR: data });
  await running.waitForOutput(READY);
}

async function api(method: string, path: string, body?: object, key?: string) {
  const response = await fetch(`${base}/api/v1${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(key ? { "X-API-Key": key } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return response.json();
}

const getHealthStatus = () =>
  fetch(`${base}/api/health`).then(
    ({ status }) => status,
    () => 0,
  );

/** Returns whether the transaction succeeded on chain. */
async function isOnChain(hash: string): Promise<boolean> {
  const { rpcUrl } = await api("GET", "/network");
  const response = await fetch(rpcUrl, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "eth_getTransactionReceipt",
      params: [hash],
    }),
  });
  return (await response.json()).result?.status === "0x1";
}

describe("a running service", () => {
  const wallet = "0x52908400098527886E0F7030069857D2E4169EE7";
  let apiKey: string;
  let resolved: { outcomeId: string; onChainTx: string };

  const submit = () => api("POST", "/outcome", buildSubmission(wallet), apiKey);
  const waitUntilResolved = (outcomeId: string) =>
    waitFor(async () => {
      const outcome = await api("GET", `/outcome/${outcomeId}`).catch(() => null);
      return outcome?.status === "RESOLVED" && outcome;
    });

  test("prints each stage with its duration, and example commands that work", async () => {
    const buildStages = ["Dependencies", "Pages", "Server"];
    for (const stage of [...buildStages, "Database", "Chain", "Schema", "Web", "Engine"]) {
      expect(running.getOutput()).toMatch(new RegExp(`^  ${stage} .* \\d+\\.\\d s$`, "m"));
    }
    const [read, write] = running.getOutput().match(/curl (?:.*\\\n)*.*/g) ?? [];
    const outputs = [read, write].map((line) => execFileSync("sh", ["-c", `${line} -s`]));
    expect(JSON.parse(String(outputs[0]))).toMatchObject({ chainId: 31_337 });
    const agent = JSON.parse(String(outputs[1]));
    expect(agent).toMatchObject({ walletAddress: wallet });
    apiKey = agent.apiKey;
    resolved = await waitUntilResolved((await submit()).outcomeId);
  });

  test("runs the compiled server without a TypeScript loader", () => {
    const command = getCommandLine(findService(data));
    expect(command).toContain("dist/server.mjs");
    expect(command).not.toContain("tsx");
  });

  test("rejects a second service on its port or its data folder", async () => {
    const samePort = startServiceProcess({ PORT: String(port), DATA_DIR: join(folder, "other") });
    const sameFolder = startServiceProcess({ PORT: "0", DATA_DIR: data });
    expect(await samePort.ended).toBe(1);
    expect(samePort.getOutput()).toContain(`Port ${port} is taken`);
    expect(await sameFolder.ended).toBe(1);
    expect(sameFolder.getOutput()).toMatch(/Another Standing \(process \d+\) uses .*DATA_DIR\./);
    expect(await getHealthStatus()).toBe(200);
  });

  test("finishes open requests on SIGINT and leaves no process behind", async () => {
    const pids = findProcesses(data);
    const body = JSON.stringify([wallet]);
    const request = connect(port, "127.0.0.1");
    const response = new Promise<string>((resolve) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("close", () => resolve(text));
    });
    await once(request, "connect");
    const head = `POST /api/v1/reputation/bulk HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    await new Promise((sent) => request.write(`${head}[`, sent));
    // A response to a request that is sent later, maybe on an older connection, proves that this one has arrived.
    await api("GET", "/network");
    running.signalAll("SIGINT");
    await waitFor(async () => (await getHealthStatus()) === 0);
    request.write(body.slice(1));
    expect(await response).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(await running.ended).toBe(0);
    await waitUntilExited(pids);
  });

  test("recovers all data and open work after every process was killed", async () => {
    await restart();
    expect(await api("GET", `/outcome/${resolved.outcomeId}`)).toEqual(resolved);
    const { outcomeId } = await submit();
    const pids = [running.child.pid ?? 0, ...findProcesses(data)];
    for (const pid of pids) process.kill(pid, "SIGKILL");
    await waitUntilExited(pids);
    // The worst case of a kill: none of the chain's state was written.
    rmSync(join(data, "chain", "state.json"), { force: true });
    await restart();
    expect(await api("GET", `/outcome/${resolved.outcomeId}`)).toEqual(resolved);
    expect(await isOnChain(resolved.onChainTx)).toBe(true);
    const later = await waitUntilResolved(outcomeId);
    expect(await isOnChain(later.onChainTx)).toBe(true);
    expect(await api("GET", `/reputation/${wallet}`)).toMatchObject({ totalOutcomes: 2 });
  });

  test("restarts a killed chain and restores its lost records", async () => {
    const chain = findChain(data);
    rmSync(join(data, "chain", "state.json"), { force: true });
    process.kill(chain, "SIGKILL");
    await running.waitForOutput("The local chain is running again.");
    await waitFor(() => isOnChain(resolved.onChainTx));
    expect(findChain(data)).not.toBe(chain);
  });

  test("restarts a killed database, and goes on with it", async () => {
    const [database, service] = [findDatabase(data), findService(data)];
    const readHealth = async () => (await fetch(`${base}/api/health`)).json();
    process.kill(database, "SIGKILL");
    await running.waitForOutput("The database is running again.");
    await waitFor(async () => (await readHealth()).status === "ok");
    expect(findService(data)).toBe(service);
    expect(await api("GET", `/outcome/${resolved.outcomeId}`)).toEqual(resolved);
    expect(await waitUntilResolved((await submit()).outcomeId)).toMatchObject({
      verdict: "SUCCESS",
    });
  });

  test("stops when the process that started it is killed", async () => {
    const pids = findProcesses(data);
    running.child.kill("SIGKILL");
    // Starts again while the orphaned service is still stopping.
    await restart();
    await waitUntilExited(pids);
    expect(await api("GET", `/outcome/${resolved.outcomeId}`)).toEqual(resolved);
  });

  test("leaves no process behind if stopped during its start", async () => {
    running.signalAll("SIGTERM");
    expect(await running.ended).toBe(0);
    running = startServiceProcess({ PORT: String(port), DATA_DIR: data });
    await running.waitForOutput(/Database .* s$/m);
    const database = findDatabase(data);
    running.signalAll("SIGTERM");
    expect(await running.ended).toBe(0);
    expect(running.getOutput()).not.toContain("Web");
    await waitUntilExited([database]);
  });
});
