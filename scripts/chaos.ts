// Injects random faults into the whole service under load, lets it recover, and checks that no
// acknowledged work is lost or done twice: docs/decisions/chaos.md.

import { randomInt } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { parseArguments } from "./chaos/arguments";
import { printReport, printViolations } from "./chaos/checker";
import { runChaos } from "./chaos/run";
import { ensureBuild } from "./lib/build.mjs";
import { CommandError } from "./lib/command-error.mjs";

let startedAt = Date.now();

/** Prints a line with the seconds since the start. */
function printLine(line: string): void {
  console.log(`${String(Math.round((Date.now() - startedAt) / 1_000)).padStart(5)} s  ${line}`);
}

async function main(args: string[]): Promise<number> {
  const options = parseArguments(args, () => randomInt(2 ** 31));
  await ensureBuild();
  startedAt = Date.now();
  const { checked, history, folder, idleSeconds, counts } = await runChaos(options, printLine);
  printReport(checked, history);
  const failed = checked.filter(({ violations }) => violations.length > 0).length;
  if (options.counts) {
    const passed = checked.length - failed;
    await writeFile(options.counts, JSON.stringify({ passed, failed }));
  }
  console.log(
    `\nSeed ${options.seed}: ${counts.submitted} outcomes, ${counts.disputed} disputes, ${history.calls.length} requests; idle after ${idleSeconds} s.`,
  );
  if (failed > 0) {
    printViolations(checked, history);
    console.log(
      `\n${failed} of ${checked.length} invariants are violated. Logs and data are kept in ${folder}`,
    );
    return 1;
  }
  await rm(folder, { recursive: true, force: true });
  console.log(`All ${checked.length} invariants hold.`);
  return 0;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error);
  process.exit(2);
}
