import type { ObserveOptions } from "@/server/judging/checks/check";
import { inWorker } from "@/server/lib/process/worker-pool";
import type { CodeJob, CodeRun, SyntaxFault } from "./code-run";
import { executeCode } from "./sandbox/execute-code";
import type { parseCode } from "./syntax/parse-code";

const parseInWorker = inWorker<Parameters<typeof parseCode>, SyntaxFault | null>(
  "server/judging/checks/code/syntax/parse-code.ts",
  "parseCode",
  { lane: "heavy" },
);

/** Parses code in a worker thread, or executes it in a sandbox. Never throws. */
export async function runCode(job: CodeJob, options?: ObserveOptions): Promise<CodeRun> {
  if (job.kind === "execute") return executeCode(job, options);
  const { language, code } = job;
  if (language === "python") return compilePython(code, options);
  try {
    const parsed = await parseInWorker.for(options?.queueKey)(language, code);
    return parsed.ok
      ? { kind: "parsed", error: parsed.value }
      : { kind: "limit", limit: parsed.limit };
  } catch {
    return { kind: "unavailable", reason: "the parser failed" };
  }
}

/** Compiles Python with its own interpreter. Without examples, the sandbox executes nothing. */
async function compilePython(code: string, options?: ObserveOptions): Promise<CodeRun> {
  const run = await executeCode(
    { kind: "execute", language: "python", programs: [code], examples: [] },
    options,
  );
  if (run.kind !== "executed") return run;
  const message = run.programs[0]?.error ?? null;
  if (message === null) return { kind: "parsed", error: null };
  const line = Number(/line (\d+)\)$/.exec(message)?.[1] ?? 1);
  return { kind: "parsed", error: { line, message: message.slice(0, 200) } };
}
