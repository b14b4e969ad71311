import { execFile } from "node:child_process";
import { vi } from "vitest";
import { ensureCompiled } from "@/scripts/lib/build.mjs";
import { COMPILED } from "@/scripts/lib/compile.mjs";
import { emptyEnv } from "@/server/testing/process/process-env";

export interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

let compiled: Promise<void> | undefined;

/** Runs an operator's command, as an install runs it, to its end, with only `env` configured. */
export async function runCommand(
  name: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  compiled ??= ensureCompiled();
  await compiled;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--enable-source-maps", `${COMPILED}/scripts/${name}.mjs`, ...args],
      { env: { ...process.env, ...emptyEnv(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/**
 * Runs a command's function in this process, which takes a fraction of the time of another process. Vitest
 * restores the environment and the console after the test.
 */
export async function runInProcess(
  run: (args: string[]) => Promise<number>,
  args: string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  for (const [name, value] of Object.entries({ ...emptyEnv(), ...env })) vi.stubEnv(name, value);
  const printed = { stdout: "", stderr: "" };
  const capture = (method: "log" | "error", stream: "stdout" | "stderr") =>
    vi.spyOn(console, method).mockImplementation((text: string) => {
      printed[stream] += `${text}\n`;
    });
  capture("log", "stdout");
  capture("error", "stderr");
  return { code: await run(args), ...printed };
}
