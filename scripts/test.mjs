// Runs every check from a fresh checkout: types, lint, API document, import rules, words, unused code, unit and
// integration tests (vitest), and browser tests (Playwright). Installs the dependencies first.
import { performAll } from "./lib/checklist.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runBrowserTests, runBuild, runCheck, runVitest } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm test
Runs every check but npm run test:slow.
One kind: npm run lint, typecheck, test:unit, test:integration or test:e2e.`);
const bin = (name) => `node_modules/.bin/${name}`;

await performAll([
  [
    [
      ["Types", () => runCheck("npm", ["run", "--silent", "typecheck"])],
      ["Unused code", () => runCheck(bin("knip"), [])],
    ],
    [
      ["Lint", () => runCheck(bin("biome"), ["ci", "--error-on-warnings", "."])],
      ["API document", () => runCheck(bin("tsx"), ["scripts/lint-api.ts"])],
      ["Import rules", () => runCheck("node", ["scripts/import-rules.mjs"])],
      ["Words and spelling", () => runCheck(bin("cspell"), ["--no-progress", "--quiet", "."])],
    ],
  ],
  [[["Build", runBuild]]],
  [[["Unit and integration tests", () => runVitest("!slow*")]]],
  [[["Browser tests", async () => runBrowserTests(await findChromium(), "fast")]]],
]);
