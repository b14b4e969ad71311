import { execFile } from "node:child_process";
import { join } from "node:path";
import { inject } from "vitest";
import { compile } from "@/scripts/lib/compile.mjs";
import { emptyEnv } from "@/server/testing/process/process-env";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

let compiled: Promise<string> | undefined;

/** Compiles the operator's commands once per test process: loading their sources takes seconds. */
function compileCommands(): Promise<string> {
  compiled ??= (async () => {
    const folder = join(inject("runFolder"), `commands-${process.pid}`);
    await compile({ outdir: folder });
    return folder;
  })();
  return compiled;
}

/** Runs an operator's command, as an install runs it, to its end, with only `env` configured. */
export async function runCommand(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const file = `${await compileCommands()}/scripts/${name}.mjs`;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--enable-source-maps", file, ...args],
      { env: { ...process.env, ...emptyEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}
