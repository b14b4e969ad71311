// Takes screenshots of every page of the running service, 1440 and 390 pixels wide, light and dark,
// into shots/, which git ignores. `npm run demo` creates the content.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright/test";
import { PAGES } from "@/components/site/pages";
import { launchChromium } from "./lib/chromium.mjs";
import { parseCommandLine, runMain } from "./lib/command-line";
import { listExamples } from "./lib/example-pages";
import { findExampleRecords } from "./lib/example-records";
import { findServiceUrl } from "./lib/service-url";

const USAGE = `Usage: npm run shots -- [--url BASE] [--out FOLDER] [PATH...]
Takes screenshots of the pages at PATHs, or of every page, of the service at BASE (default: the running one).`;
const WIDTHS = [1440, 390];
const SCHEMES = ["light", "dark"] as const;

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseCommandLine(args, USAGE, {
    allowPositionals: true,
    options: {
      url: { type: "string" },
      out: { type: "string", default: "shots" },
    },
  });
  const base = values.url ?? findServiceUrl();
  const paths = positionals.length > 0 ? positionals : await listPaths(base);
  mkdirSync(values.out, { recursive: true });
  const browser = await launchChromium();
  try {
    for (const path of paths) {
      await takeScreenshots(browser, { base, path, out: values.out });
      console.log(`  ${path}`);
    }
  } finally {
    await browser.close();
  }
  console.log(`\n${paths.length * WIDTHS.length * SCHEMES.length} screenshots in ${values.out}`);
  return 0;
}

async function takeScreenshots(
  browser: Browser,
  { base, path, out }: { base: string; path: string; out: string },
): Promise<void> {
  const name = path.replace(/^\/|\/$/g, "").replaceAll(/[^\w.-]+/g, "-") || "home";
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      await page.goto(base + path, { waitUntil: "networkidle" });
      const file = join(out, `${name.slice(0, 80)}-${width}-${colorScheme}.png`);
      await page.screenshot({ path: file, fullPage: true });
      await page.close();
    }
  }
}

/** Returns the paths of all pages, and of a missing one. */
async function listPaths(base: string): Promise<string[]> {
  const records = await findExampleRecords(base);
  return [...PAGES.flatMap(({ route }) => listExamples(route, records)), "/nowhere"];
}

await runMain(main);
