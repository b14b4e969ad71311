// Runs what npm test leaves out, because it takes long and few changes concern it: tests named
// *.slow.test.ts, a short chaos run, which mostly waits, beside them, and slow browser tests.
import { performAll } from "./lib/checklist.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runBrowserTests, runBuild, runChaos, runVitest } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm run test:slow
Runs what npm test leaves out: the tests named *.slow.test.ts, a chaos run of three minutes, and the
accessibility of every page in both themes at both widths.`);

await performAll([
  [[["Build", runBuild]]],
  [[["Slow tests", () => runVitest("slow*")]], [["Faults under load", runChaos]]],
  [[["Slow browser tests", async () => runBrowserTests(await findChromium(), "slow")]]],
]);
