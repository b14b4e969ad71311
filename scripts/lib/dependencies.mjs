import { existsSync, lstatSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "./child-processes.mjs";
import { fail } from "./command-error.mjs";
import { printStage } from "./print-stage.mjs";

const LOCK = "package-lock.json";
/** npm's list of the installed packages. */
const INSTALLED = "node_modules/.package-lock.json";
/** Number of files per package, and what was installed; written after an installation. */
const FILE_COUNTS = "node_modules/.file-counts.json";

export function requireNodeVersion() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  fail(`Node ${process.versions.node} is too old: Standing needs Node 20.19 or later.`);
}

/**
 * Installs the locked dependencies unless all of them are present and complete. The workspaces, which
 * hold what only tests and development need, are included if `tools` is set.
 */
export function ensureDependencies({ tools = false } = {}) {
  return printStage("Dependencies", async () => {
    if (isInstalled(tools)) return "in place";
    // Another terminal may run the service from these folders: npm ci would empty them first.
    const command = isInstalled(false) ? ["install", "--no-save"] : ["ci"];
    const { ok, output } = await run("npm", [
      ...[...command, `--workspaces=${tools}`, "--include-workspace-root"],
      // Includes optional platform binaries, whatever NODE_ENV and npm's settings say.
      ...["--include=dev", "--include=optional", "--include=peer"],
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
    storeFileCounts(tools);
    return "installed";
  });
}

/** Returns whether the installed packages match the lock file, and all files are present. */
function isInstalled(tools) {
  if (!existsSync(INSTALLED)) return false;
  const stored = existsSync(FILE_COUNTS) ? readJson(FILE_COUNTS) : {};
  if (stored.record !== readFileSync(INSTALLED, "utf8")) {
    // This script did not install it, so npm's list is trusted if nothing is missing in it.
    return matchesLock() && storeFileCounts(true);
  }
  return (
    stored.lock === readFileSync(LOCK, "utf8") &&
    (stored.tools || !tools) &&
    Object.entries(stored.counts).every(([path, count]) => countFiles(path) >= count)
  );
}

/** Returns whether all packages of the lock file, tools included, are installed in their versions. */
function matchesLock() {
  const found = readJson(INSTALLED).packages;
  return Object.entries(readJson(LOCK).packages).every(([path, entry]) => {
    if (path === "") return true;
    if (!found[path]) return Boolean(entry.optional || entry.peer);
    return found[path].version === entry.version && existsSync(`${path}/package.json`);
  });
}

/** Stores the number of files per package, to detect packages that later lose some. Returns true. */
function storeFileCounts(tools) {
  const record = readFileSync(INSTALLED, "utf8");
  const lock = readFileSync(LOCK, "utf8");
  const paths = Object.keys(JSON.parse(record).packages).filter(isInstalledFolder);
  const counts = Object.fromEntries(paths.map((path) => [path, countFiles(path)]));
  try {
    writeFileSync(FILE_COUNTS, JSON.stringify({ record, lock, tools, counts }));
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
