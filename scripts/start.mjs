// Starts Standing from a fresh checkout: installs dependencies and builds if needed, then serves.
// Plain JavaScript without imports from npm, because nothing may be installed yet.
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { ensureBuild } from "./lib/build.mjs";
import { getSignalExitCode, startChild, stopChildren } from "./lib/child-processes.mjs";
import { fail, printError } from "./lib/command-error.mjs";
import { SERVER_ARGS } from "./lib/compile.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { loadDotEnv } from "./lib/dot-env.mjs";
import { offerHelp } from "./lib/help.mjs";
import { onNpmEnd } from "./lib/npm-end.mjs";

/** Time to stop after the drain; longer than the service allows itself. */
const STOP_TIMEOUT_MS = 60_000;

offerHelp(`Usage: npm start
Installs and builds what is missing, and runs the service until Ctrl-C. PORT, DATA_DIR and the other variables of
docs/operations.md configure it; without any, it runs everything locally.`);
try {
  process.env.NODE_ENV = "production";
  loadDotEnv();
  await requireFreePort(process.env.PORT || "3000", process.env.HOST || "127.0.0.1");
  await ensureDependencies();
  await ensureBuild();
  onNpmEnd("start", () => stopChildren("SIGTERM"));
  process.exit(getSignalExitCode() ?? (await serve()));
} catch (error) {
  printError(error);
  process.exit(1);
}

/** Fails if the port is taken, before minutes of installing and building. */
async function requireFreePort(port, host) {
  if (!/^\d+$/.test(port) || Number(port) > 65_535) {
    fail(`PORT is ${port}: it must be a whole number from 0 to 65535.`);
  }
  let errorCode = await getListenError(Number(port), host);
  // A killed service may take a moment to release its port.
  for (let tries = 1; errorCode === "EADDRINUSE" && tries < 10; tries++) {
    await pause(200);
    errorCode = await getListenError(Number(port), host);
  }
  if (errorCode === "EADDRINUSE") {
    fail(
      `Port ${port} is taken: stop the program that uses it, or choose another port with PORT=3001 npm start.`,
    );
  }
  if (errorCode === "EACCES") fail(`Port ${port} needs root rights: set PORT to one above 1023.`);
  if (errorCode) fail(`Cannot listen on ${host}:${port} (${errorCode}): check HOST and PORT.`);
}

function getListenError(port, host) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", ({ code }) => resolve(code));
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
}

/** Runs the service until it ends. Resolves to the exit code. */
function serve() {
  // Closing the IPC channel stops the service even if this process is killed.
  const service = startChild("node", SERVER_ARGS, {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
  });
  const timer = setInterval(() => {
    if (!getSignalExitCode()) return;
    clearInterval(timer);
    const drainMs = (Number(process.env.DRAIN_SECONDS) || 0) * 1_000;
    setTimeout(() => service.kill("SIGKILL"), drainMs + STOP_TIMEOUT_MS).unref();
  }, 1_000).unref();
  return new Promise((resolve) => {
    service.once("exit", (code, signal) => {
      if (signal && !getSignalExitCode()) {
        process.stderr.write(
          `\n${signal} ended the service. Nothing is lost: the next npm start continues from there.\n`,
        );
      }
      // A stop signal that arrives before the service handles signals kills it: also a clean stop.
      resolve(code ?? (getSignalExitCode() ? 0 : 1));
    });
  });
}
