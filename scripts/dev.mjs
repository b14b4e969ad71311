// Runs Standing for development, in local mode: pages reload on edit, and the process restarts when
// server code changes.
import { once } from "node:events";
import { watch } from "node:fs";
import { getSignalExitCode, startChild } from "./lib/child-processes.mjs";
import { printError } from "./lib/command-error.mjs";
import { compileOnChange } from "./lib/compile.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { offerHelp } from "./lib/help.mjs";

/** A process that takes longer to stop is killed; the next start recovers. */
const STOP_TIMEOUT_MS = 15_000;

let service = null;
/** The current restart. It includes changes that arrive before the new process starts. */
let restarting = null;

offerHelp(`Usage: npm run dev
Runs the service as npm start does; pages reload on edit, and the process restarts when server code changes.`);
try {
  await ensureDependencies({ tools: true });
  await compileOnChange(restart);
  // The process reads these by path, so the compiler does not watch them.
  watch("server/db/migrations", { recursive: true }, restart);
  watch("server/db/functions", restart);
} catch (error) {
  printError(error);
  process.exit(1);
}

function restart() {
  restarting ??= stop().then(start);
}

async function stop() {
  if (!service) return;
  console.log("\n  Server code changed: restarting.\n");
  const running = service;
  const ended = once(running, "exit");
  running.kill("SIGTERM");
  const timer = setTimeout(() => running.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

function start() {
  restarting = null;
  if (getSignalExitCode()) process.exit(getSignalExitCode());
  // Closing the IPC channel stops the service even if this process is killed.
  const started = startChild("node", ["--enable-source-maps", ".dev/server.mjs"], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" },
  });
  service = started;
  started.once("exit", () => {
    if (getSignalExitCode()) process.exit(getSignalExitCode());
    service = null;
    if (!restarting) console.log("\n  The service ended: it restarts when its code changes.");
  });
}
