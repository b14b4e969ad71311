import type { CheckResult, ObservedCheck } from "@/server/judging/checks/check";
import { joinCounts, joinWithin } from "@/server/judging/checks/text/facts";
import type { CodeExample, CodeRun, ExecutableLanguage, ProgramRun } from "./code-run";
import { findExamples } from "./examples/find-examples";
import { translateLiterals } from "./examples/scan-literals";
import { findTaskLanguage, listPrograms } from "./programs";

interface Parameters {
  /** Null if the task names none; the code is then run in the language of the deliverable. */
  language: ExecutableLanguage | null;
  /** At least one. */
  examples: CodeExample[];
}

/** No single sentence of a task states its examples. */
const STATEMENT = "The program returns the demanded results for the examples of the task.";

const ENDLESS = "the program does not end in time, so no example could use it";

interface Observation {
  run: CodeRun;
  isFenced: boolean;
  isWholeFile: boolean;
}

/** Executes the deliverable's code on the examples that the task gives. */
export const codeExamplesCheck: ObservedCheck<Parameters, Observation> = {
  name: "code-examples",
  isProofOfWork: true,
  extract(task) {
    const examples = findExamples(task);
    if (examples.length === 0) return [];
    const language = findTaskLanguage(task);
    return [{ check: "code-examples", parameters: { language, examples }, statement: STATEMENT }];
  },
  describe: ({ examples }) =>
    `The task gives ${examples.length === 1 ? "an example" : `${examples.length} examples`} of what the code must do`,
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
    const rated = rateRuns(run.programs, examples);
    if (!isFenced || rated.outcome !== "not-applicable") return rated;
    return findLoadFailure(task, run.programs, isWholeFile) ?? rated;
  },
};

function translateExample(one: CodeExample, language: ExecutableLanguage): CodeExample {
  const translate = (literal: string) => translateLiterals(literal, language);
  if (one.kind === "value" && one.setup === undefined) {
    return { ...one, call: translate(one.call), expected: translate(one.expected) };
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
    .filter(({ equal, failed }) => equal.length + failed.length > 0)
    .toSorted((a, b) => a.failed.length - b.failed.length || b.equal.length - a.equal.length);
  if (!best) return { outcome: "not-applicable", observed: "the examples could not be executed" };
  const { equal, failed } = best;
  return {
    outcome: failed.length === 0 ? "pass" : "fail",
    observed: joinCounts([
      [equal.length, "as demanded"],
      [failed.length, "not as demanded"],
      [examples.length - equal.length - failed.length, "could not be executed"],
    ]),
    detail: joinWithin([...failed, ...equal], "; "),
  };
}

/** Describes each example that was executed with what came out. */
function rateProgram({ results }: ProgramRun, examples: readonly CodeExample[]) {
  const equal: string[] = [];
  const failed: string[] = [];
  for (const [index, { outcome, got }] of results.entries()) {
    const one = examples[index];
    if (!one) continue;
    const demand = describeExample(one);
    if (outcome === "equal") equal.push(`${demand}: right`);
    if (outcome === "limit" && isSmall(one)) failed.push(`${demand}: does not end`);
    if (outcome === "error") failed.push(`${demand}: throws ${got}`);
    if (outcome === "different") failed.push(`${demand}: results in ${got}`);
  }
  return { equal, failed };
}

/** Very large numbers may take long in a sandbox, even in good code. */
const isSmall = (one: CodeExample) => !/\d{5}/.test(JSON.stringify(one));

function describeExample(one: CodeExample): string {
  switch (one.kind) {
    case "value":
      return `${one.call} should be ${one.expected}`;
    case "error":
      return `${one.call} should throw ${one.error || "an error"}`;
    case "assertion":
      return one.statement;
  }
}
