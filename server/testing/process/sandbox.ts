import { expect } from "vitest";
import type {
  CodeExample,
  CodeRun,
  ExecutableLanguage,
} from "@/server/judging/checks/code/code-run";
import { executeCode } from "@/server/judging/checks/code/sandbox/execute-code";

/** An example whose call must have a value, in the program's language. */
export const value = (call: string, expected = "None"): CodeExample => ({
  kind: "value",
  call,
  expected,
});

/** Executes programs on examples, under other limits than the usual ones if `limits` has any. */
export const execute = (
  language: ExecutableLanguage,
  program: string | string[],
  examples: CodeExample[],
  limits = {},
): Promise<CodeRun> =>
  executeCode(
    { kind: "execute", language, programs: [program].flat(), examples },
    // With a limit on the time, the short run would only take its time in vain.
    { short: "cpuMs" in limits ? { cpuMs: 1 } : limits, long: limits },
  );

/** Executes programs and returns the outcome of every example, as "equal: 5". */
export async function listResults(...args: Parameters<typeof execute>): Promise<string[]> {
  const run = await execute(...args);
  if (run.kind !== "executed") return [JSON.stringify(run)];
  return run.programs.flatMap(({ results }) =>
    results.map(({ outcome, got }) => `${outcome}: ${got}`),
  );
}

/** Programs with a function that adds two numbers. */
export const PYTHON_ADD = "def add(a, b):\n    return a + b\n";
export const SCRIPT_ADD = "export const add = (a, b) => a + b;";

/** Runs a test file on a program and expects its outcome; `unknown`: any but `equal`. */
export async function expectTestOutcome(
  language: ExecutableLanguage,
  program: string,
  tests: string,
  outcome: string,
): Promise<void> {
  const run = await executeCode(
    { kind: "test", language, programs: [program], tests },
    { short: { exampleMs: 300 }, long: { exampleMs: 300, cpuMs: 4_000 } },
  );
  expect(run).toMatchObject({
    kind: "executed",
    programs: [{ results: [{ outcome: outcome === "unknown" ? expect.anything() : outcome }] }],
  });
  const [result] = run.kind === "executed" ? (run.programs[0]?.results ?? []) : [];
  expect(result?.outcome === "equal").toBe(outcome === "equal");
}
