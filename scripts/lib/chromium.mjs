import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { run } from "./child-processes.mjs";
import { fail } from "./command-error.mjs";
import { ensureDependencies } from "./dependencies.mjs";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC_PATH = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const MINUTE_MS = 60_000;

/** Launch flags: allow running as root in a container, and connect only to the service. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Resolves to the path of a working Chromium: CHROMIUM_PATH, an installed one, or one that it
 * installs. Throws a `CommandError` if there is none.
 */
export async function findChromium() {
  const configured = process.env.CHROMIUM_PATH;
  if (configured && !(await canRun(configured)))
    fail(`CHROMIUM_PATH is ${configured}, which does not run.`);
  return (
    configured ||
    (await findInstalled()) ||
    (await install()) ||
    fail(
      "No Chromium was found, and installing one failed: install it and set CHROMIUM_PATH to its path.",
    )
  );
}

/**
 * Launches Chromium through Playwright. Installs both if they are missing. Throws a `CommandError`.
 * @param args Flags besides `CHROMIUM_FLAGS`.
 */
export async function launchChromium(args = []) {
  await ensureDependencies({ tools: true });
  const { chromium } = await import("playwright/test");
  return chromium.launch({
    executablePath: await findChromium(),
    args: [...CHROMIUM_FLAGS, ...args],
  });
}

async function findInstalled() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const paths = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const path of [...paths, MAC_PATH, getPlaywrightPath()]) {
    if (path && existsSync(path) && (await canRun(path))) return path;
  }
  return null;
}

/** Returns whether it runs: it may lack libraries, or be a stub that only prints how to install it. */
async function canRun(path) {
  return (await run(path, ["--version"], { timeoutMs: MINUTE_MS })).ok;
}

function getPlaywrightPath() {
  const require = createRequire(import.meta.url);
  return require("playwright").chromium.executablePath();
}

/**
 * Installs Chromium and resolves to its path, or null if that fails. Debian's package includes the libraries but needs root. Playwright's download
 * comes from another host, which some networks block, so it has a time limit.
 */
async function install() {
  console.log("Chromium was not found: installing it, which takes a minute or more.");
  const isRoot = process.getuid?.() === 0;
  const apt = (...args) => ["apt-get", args, 10 * MINUTE_MS];
  const attempts = [
    ...(isRoot ? [apt("update", "-qq")] : []),
    ...(isRoot ? [apt("install", "-y", "-qq", "--no-install-recommends", "chromium")] : []),
    ["node_modules/.bin/playwright", ["install", "chromium"], 3 * MINUTE_MS],
  ];
  for (const [program, args, timeoutMs] of attempts) {
    await run(program, args, { timeoutMs, env: { DEBIAN_FRONTEND: "noninteractive" } });
    const found = await findInstalled();
    if (found) return found;
  }
  return null;
}
