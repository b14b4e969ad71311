// Checks a change in a fraction of the time of npm test: types, lint, the unit tests that import what changed,
// and the integration tests of its folders.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { performAll } from "./lib/checklist.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runCheck } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm run verify:change [-- COMMIT]
Checks types, lint, the unit tests that import a file that changed since COMMIT, by default the last one, and the
integration tests of its folder.
npm run verify:change -- main checks a whole branch.`);
const [since = "HEAD"] = process.argv.slice(2);
const bin = (name) => `node_modules/.bin/${name}`;

const listFiles = (...args) => execFileSync("git", args, { encoding: "utf8" }).split("\n");
const base = execFileSync("git", ["merge-base", since, "HEAD"], { encoding: "utf8" }).trim();
const changed = [
  ...listFiles("diff", "--name-only", base),
  ...listFiles("ls-files", "--others", "--exclude-standard"),
].filter((file) => file && existsSync(file));

await performAll([
  [
    [["Types", () => runCheck("npm", ["run", "--silent", "typecheck"])]],
    [
      [
        "Lint",
        () => runOnChanged("biome", ["check", "--error-on-warnings", "--no-errors-on-unmatched"]),
      ],
      ["Import rules", () => runCheck("node", ["scripts/import-rules.mjs"])],
      [
        "Words and spelling",
        () => runOnChanged("cspell", ["--no-progress", "--quiet", "--no-must-find-files"]),
      ],
    ],
  ],
  // The service imports nearly everything, so its tests would take minutes.
  [[["Unit tests of what imports it", () => runTests(["unit"], ["--changed", base])]]],
  [[["Integration tests of its folders", runFolders]]],
]);

function runTests(projects, args) {
  const selected = projects.flatMap((name) => ["--project", name]);
  return runCheck(bin("vitest"), ["run", "--passWithNoTests", ...selected, ...args]);
}

async function runFolders() {
  const folders = [...new Set(changed.map(dirname))].filter((folder) => folder !== ".");
  const tests = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith(".test.ts") && !name.endsWith(".slow.test.ts"))
      .map((name) => join(folder, name)),
  );
  if (tests.length === 0) return { passed: 0, failed: 0 };
  return runTests(["integration", "inngest mode"], tests);
}

async function runOnChanged(program, args) {
  return changed.length === 0
    ? { passed: 0, failed: 0 }
    : runCheck(bin(program), [...args, ...changed]);
}
