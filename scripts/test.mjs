// Runs every check from a fresh checkout: types, lint, import rules, words, unused code, unit and
// integration tests (vitest), browser tests (Playwright), and a short chaos run. Installs the
// dependencies first.
import { mkdirSync } from "node:fs";
import { ensureBuild } from "./lib/build.mjs";
import { run } from "./lib/child-processes.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { printError } from "./lib/command-error.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runBrowserTests, runChaos, runCheck, runVitest } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm test
Runs every check. One kind: npm run lint, typecheck, test:unit, test:integration, test:e2e or chaos.`);
const bin = (name) => `node_modules/.bin/${name}`;
const checks = [
  ["Types", checkTypes],
  ["Lint", () => runCheck(bin("biome"), ["ci", "--error-on-warnings", "."])],
  ["Import rules", () => runCheck("node", ["scripts/import-rules.mjs"])],
  ["Words and spelling", () => runCheck(bin("cspell"), ["--no-progress", "--quiet", "."])],
  ["Unused code", () => runCheck(bin("knip"), [])],
  ["Build", build],
  ["Unit and integration tests", runVitest],
  ["Browser tests", async () => runBrowserTests(await findChromium())],
  ["Faults under load", awaitChaos],
];
/** The chaos run, which starts right after the build because it mostly waits. */
let chaos;
const totals = { passed: 0, failed: 0 };
const failures = [];

if (await prepare()) for (const check of checks) await perform(...check);

if (failures.length > 0) console.log(`\nFailed: ${failures.join(", ")}`);
console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);

/** Installs the dependencies, which every check needs. Returns whether that succeeded. */
async function prepare() {
  try {
    await ensureDependencies({ tools: true });
    mkdirSync(".test", { recursive: true });
    return true;
  } catch (error) {
    recordError("Dependencies", error);
    return false;
  }
}

/** Performs a check. One that throws counts as one failure, and the others still run. */
async function perform(name, check) {
  console.log(`\n— ${name}`);
  try {
    const { passed, failed } = await check();
    totals.passed += passed;
    totals.failed += failed;
    if (failed > 0) failures.push(name);
  } catch (error) {
    recordError(name, error);
  }
}

function recordError(name, error) {
  printError(error);
  totals.failed += 1;
  failures.push(name);
}

/** Checks types, after Next has written the route types. */
async function checkTypes() {
  const { ok, output } = await run(bin("next"), ["typegen"]);
  if (!ok) console.error(output);
  const checked = await runCheck(bin("tsc"), ["--noEmit"]);
  return ok ? checked : { passed: 0, failed: 1 };
}

/** Builds before the tests, because some of them start the whole service. */
async function build() {
  await ensureBuild();
  chaos = runChaos();
  return { passed: 1, failed: 0 };
}

/** Waits for the chaos run. It has not started if the build failed. */
async function awaitChaos() {
  if (!chaos) return { passed: 0, failed: 1 };
  const { output, ...counts } = await chaos;
  console.log(output);
  return counts;
}
