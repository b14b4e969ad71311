import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";

export interface Said {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one of `scripts/` to its end, with only `env` configured. */
export function runScript(
  file: string,
  args: string[],
  env: Record<string, string> = {},
): Promise<Said> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--import", "tsx", `scripts/${file}`, ...args],
      { env: { ...process.env, ...unconfigured(), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/**
 * Returns every documented variable as empty: neither a shell nor a .env file may affect a test.
 */
export function unconfigured(): Record<string, string> {
  const names = readFileSync(".env.example", "utf8").matchAll(/^#?([A-Z][A-Z_]+)=/gm);
  return Object.fromEntries([...names].map(([, name]) => [name, ""]));
}
