// Checks a change in a fraction of the time of npm test: types, lint, and the tests that import what changed.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { performAll } from "./lib/checklist.mjs";
import { offerHelp } from "./lib/help.mjs";
import { runCheck } from "./lib/test-runners.mjs";

offerHelp(`Usage: npm run verify:change [-- COMMIT]
Checks types, and lint and tests of the files that changed since COMMIT, by default since the last commit.
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
  [
    [
      [
        "Tests of what changed",
        () => runCheck(bin("vitest"), ["run", "--project", "!slow*", "--changed", base]),
      ],
    ],
  ],
]);

async function runOnChanged(program, args) {
  return changed.length === 0
    ? { passed: 0, failed: 0 }
    : runCheck(bin(program), [...args, ...changed]);
}
