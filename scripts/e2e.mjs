// Runs browser tests against the built service: those of npm test, or the files named on the command line.
import { mkdirSync } from "node:fs";
import { ensureBuild } from "./lib/build.mjs";
import { getSignalExitCode } from "./lib/child-processes.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { printError } from "./lib/command-error.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runPlaywright } from "./lib/test-runners.mjs";

offerHelp(
  "Usage: npm run test:e2e -- [FILE…]\nRuns the browser tests of npm test, or those in FILE.",
);
try {
  await ensureDependencies({ tools: true });
  await ensureBuild();
  mkdirSync(".test", { recursive: true });
  const args = process.argv.slice(2);
  const project = args.some((arg) => arg.includes(".slow.")) ? "slow" : "fast";
  const { ok } = await runPlaywright(await findChromium(), [
    "--reporter=list",
    `--project=${project}`,
    ...args,
  ]);
  process.exit(getSignalExitCode() ?? (ok ? 0 : 1));
} catch (error) {
  printError(error);
  process.exit(1);
}
