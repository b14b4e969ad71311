import { z } from "zod";
import type { CheckResult, ObservedCheck } from "@/server/judging/checks/check";
import {
  type CodeExample,
  type CodeRun,
  codeExample,
  EXECUTABLE_LANGUAGES,
  type ExecutableLanguage,
  type ProgramRun,
} from "./code-run";
import { findExamples } from "./examples/find-examples";
import { translateLiterals } from "./examples/scan-literals";
import { findTaskLanguage, listPrograms } from "./programs";

const parameters = z.object({
  /** Null if the task names none; the code is then run in the language of the deliverable. */
  language: z.enum(EXECUTABLE_LANGUAGES).nullable(),
  examples: z.array(codeExample).min(1).max(30),
});
type Parameters = z.infer<typeof parameters>;

/** No single sentence of a task states its examples. */
const STATEMENT = "The program returns the demanded results for the examples of the task.";

const ENDLESS = "the program never ends, so no example could use it";

interface Observation {
  run: CodeRun;
  isFenced: boolean;
  isWholeFile: boolean;
}

/** Executes the deliverable's code on the examples that the task gives. */
export const codeExamplesCheck: ObservedCheck<Parameters, Observation> = {
  name: "code-examples",
  parameters,
  isProofOfWork: true,
  extract(task) {
    const examples = findExamples(task);
    if (examples.length === 0) return [];
    const language = findTaskLanguage(task);
    return [{ check: "code-examples", parameters: { language, examples }, statement: STATEMENT }];
  },
  describe: ({ examples }) =>
    examples.length === 1
      ? "The code does what an example demands"
      : `The code does what ${examples.length} examples demand`,
  async observe({ task, text: deliverable }, { language: wanted, examples }, io, options) {
    const found = listPrograms(task, deliverable, wanted);
    if (!found) return null;
    const { language, programs, isFenced, isWholeFile } = found;
    const job = {
      kind: "execute" as const,
      language,
      programs,
      examples: examples.map((one) => translateExample(one, language)),
    };
    return { run: await io.runCode(job, options), isFenced, isWholeFile };
  },
  run({ task }, { examples }, { run, isFenced, isWholeFile }) {
    if (run.kind !== "executed") return describeUnexecuted(run, examples);
    const lacksFunction =
      isFenced && examples.every(({ kind }) => kind === "assertion") && isMissing(run.programs);
    if (lacksFunction) {
      return { outcome: "fail", observed: "the function that the tests call is missing" };
    }
    const rated = rateRuns(run.programs, examples);
    if (!isFenced || rated.outcome !== "not-applicable") return rated;
    return findLoadFailure(task, run.programs, isWholeFile) ?? rated;
  },
};

function translateExample(one: CodeExample, language: ExecutableLanguage): CodeExample {
  const translate = (literal: string) => translateLiterals(literal, language);
  if (one.kind === "value" && one.setup === undefined && !one.isPrinted) {
    return { ...one, call: translate(one.call), expected: translate(one.expected) };
  }
  if (one.kind === "arguments") {
    const values = one.values.map(({ parameter, value: literal }) => ({
      parameter,
      value: translate(literal),
    }));
    return { ...one, values, expected: translate(one.expected) };
  }
  return one;
}

function describeUnexecuted(
  run: Exclude<CodeRun, { kind: "executed" }>,
  examples: readonly CodeExample[],
): CheckResult {
  if (run.kind === "limit" && run.limit === "time" && examples.every(isSmall)) {
    return { outcome: "fail", observed: ENDLESS };
  }
  return {
    outcome: "not-applicable",
    observed: run.kind === "limit" ? "it exceeds the sandbox's limits" : "it could not be executed",
  };
}

/** Returns whether programs that run without error define functions, but not the tested one. */
function isMissing(programs: readonly ProgramRun[]): boolean {
  return programs.every(
    ({ error, defined, results }) =>
      error === null &&
      defined.length > 0 &&
      results.length > 0 &&
      results.every(({ outcome }) => outcome === "undefined"),
  );
}

/**
 * Returns the failure of a deliverable that ends with an error or never, before any example can use
 * it. Returns null if it may only lack what the task or its reader provides.
 */
function findLoadFailure(
  task: string,
  programs: readonly ProgramRun[],
  isWholeFile: boolean,
): CheckResult | null {
  const whole = programs.at(-1);
  const isUnused = programs.every(
    ({ ending, results }) =>
      ending !== "unsupported" &&
      results.every(({ outcome }) => outcome === "undefined" || outcome === "limit"),
  );
  if (!whole || !isUnused) return null;
  if (whole.ending === "endless") return { outcome: "fail", observed: ENDLESS };
  const error = whole.error ?? "";
  const missing = /^NameError: name '(\w+)'|^ReferenceError: '?([\w$]+)'? is not/.exec(error);
  const name = missing?.[1] ?? missing?.[2];
  const isGiven =
    name !== undefined &&
    new RegExp(`(?<![\\w$])${name.replaceAll("$", "\\$")}(?![\\w$])`).test(task);
  const isSyntax = /^(?:Syntax|Indentation|Tab)Error/.test(error);
  if (whole.ending !== "crashed" || isGiven) return null;
  const isCertain = isWholeFile && programs.every(({ ending }) => ending === "crashed");
  if (isSyntax && !isCertain) return null;
  return {
    outcome: "fail",
    observed: "the program ends with an error, so no example could use it",
    detail: error,
  };
}

/** The deliverable counts as the program that satisfies most examples. */
function rateRuns(programs: readonly ProgramRun[], examples: readonly CodeExample[]): CheckResult {
  const [best] = programs
    .map((program) => rateProgram(program, examples))
    .filter(({ equal, failed }) => equal + failed.length > 0)
    .toSorted((a, b) => a.failed.length - b.failed.length || b.equal - a.equal);
  if (!best) return { outcome: "not-applicable", observed: "the examples could not be executed" };
  const { equal, failed } = best;
  const observed = `${equal} of ${equal + failed.length} examples as expected`;
  if (failed.length === 0) return { outcome: "pass", observed };
  return { outcome: "fail", observed, detail: failed.slice(0, 5).join("; ").slice(0, 2_000) };
}

/** Counts the examples that came out as expected, and describes those that failed. */
function rateProgram({ results }: ProgramRun, examples: readonly CodeExample[]) {
  const failed = results.flatMap(({ outcome, got }, index) => {
    const one = examples[index];
    if (!one) return [];
    if (outcome === "limit" && isSmall(one)) return [`${describeExample(one)} does not end`];
    if (outcome === "error") return [`${describeExample(one)} throws ${got}`];
    return outcome === "different" ? [`${describeExample(one)} results in ${got}`] : [];
  });
  return { equal: results.filter(({ outcome }) => outcome === "equal").length, failed };
}

/** Very large numbers may take long in a sandbox, even in good code. */
const isSmall = (one: CodeExample) => !/\d{5}/.test(JSON.stringify(one));

function describeExample(one: CodeExample): string {
  switch (one.kind) {
    case "value":
      return `${one.call} should be ${one.expected}, but`;
    case "error":
      return `${one.call} should throw ${one.error || "an error"}, but`;
    case "assertion":
      return one.statement;
    case "arguments":
      return `${one.values.map(({ parameter, value: literal }) => `${parameter} = ${literal}`).join(", ")} should give ${one.expected}, but`;
  }
}
