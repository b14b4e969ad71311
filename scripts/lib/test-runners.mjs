import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensureBuild } from "./build.mjs";
import { run } from "./child-processes.mjs";

/** Runs a program that passes or fails as a whole. Returns its output with the counts. */
export async function runCheck(program, args) {
  const { ok, output } = await run(program, args);
  return { ...(ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }), output };
}

/** Builds before the tests, because some of them start the whole service. */
export async function runBuild() {
  await ensureBuild();
  return { passed: 1, failed: 0 };
}

/** Runs vitest's projects whose name matches, and counts their tests. */
export async function runVitest(project) {
  const report = ".test/vitest.json";
  rmSync(report, { force: true });
  const { ok } = await run(
    "node_modules/.bin/vitest",
    [
      ...["run", "--project", project],
      ...["--reporter=dot", "--reporter=json", `--outputFile.json=${report}`],
    ],
    { show: true },
  );
  return readCounts(ok, () => {
    const { numPassedTests, numFailedTests, testResults } = readJson(report);
    // A file that could not be loaded fails without a failed test.
    const unloaded = testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && !assertionResults.some((test) => test.status === "failed"),
    );
    const failedTests = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === "failed")
        .map(({ fullName, failureMessages }) =>
          describeFailure(`${relative(process.cwd(), name)}: ${fullName}`, failureMessages[0]),
        ),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + unloaded.length,
      failedTests: [
        ...failedTests,
        ...unloaded.map(({ name, message }) =>
          describeFailure(relative(process.cwd(), name), message),
        ),
      ],
    };
  });
}

/** Runs a project of the browser tests, `fast` or `slow`, with the given Chromium and counts them. */
export async function runBrowserTests(chromium, project) {
  const report = ".test/playwright.json";
  rmSync(report, { force: true });
  const { ok } = await runPlaywright(chromium, ["--project", project, "--reporter=line,json"], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return readCounts(ok, () => {
    const { stats, suites } = readJson(report);
    return {
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky,
      failedTests: suites.flatMap(listFailedSpecs),
    };
  });
}

/** Lists what failed in a suite of Playwright's report, which nests suites. */
function listFailedSpecs({ specs = [], suites = [] }) {
  const failed = specs
    .filter(({ ok }) => !ok)
    .map(({ file, line, title, tests }) => {
      const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors));
      return describeFailure(`${file}:${line}: ${title}`, errors[0]?.message);
    });
  return [...failed, ...suites.flatMap(listFailedSpecs)];
}

/** Describes a failed test by its name and, below it, the first line of its error. */
function describeFailure(name, message = "") {
  const [firstLine] = stripVTControlCharacters(message).trim().split("\n");
  return firstLine ? `${name}\n    ${firstLine.slice(0, 300)}` : name;
}

/** Runs Playwright with the given Chromium, against a service on a free port. */
export async function runPlaywright(chromium, args, env = {}) {
  return run("node_modules/.bin/playwright", ["test", ...args], {
    show: true,
    env: { ...env, CHROMIUM_PATH: chromium, E2E_PORT: String(await findFreePort()) },
  });
}

/**
 * Runs the chaos test (docs/decisions/chaos.md) for three minutes with a fixed schedule of faults,
 * and counts the invariants that hold. Returns its output instead of printing it, since it runs
 * next to other checks.
 */
export async function runChaos() {
  const report = ".test/chaos.json";
  rmSync(report, { force: true });
  const { ok, output } = await run("node_modules/.bin/tsx", [
    "scripts/chaos.ts",
    "--minutes",
    "3",
    "--seed",
    "11",
    "--counts",
    report,
  ]);
  return { ...readCounts(ok, () => readJson(report)), output };
}

/**
 * Returns the counts that `read` gets from a report. Counts one failure if there is no report, no
 * passed test, or a failed run without a failed test.
 */
function readCounts(ok, read) {
  try {
    const { passed, failed, failedTests } = read();
    return { passed, failed: ok && passed > 0 ? failed : Math.max(failed, 1), failedTests };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

function findFreePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
