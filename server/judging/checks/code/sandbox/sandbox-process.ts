import { spawn } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/**
 * How a sandbox process ended. `output` is what it wrote, complete or not. `time`: it used up its CPU
 * time. `overload`: it got too little CPU time to finish. `failed`: it could not start, or crashed.
 */
export interface SandboxResult {
  output: Buffer;
  /** The beginning of what Node wrote about an error. */
  errorText: string;
  end: "done" | "time" | "output" | "overload" | "failed";
}

export interface SandboxLimits {
  /** CPU time; wall-clock time may be twenty times as long, on a busy machine. */
  cpuMs: number;
  maxOutput: number;
}

const CHECK_INTERVAL_MS = 100;
const MAX_WALL_TIME_FACTOR = 20;
const HEAP_MB = 256;
/** CPU time beyond the limit after which the system ends a process. */
const SPARE_SECONDS = 5;
const MAX_ERROR_TEXT = 4_000;
const STACK_KB = 4_000;
/** Clock ticks per second of `/proc`, which Linux fixes at 100. */
const TICK_MS = 10;

/**
 * Runs a script of this folder in a process of its own, without environment, network and file access
 * except for reading its own code, and kills the process at its limits. Never throws.
 */
export function runSandboxProcess(
  script: string,
  args: readonly string[],
  input: readonly Buffer[],
  { cpuMs, maxOutput }: SandboxLimits,
  signal?: AbortSignal,
): Promise<SandboxResult> {
  // Relative to the project's folder and not to this file, which Next and esbuild bundle.
  const root = realpathSync(process.cwd());
  const folder = join(root, "server/judging/checks/code/sandbox");
  return new Promise((resolve) => {
    const child = spawn(
      "/bin/sh",
      [
        "-c",
        // The system also ends it if this process dies first. Programs never slow this one down.
        'ulimit -t "$0" && exec nice -n 5 /usr/bin/env -i "$@"',
        String(Math.ceil(cpuMs / 1_000) + SPARE_SECONDS),
        process.execPath,
        "--permission",
        `--allow-fs-read=${realpathSync(join(root, "node_modules"))}/`,
        `--allow-fs-read=${folder}/`,
        `--allow-fs-read=${join(root, "package.json")}`,
        // A program that escapes its interpreter can't create JavaScript code.
        "--disallow-code-generation-from-strings",
        "--no-warnings",
        // Interpreters recurse deeper than ordinary code; the system allows 8 MB.
        `--stack-size=${STACK_KB}`,
        `--max-old-space-size=${HEAP_MB}`,
        join(folder, script),
        ...args,
      ],
      {
        cwd: folder,
        env: {} as NodeJS.ProcessEnv,
        stdio: "pipe",
      },
    );
    const chunks: Buffer[] = [];
    let length = 0;
    let errorText = "";
    let end: SandboxResult["end"] | undefined;
    const stop = (reason: SandboxResult["end"]) => {
      end ??= reason;
      child.kill("SIGKILL");
    };
    const started = performance.now();
    const timer = setInterval(() => {
      const elapsed = performance.now() - started;
      const used = (child.pid && readCpuTimeMs(child.pid)) ?? elapsed;
      if (used >= cpuMs) stop("time");
      else if (elapsed >= cpuMs * MAX_WALL_TIME_FACTOR) stop("overload");
    }, CHECK_INTERVAL_MS);
    const abort = () => stop("failed");
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
    child.stdout.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > maxOutput) stop("output");
      else chunks.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errorText = (errorText + text).slice(0, MAX_ERROR_TEXT);
    });
    child.stdin.on("error", () => {});
    for (const part of input) child.stdin.write(part);
    child.stdin.end();
    const finish = (code: number | null) => {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
      const output = Buffer.concat(chunks);
      resolve({ output, errorText, end: end ?? (code === 0 ? "done" : "failed") });
    };
    child.on("error", ({ message }) => {
      errorText ||= message;
      finish(null);
    });
    child.on("close", finish);
  });
}

/** Returns the CPU time that a process has used; null if Linux does not report it. */
function readCpuTimeMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in parentheses, which may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return null;
  }
}
