import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { formatElapsed } from "@/bench/measure";
import { launchChromium } from "@/scripts/lib/chromium.mjs";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine, runMain } from "@/scripts/lib/command-line";
import { findExampleRecords } from "@/scripts/lib/example-records";
import { StartupError } from "@/server/lib/errors";
import { findFreePort } from "@/server/local/process";
import { emptyEnv } from "@/server/testing/process/process-env";
import {
  CATEGORIES,
  combineLoads,
  formatPages,
  GOAL,
  type LoadResult,
  listMisses,
  readReport,
} from "./page-result";

const USAGE = `Usage: npm run bench:web -- [--url BASE] [--rounds N] [--reports FOLDER]
Runs Lighthouse on the home page, the leaderboard, an agent and an outcome, as on a mid-range phone, and exits
with 1 if performance, accessibility, best practices or SEO of one of them is below ${GOAL}. Starts the service in a
new data folder and plays the simulated history; --url measures the running service at BASE instead. Each page is
loaded N times (default: 3); of performance the median counts, of the other categories the worst result.
--reports stores Lighthouse's report of every load.`;

interface Options {
  url: string | undefined;
  rounds: number;
  reports: string | undefined;
}

function parseOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const { rounds, url, reports } = parseCommandLine(args, USAGE, {
    options: { rounds: { ...text, default: "3" }, url: text, reports: text },
  }).values;
  if (!/^[1-9]\d?$/.test(rounds)) throw new CommandError(USAGE);
  return { url: url?.replace(/\/+$/, ""), rounds: Number(rounds), reports };
}

/** Last line of the service's output when it is ready. */
const READY = "Stop: Ctrl-C.";

const started = performance.now();
const printLine = (sentence: string) => console.log(`${formatElapsed(started)}  ${sentence}`);
const stops: (() => Promise<unknown>)[] = [];

/** Runs the benchmark and resolves to the exit code. */
async function measureWeb(options: Options): Promise<number> {
  const port = await findFreePort();
  // Installs the tools, which are therefore imported later.
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  stops.push(() => browser.close());
  const base = options.url ?? (await startWithHistory());
  printLine(`${cpus().length} cores, Chromium ${browser.version()}`);

  const loads = await loadPages(port, base, options);
  const results = [...loads].map(([page, ofPage]) => combineLoads(page, ofPage));
  console.log(`\n${formatPages(results)}\n`);
  for (const [page, ofPage] of loads) {
    const faults = new Set(ofPage.flatMap((load) => load.faults));
    if (faults.size > 0) console.log(`${page} loses points for:`);
    for (const fault of faults) console.log(`  ${fault}`);
  }
  const misses = listMisses(results);
  printLine(misses.length > 0 ? `below ${GOAL}: ${misses.join(", ")}` : `all at ${GOAL} or above`);
  return misses.length > 0 ? 1 : 0;
}

/** Loads the pages in turn, so that a slow phase of the machine affects each page once. */
async function loadPages(
  port: number,
  base: string,
  { rounds, reports }: Options,
): Promise<Map<string, LoadResult[]>> {
  const { agent, outcome } = await findExampleRecords(base);
  if (!agent || !outcome) throw new StartupError(`There is no agent with an outcome at ${base}.`);
  const pages = { home: "/", leaderboard: "/leaderboard", agent, outcome };
  const loads = new Map<string, LoadResult[]>(Object.keys(pages).map((page) => [page, []]));
  for (let round = 1; round <= rounds; round++) {
    for (const [page, path] of Object.entries(pages)) {
      const report = reports && join(reports, `${page}-${round}.html`);
      const load = await loadPage(port, base + path, report);
      loads.get(page)?.push(load);
      const scores = CATEGORIES.map((id) => load.scores[id]).join(" ");
      printLine(`${page}, ${round} of ${rounds}: ${scores}`);
    }
  }
  return loads;
}

/**
 * Runs Lighthouse on `url` once, as a mid-range phone, in the Chromium that is debugged at `port`.
 * Lighthouse clears storage and cache before. Writes its report to `reportFile`.
 */
async function loadPage(port: number, url: string, reportFile?: string): Promise<LoadResult> {
  const { default: lighthouse } = await import("lighthouse");
  const result = await lighthouse(url, {
    port,
    onlyCategories: [...CATEGORIES],
    output: "html",
    locale: "en-GB",
    logLevel: "error",
  });
  if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
  if (reportFile) {
    await mkdir(dirname(reportFile), { recursive: true });
    await writeFile(reportFile, String(result.report));
  }
  return readReport(result.lhr);
}

/**
 * Starts the service as `npm start` does, built if stale, in a new data folder, and plays the
 * simulated history. Listens on `PORT` or a free port. Resolves to its URL.
 */
async function startWithHistory(): Promise<string> {
  printLine("starting the service and playing the simulated history, which takes minutes");
  const folder = await mkdtemp(join(tmpdir(), "standing-bench-"));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  // When run as root, Postgres runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const port = process.env.PORT || String(await findFreePort());
  const env = { PORT: port, DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" };
  const { startServiceProcess } = await import("@/scripts/testing/npm-start");
  const service = startServiceProcess(env);
  stops.push(async () => {
    service.child.kill("SIGTERM");
    await service.ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await service.waitForOutput(READY);
  const args = ["--import", "tsx", "scripts/demo.ts", "--history"];
  const demo = spawn(process.execPath, args, {
    env: { ...process.env, ...emptyEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = Promise.all([text(demo.stdout), text(demo.stderr)]);
  const [code] = await once(demo, "close");
  if (code !== 0) {
    throw new Error(`npm run demo -- --history ended with ${code}:\n${(await output).join("\n")}`);
  }
  return url;
}

async function stopAll(): Promise<void> {
  for (const stop of stops.splice(0).reverse()) await stop();
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stopAll().finally(() => process.exit(130)));
}
await runMain(async (args) => {
  try {
    return await measureWeb(parseOptions(args));
  } finally {
    await stopAll();
  }
});
