// Runs the test of the service's memory, bench/soak/soak.slow.test.ts, with the requests of a busy day.
import { getSignalExitCode, run } from "./lib/child-processes.mjs";
import { printError } from "./lib/command-error.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { offerHelp } from "./lib/help.mjs";

offerHelp(
  "Usage: npm run soak\nSends half a million reads, 5,000 pages and 2,000 submissions, and checks that memory stays flat.",
);
try {
  await ensureDependencies({ tools: true });
  const args = ["run", "--project", "slow", "bench/soak"];
  const { ok } = await run("node_modules/.bin/vitest", args, { show: true, env: { SOAK: "long" } });
  process.exit(getSignalExitCode() ?? (ok ? 0 : 1));
} catch (error) {
  printError(error);
  process.exit(1);
}
