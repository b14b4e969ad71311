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
