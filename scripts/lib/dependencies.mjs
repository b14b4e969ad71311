import { existsSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import { run } from "./child-processes.mjs";
import { fail } from "./command-error.mjs";
import { OLDEST_NODE } from "./compile.mjs";
import { printStage } from "./print-stage.mjs";

const LOCK = "package-lock.json";
/** npm's list of the installed packages, which it writes when an installation is complete. */
const INSTALLED = "node_modules/.package-lock.json";
/** A package of the SDK, which the commands use. */
const CLIENT = "node_modules/openapi-fetch";
/** One of the tools, which are installed together. */
const TOOL = "node_modules/vitest";
/** The Node of `optionalDependencies`. Platforms for which npm has none use the installed one. */
const LOCAL_NODE = "node_modules/.bin/node";

/**
 * Installs the locked dependencies unless they are in place, and lets every program that this process
 * starts later run on their Node. The workspace `packages/tools`, which holds what only tests and
 * development need, is included if `tools` is set.
 */
export async function ensureDependencies({ tools = false } = {}) {
  await printStage("Dependencies", async () => {
    if (isInstalled(tools)) return "in place";
    // npm would remove tools that are installed already.
    const keepTools = tools || existsSync(TOOL);
    // Another terminal may run the service from this folder: npm ci would empty it first.
    const command = isInstalled(false) ? ["install", "--no-save"] : ["ci"];
    const { ok, output } = await run("npm", [
      ...command,
      keepTools ? "--workspaces" : "--workspace=packages/sdk",
      "--include-workspace-root",
      // Some packages refuse the Node that runs npm; they run on the one installed here.
      "--engine-strict=false",
      // Includes optional platform binaries, whatever NODE_ENV and npm's settings say.
      "--include=dev",
      "--include=optional",
      "--include=peer",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--loglevel=error",
    ]);
    if (!ok) {
      // The first lines give the cause; the indented ones are npm's stack or usage.
      const lines = output.split("\n").filter((line) => !/^npm error( {2,}.*)?$/.test(line));
      process.stderr.write(`${lines.slice(0, 8).join("\n").trimEnd()}\n`);
      fail(
        "Installing the dependencies failed: fix what npm printed above, and run the command again.",
      );
    }
    return "installed";
  });
  selectNode();
}

/** Returns whether npm completed an installation of the current lock file. */
function isInstalled(tools) {
  if (![INSTALLED, CLIENT, ...(tools ? [TOOL] : [])].every((path) => existsSync(path)))
    return false;
  return statSync(INSTALLED).mtimeMs >= statSync(LOCK).mtimeMs;
}

/** Puts the local Node first on the path, as npm does for scripts. */
function selectNode() {
  if (existsSync(LOCAL_NODE)) {
    process.env.PATH = `${resolve("node_modules/.bin")}${delimiter}${process.env.PATH}`;
  } else if (Number(process.versions.node.split(".")[0]) < OLDEST_NODE) {
    fail(`Node ${process.versions.node} is too old: Standing needs Node ${OLDEST_NODE} or later.`);
  }
}
