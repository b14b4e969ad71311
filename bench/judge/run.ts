import { CommandError } from "@/scripts/lib/command-error.mjs";
import { loadDotEnv } from "@/scripts/lib/dot-env.mjs";
import { parseEnv } from "@/server/lib/env";
import { StartupError } from "@/server/lib/errors";
import { runCommand } from "./command";
import { HELP, parseOptions } from "./options";

const stop = new AbortController();
process.once("SIGINT", () => {
  stop.abort();
  process.once("SIGINT", () => process.exit(130));
});

try {
  const options = parseOptions(process.argv.slice(2));
  if (!options) console.log(HELP);
  else {
    loadDotEnv();
    const text = await runCommand(options, {
      env: options.isBuiltin ? parseEnv({}) : parseEnv(),
      root: process.cwd(),
      progress: process.stderr,
      today: new Date().toISOString().slice(0, 10),
      signal: stop.signal,
    });
    console.log(text);
  }
} catch (error) {
  if (stop.signal.aborted) {
    console.error(
      "\nStopped. With --record, the responses so far are stored and the same command continues from there.",
    );
    process.exitCode = 130;
  } else if ([CommandError, StartupError].some((kind) => error instanceof kind)) {
    console.error((error as Error).message);
    process.exitCode = 1;
  } else throw error;
}
