// Runs what npm test leaves out, because it takes long and few changes concern it: tests named
// *.slow.test.ts, and a short chaos run, which mostly waits, beside them.
import { performAll } from "./lib/checklist.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runBuild, runChaos, runVitest } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm run test:slow
Runs the tests named *.slow.test.ts and a chaos run of three minutes, which npm test leaves out.`);

await performAll([
  [[["Build", runBuild]]],
  [[["Slow tests", () => runVitest("slow*")]], [["Faults under load", runChaos]]],
]);
