// Runs browser tests against the built service: all, or the files named on the command line.
import { mkdirSync } from "node:fs";
import { ensureBuild } from "./lib/build.mjs";
import { toldToStop } from "./lib/children.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { runPlaywright } from "./lib/runners.mjs";
import { explain, needNode } from "./lib/say.mjs";

try {
  needNode();
  await ensureDependencies();
  await ensureBuild();
  mkdirSync(".test", { recursive: true });
  const { ok } = await runPlaywright(await findChromium(), [
    "--reporter=list",
    ...process.argv.slice(2),
  ]);
  process.exit(toldToStop() ?? (ok ? 0 : 1));
} catch (error) {
  explain(error);
  process.exit(1);
}
