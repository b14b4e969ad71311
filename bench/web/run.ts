import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { formatElapsed } from "@/bench/measure";
import { launchChromium } from "@/scripts/lib/chromium.mjs";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { parseCommandLine, runMain } from "@/scripts/lib/command-line";
import { findExampleRecords } from "@/scripts/lib/example-records";
import { findServiceUrl } from "@/scripts/lib/service-url";
import { StartupError } from "@/server/lib/errors";
import { findFreePort } from "@/server/local/process";
import {
  CATEGORIES,
  combineLoads,
  formatPages,
  GOAL,
  isIncompleteRecording,
  type LoadResult,
  listMisses,
  readReport,
} from "./page-result";

const USAGE = `Usage: npm run bench:web -- [--url BASE] [--rounds N] [--reports FOLDER]
Runs Lighthouse on the home page, the leaderboard, an agent and an outcome of the service at BASE (default: the running
one), as on a mid-range phone, and exits with 1 if performance, accessibility, best practices or SEO of one of them is
below ${GOAL}. Fill the service with npm run demo -- --history before. Each page is loaded N times (default: 3); of
performance the median counts, of the other categories the worst result. --reports stores Lighthouse's report of every
load.`;

interface Options {
  base: string;
  rounds: number;
  reports: string | undefined;
}

function parseOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const { rounds, url, reports } = parseCommandLine(args, USAGE, {
    options: { rounds: { ...text, default: "3" }, url: text, reports: text },
  }).values;
  if (!/^[1-9]\d?$/.test(rounds)) throw new CommandError(USAGE);
  return { base: (url ?? findServiceUrl()).replace(/\/+$/, ""), rounds: Number(rounds), reports };
}

const started = performance.now();
const printLine = (sentence: string) => console.log(`${formatElapsed(started)}  ${sentence}`);

/** Runs the benchmark and resolves to the exit code. */
async function measureWeb(options: Options): Promise<number> {
  const port = await findFreePort();
  // Installs the tools, which are therefore imported later.
  const browser = await launchChromium([`--remote-debugging-port=${port}`]);
  printLine(`${cpus().length} cores, Chromium ${browser.version()}`);
  const loads = await loadPages(port, options).finally(() => browser.close());
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
  { base, rounds, reports }: Options,
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
 * Lighthouse clears storage and cache before. Writes its report to `reportFile`. A page whose recording is
 * incomplete is loaded once more.
 */
async function loadPage(port: number, url: string, reportFile?: string): Promise<LoadResult> {
  const { default: lighthouse } = await import("lighthouse");
  const run = () =>
    lighthouse(url, {
      port,
      onlyCategories: [...CATEGORIES],
      output: "html",
      locale: "en-GB",
      logLevel: "error",
    });
  let result = await run();
  if (result && isIncompleteRecording(result.lhr)) {
    printLine(`${url}: recording incomplete (${result.lhr.runtimeError?.code}), loaded again`);
    result = await run();
  }
  if (!result) throw new Error(`Lighthouse returned no result for ${url}`);
  if (reportFile) {
    await mkdir(dirname(reportFile), { recursive: true });
    await writeFile(reportFile, String(result.report));
  }
  return readReport(result.lhr);
}

await runMain((args) => measureWeb(parseOptions(args)));
