import { mkdirSync } from "node:fs";
import { printError } from "./command-error.mjs";
import { ensureDependencies } from "./dependencies.mjs";

const totals = { passed: 0, failed: 0 };
const failures = [];

/**
 * Installs the dependencies, performs the checks and exits, with 1 if one failed. A check is a name and
 * a function that resolves to counts, with an `output` to print if it did not print it, and the names of
 * `failedTests` to repeat at the end, where a shortened log still has them. Steps follow each other, and
 * the lists of a step run side by side.
 */
export async function performAll(steps) {
  if (await prepare()) {
    for (const lists of steps) await Promise.all(lists.map(performInOrder));
  }
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join("\n")}`);
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  process.exit(totals.failed === 0 ? 0 : 1);
}

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

async function performInOrder(checks) {
  for (const [name, check] of checks) await perform(name, check);
}

/** Performs a check. One that throws counts as one failure, and the others still run. */
async function perform(name, check) {
  console.log(`\n— ${name}`);
  const startedAt = performance.now();
  const printEnd = () =>
    console.log(`— ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  try {
    const { passed, failed, failedTests = [], output } = await check();
    printEnd();
    if (output) console.log(output.trimEnd());
    totals.passed += passed;
    totals.failed += failed;
    if (failed > 0) failures.push([name, ...failedTests].join("\n  "));
  } catch (error) {
    printEnd();
    recordError(name, error);
  }
}

function recordError(name, error) {
  printError(error);
  totals.failed += 1;
  failures.push(name);
}
