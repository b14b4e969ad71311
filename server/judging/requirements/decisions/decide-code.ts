import type { CheckIo } from "@/server/judging/checks/check";
import type {
  CodeJob,
  CodeRun,
  ExecutableLanguage,
  ProgramRun,
} from "@/server/judging/checks/code/code-run";
import { getLabelledLanguage } from "@/server/judging/checks/code/programs";
import { extractFencedBlocks } from "@/server/judging/checks/text/layout";
import { JudgeUnavailable } from "@/server/judging/judge";
import type { DecideOptions } from "@/server/judging/requirements/requirement-decider";
import type { RequirementOf } from "@/server/judging/requirements/schema";
import { count, type Decision, OVER_LIMITS, shortenDetail } from "./reading";

export type CodeRequirement = RequirementOf<"parses" | "examples" | "tests">;

const MAX_CODE = 100_000;
/** After so many that exceed the limits, the others count as such too: one alone decides the verdict. */
const MAX_SLOW = 3;

/**
 * Decides requirements about the program of a text, in their order. Throws `JudgeUnavailable` if the
 * sandbox does not start or is overloaded.
 */
export async function decideCode(
  text: string,
  requirements: readonly CodeRequirement[],
  { runCode }: CheckIo,
  { world, ...options }: DecideOptions,
): Promise<Decision[]> {
  const decisions: Decision[] = [];
  let slow = 0;
  for (const requirement of requirements) {
    const program = extractProgram(text, requirement.language);
    if (program.length > MAX_CODE) {
      decisions.push({ passed: false, observed: `more than ${count(MAX_CODE, "character")}` });
      continue;
    }
    if (slow >= MAX_SLOW) {
      decisions.push(OVER_LIMITS);
      continue;
    }
    const run = await runCode({ ...toJob(requirement, program), ...(world && { world }) }, options);
    options.signal?.throwIfAborted();
    if (run.kind === "unavailable")
      throw new JudgeUnavailable("The code sandbox is not available.");
    if (isOverLimit(run)) slow += 1;
    decisions.push(decideRun(run, requirement));
  }
  return decisions;
}

/**
 * Extracts the program of a text: its fenced blocks in the language, else those without a language,
 * joined; else the whole text.
 */
function extractProgram(text: string, language: ExecutableLanguage): string {
  const blocks = extractFencedBlocks(text);
  const inLanguage = blocks.filter((block) => getLabelledLanguage(block.language) === language);
  const used = inLanguage.length > 0 ? inLanguage : blocks.filter((block) => block.language === "");
  return used.length > 0 ? used.map(({ code }) => code).join("\n\n") : text;
}

function toJob(requirement: CodeRequirement, program: string): CodeJob {
  const job = { language: requirement.language, programs: [program] };
  switch (requirement.check) {
    case "parses":
      return { ...job, kind: "compile" };
    case "tests":
      return { ...job, kind: "test", tests: requirement.file };
    case "examples": {
      const examples = requirement.calls.map(({ call, result }) => ({
        kind: "value" as const,
        call,
        expected: result,
      }));
      return { ...job, kind: "execute", examples };
    }
  }
}

const isOverLimit = (run: CodeRun): boolean =>
  run.kind === "limit" ||
  (run.kind === "executed" &&
    run.programs.some(
      ({ ending, results }) =>
        ending === "endless" || results.some(({ outcome }) => outcome === "limit"),
    ));

function decideRun(run: CodeRun, requirement: CodeRequirement): Decision {
  const program = run.kind === "executed" ? run.programs[0] : undefined;
  if (!program) return { passed: false, observed: "exceeds the limits on time, memory or output" };
  switch (requirement.check) {
    case "parses":
      return program.error === null
        ? { passed: true, observed: "valid" }
        : { passed: false, observed: "a syntax error", detail: program.error };
    case "tests":
      return decideTests(program);
    case "examples":
      return decideExamples(program, requirement);
  }
}

function decideTests({ ending, error, results }: ProgramRun): Decision {
  const [result] = results;
  if (result?.outcome === "equal") return { passed: true, observed: "the tests pass" };
  if (error !== null) {
    const observed =
      ending === "endless" ? "the program does not end" : "the program ends with an error";
    return { passed: false, observed, detail: error };
  }
  return result?.outcome === "limit"
    ? { passed: false, observed: "the tests exceed the limits on time or memory" }
    : { passed: false, observed: "a test fails", detail: result?.got ?? "" };
}

function decideExamples(
  { error, results }: ProgramRun,
  { calls }: RequirementOf<"examples">,
): Decision {
  const failed = calls.flatMap(({ call, result }, index) => {
    const { outcome = "limit", got = "" } = results[index] ?? {};
    return outcome === "equal" ? [] : [`${call} should be ${result}: ${outcome}, ${got}`];
  });
  const observed = `${calls.length - failed.length} of ${calls.length} as agreed`;
  if (failed.length === 0) return { passed: true, observed };
  const reasons = error === null ? failed : [`The program ends with ${error}`, ...failed];
  return { passed: false, observed, detail: shortenDetail(reasons.join("\n")) };
}
