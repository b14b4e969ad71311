import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "./child-processes.mjs";
import { fail } from "./command-error.mjs";
import { printStage } from "./print-stage.mjs";

/** npm's list of the installed packages. */
const INSTALLED = "node_modules/.package-lock.json";
/** Number of files per package, written after an installation. */
const FILE_COUNTS = "node_modules/.file-counts.json";

export function requireNodeVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: Standing needs Node 20.19 or later.`);
}

/** Installs the locked dependencies unless all of them are present and complete. */
export function ensureDependencies() {
  return printStage("Dependencies", async () => {
    if (isInstalled()) return "in place";
    // Includes optional platform binaries and the test tools: `npm test` must work after this.
    const { ok, output } = await run("npm", [
      ...["ci", "--include=dev", "--include=optional", "--include=peer"],
      ...["--no-audit", "--no-fund", "--prefer-offline", "--loglevel=error"],
    ]);
    if (!ok) {
      // The first lines give the cause; the indented ones are npm's stack or usage.
      const lines = output.split("\n").filter((line) => !/^npm error( {2,}.*)?$/.test(line));
      process.stderr.write(`${lines.slice(0, 8).join("\n").trimEnd()}\n`);
      fail(
        "Installing the dependencies failed: fix what npm printed above, and run the command again.",
      );
    }
    storeFileCounts();
    return "installed";
  });
}

/** Returns whether the installed packages match the lock file, and all files are present. */
function isInstalled() {
  if (!existsSync(INSTALLED)) return false;
  const wanted = readJson("package-lock.json").packages;
  const found = readJson(INSTALLED).packages;
  const matches = Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    if (!found[path]) return Boolean(entry.optional || entry.peer);
    return found[path].version === entry.version && existsSync(`${path}/package.json`);
  });
  if (!matches) return false;
  const { record, counts } = existsSync(FILE_COUNTS) ? readJson(FILE_COUNTS) : {};
  // This script did not install it, so npm's list is trusted.
  if (record !== readFileSync(INSTALLED, "utf8")) return storeFileCounts();
  return Object.entries(counts).every(([path, count]) => countFiles(path) >= count);
}

/** Stores the number of files per package, to detect packages that later lose some. Returns true. */
function storeFileCounts() {
  const record = readFileSync(INSTALLED, "utf8");
  const paths = Object.keys(JSON.parse(record).packages).filter(isInstalledFolder);
  const counts = Object.fromEntries(paths.map((path) => [path, countFiles(path)]));
  try {
    writeFileSync(FILE_COUNTS, JSON.stringify({ record, counts }));
  } catch {
    // A read-only folder cannot lose files.
  }
  return true;
}

/** Returns whether npm filled the folder. The folders of workspaces hold sources, which may change. */
function isInstalledFolder(path) {
  return path.includes("node_modules/") && existsSync(path) && !lstatSync(path).isSymbolicLink();
}

function countFiles(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((count, entry) => {
    if (!entry.isDirectory()) return count + 1;
    return entry.name === "node_modules" ? count : count + countFiles(`${folder}/${entry.name}`);
  }, 0);
}

const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
