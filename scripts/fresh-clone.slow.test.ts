import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getQuickStartSteps } from "@/components/docs/quick-start/quick-start-steps";
import { findFreePort } from "@/server/local/process";
import { emptyEnv } from "@/server/testing/process/process-env";

// Installs, builds and measures, on a machine that may be busy.
const TIMEOUT_MS = 1_800_000;
vi.setConfig({ testTimeout: TIMEOUT_MS });

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
/** The scripts that are programs of this repository. */
const OWN = Object.keys(scripts).filter((name) => /scripts\/|bench\//.test(scripts[name]));

let folder: string;
let clone: string;
let env: NodeJS.ProcessEnv;
let url: string;
let service: ChildProcess;

/** Copies the working tree, and starts it as a newcomer does: with an empty cache, on their Node. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "standing-clone-"));
  // When run as root, Postgres runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  clone = join(folder, "standing");
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8",
  });
  for (const file of listed.trim().split("\n").filter(existsSync)) {
    await cp(file, join(clone, file));
  }
  const port = String(await findFreePort());
  url = `http://localhost:${port}`;
  env = {
    ...process.env,
    ...emptyEnv(),
    PATH: process.env.PATH?.split(delimiter)
      .filter((path) => !path.includes("node_modules"))
      .join(delimiter),
    PORT: port,
    npm_config_cache: join(folder, "npm-cache"),
    // Refuses packages that want another Node than the one that runs npm.
    npm_config_engine_strict: "true",
  };
  service = spawn("npm", ["start"], { cwd: clone, env, detached: true });
  await new Promise<void>((ready, failed) => {
    let output = "";
    for (const stream of [service.stdout, service.stderr]) {
      stream?.setEncoding("utf8").on("data", (text) => {
        output += text;
        if (output.includes("Stop: Ctrl-C.")) ready();
      });
    }
    service.once("exit", () => failed(new Error(output)));
  });
}, TIMEOUT_MS);
afterAll(async () => {
  await stopService();
  await rm(folder, { recursive: true, force: true });
});

async function stopService(): Promise<void> {
  if (service.exitCode !== null || service.signalCode) return;
  const ended = once(service, "exit");
  process.kill(-(service.pid ?? 0), "SIGTERM");
  await ended;
}

interface Result {
  code: unknown;
  output: string;
}

const run = (program: string, args: string[], cwd: string): Promise<Result> =>
  new Promise((ended) => {
    const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, args, options, (error, stdout, stderr) =>
      ended({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

/** Runs an npm script of the clone to its end. */
const runScript = (name: string, ...args: string[]) =>
  run("npm", ["run", "--silent", name, "--", ...args], clone);

test("npm run demo pays, disputes and refunds, and every score matches the chain at the end", async () => {
  const { code, output } = await runScript("demo");
  const [firstScore] = /(?<=score +)[\d.]+/.exec(output) ?? [];
  expect(Number(firstScore), output).toBeGreaterThan(0);
  expect(output).toMatch(/confidence 0\.5, no weight: /);
  expect(output).toMatch(/REQUESTER_WINS|CONTRACTOR_WINS/);
  expect(output).toMatch(/All 2 requirements hold/);
  expect(output).toMatch(/0 of 1 requirement holds/);
  expect(output).toMatch(/Nothing was delivered by/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
});

test("npm run walk gets the expected response from every endpoint", async () => {
  const { code, output } = await runScript("walk", url);
  expect(output).toMatch(/\n\d{3} checks passed\n$/);
  expect(output).not.toContain("Skipped");
  expect(code, output).toBe(0);
});

test("npm run verify recomputes every score", async () => {
  const { code, output } = await runScript("verify");
  expect(code, output).toBe(0);
});

test("an empty folder installs the client from the service", async () => {
  const project = join(folder, "empty");
  await mkdir(project);
  const installed = await run("npm", ["install", `${url}/sdk.tgz`], project);
  expect(installed.code, installed.output).toBe(0);
  await run("npm", ["pkg", "set", "type=module"], project);
  const steps = getQuickStartSteps(url, "typescript").map(({ code }) => code);
  await writeFile(join(project, "program.ts"), steps.join("\n\n"));
  const compiler = ["--strict", "--noEmit", "--target", "es2022", "--module", "nodenext"];
  const checked = await run(resolve("node_modules/.bin/tsc"), [...compiler, "program.ts"], project);
  expect(checked).toEqual({ code: 0, output: "" });
  const { code, output } = await run(process.execPath, ["program.ts"], project);
  expect(output).toMatch(/^SUCCESS [\d.]+ 0x/);
  expect(code, output).toBe(0);
});

test("every script prints how it is used, without the tools", async () => {
  for (const name of OWN.filter((name) => name !== "lint")) {
    const { code, output } = await runScript(name, "--help");
    expect.soft(output, name).toMatch(/^(Usage: )?npm |npm run/m);
    expect.soft(code, output).toBe(0);
  }
  const { code, output } = await runScript("bench", "--only", "http,pipelines");
  expect(output).toMatch(/^There is no part pipelines\.\nUsage: /);
  expect(code).toBe(2);
  expect(existsSync(join(clone, "node_modules/vitest"))).toBe(false);
});

test("npm run bench:web installs the tools and measures the running service", async () => {
  const { output } = await runScript("bench:web", "--url", url, "--rounds", "1");
  expect(output).toMatch(/Dependencies +installed/);
  // Speed on a busy machine may miss the goal.
  expect(output).toMatch(/all at \d+ or above|below \d+: /);
});

test("every part of the benchmark runs", async () => {
  await stopService();
  const parts = /\[--only ([\w,]+)\]/.exec((await runScript("bench", "--help")).output)?.[1];
  const { code, output } = await runScript("bench", "--smallest");
  for (const part of parts?.split(",") ?? []) {
    const figure = part === "http" ? "read" : part;
    expect.soft(output).toMatch(new RegExp(`^ *\\d+ s +${figure}\\.\\S+ +[\\d.]+ `, "m"));
  }
  expect(code, output).toBe(0);
});

test("a judge is measured", async () => {
  const args = ["bench/judge/sets/repairs.jsonl", "--judge", "builtin", "--json"];
  const { code, output } = await runScript("bench:judge", ...args);
  expect(output).toContain('"builtin-checks/v3"');
  expect(code, output).toBe(0);
});
