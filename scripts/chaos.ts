// Injects random faults into the whole service under load, then lets it recover. Checks against the
// agents' history, the database, the chain and the webhook receivers that no acknowledged work is
// lost or done twice.

import { randomInt } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { CommandError } from "@/scripts/lib/say.mjs";
import { readArguments } from "./chaos/arguments";
import { printReport, printViolations } from "./chaos/report";
import { runChaos } from "./chaos/run";
import { ensureBuild } from "./lib/build.mjs";

let began = Date.now();

function say(line: string): void {
  console.log(`${String(Math.round((Date.now() - began) / 1_000)).padStart(5)} s  ${line}`);
}

async function main(args: string[]): Promise<number> {
  const asked = readArguments(args, () => randomInt(2 ** 31));
  await ensureBuild();
  began = Date.now();
  const { checked, history, folder, quietSeconds, counted } = await runChaos(asked, say);
  printReport(checked, history);
  const broken = checked.filter(({ violations }) => violations.length > 0);
  if (asked.counts) {
    const counts = { passed: checked.length - broken.length, failed: broken.length };
    await writeFile(asked.counts, JSON.stringify(counts));
  }
  const { submitted, disputed } = counted;
  console.log(
    `\nSeed ${asked.seed}: ${submitted} outcomes, ${disputed} disputes, ${history.calls.length} requests; quiet after ${quietSeconds} s.`,
  );
  if (broken.length > 0) {
    printViolations(checked, history);
    console.log(
      `\n${broken.length} of ${checked.length} invariants are broken. Everything is kept in ${folder}`,
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
