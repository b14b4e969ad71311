/** Languages that can be executed. */
export const EXECUTABLE_LANGUAGES = ["javascript", "typescript", "python"] as const;
export type ExecutableLanguage = (typeof EXECUTABLE_LANGUAGES)[number];

/** One example to execute. All code is in the program's language. */
export type CodeExample =
  /** The value of `call` must equal that of the expression `expected`. */
  | {
      kind: "value";
      call: string;
      expected: string;
      /** Statements to run first. */
      setup?: string | undefined;
      /** Whether the order of a returned list is free. */
      isUnordered?: boolean | undefined;
      /** Whether the printed text counts when the call returns nothing. */
      isPrinted?: boolean | undefined;
      /** How far a number may be from a result that the task only gives about. */
      tolerance?: number | undefined;
    }
  /** `statement` must not throw. */
  | { kind: "assertion"; statement: string; setup?: string | undefined }
  /** `call` must throw an error; `error` is its class, or empty for any. */
  | { kind: "error"; call: string; error: string; setup?: string | undefined }
  /** Arguments by parameter name, as in "nums = [2, 7], target = 9". `name` is empty if unknown. */
  | {
      kind: "arguments";
      name: string;
      values: { parameter: string; value: string }[];
      expected: string;
      isUnordered?: boolean | undefined;
    }
  /** The program must print `stdout` when it reads `stdin`. */
  | { kind: "program"; stdin: string; stdout: string };

/**
 * `execute`: the programs are the ways to read the deliverable; the first that satisfies all examples
 * ends the run. `compile`: each program's syntax error is its `error`, and nothing is executed. `test`: a
 * test file is executed after each program, in its scope, then the tests that the file defines;
 * the only result is `equal` if none of that throws.
 */
export type CodeJob = { language: ExecutableLanguage; programs: string[] } & (
  | { kind: "execute"; examples: CodeExample[] }
  | { kind: "compile" }
  | { kind: "test"; tests: string }
);

/** `unavailable`: the sandbox failed or is overloaded. */
export type CodeRun =
  | { kind: "executed"; programs: ProgramRun[] }
  | { kind: "limit"; limit: "time" | "memory" | "output" }
  | { kind: "unavailable"; reason: string };

export interface ProgramRun {
  /**
   * How the program's own code ended, before the examples. `unsupported`: it needs what the sandbox
   * lacks, such as a package, input or a server. `endless`: it used up its time.
   */
  ending: "completed" | "crashed" | "endless" | "unsupported";
  /** The error that ended the program before its end, such as "TypeError: …"; null if none. */
  error: string | null;
  /** Names of the functions and classes that the program defines. */
  defined: string[];
  /** One for each example, in order; fewer if a limit ended the run. */
  results: ExampleResult[];
}

export interface ExampleResult {
  /** `unknown`: the example can't be evaluated, for instance because a package is missing. */
  outcome: "equal" | "different" | "error" | "limit" | "undefined" | "unknown";
  /** The value or the error message, as text of at most 300 characters. */
  got: string;
}
