import { z } from "zod";

/** Languages that can be executed. */
export const EXECUTABLE_LANGUAGES = ["javascript", "typescript", "python"] as const;
export type ExecutableLanguage = (typeof EXECUTABLE_LANGUAGES)[number];

/** One example to execute. All code is in the program's language; `setup` are statements to run first. */
export type CodeExample = { setup?: string | undefined } & (
  | {
      /** `statement` must not throw. Only Python has such. */
      kind: "assertion";
      statement: string;
    }
  | {
      /** `call` must throw an error; `error` is its class, or empty for any. */
      kind: "error";
      call: string;
      error: string;
    }
  | {
      /** The value of `call` must equal that of the expression `expected`. */
      kind: "value";
      call: string;
      expected: string;
    }
);

/** What makes a run repeatable: the same job with it has the same result. */
export interface CodeWorld {
  /** Where the clock begins, in Unix milliseconds. It advances by a millisecond with every reading. */
  startsAt: number;
  /** All random numbers follow from it; 64 hexadecimal digits. */
  seed: string;
}

/**
 * `execute`: the programs are the ways to read the deliverable; the first that satisfies all examples
 * ends the run. `compile`: each program's syntax error is its `error`, and nothing is executed. `test`: a
 * test file is executed after each program, in its scope, then the tests that the file defines;
 * the only result is `equal` if none of that throws.
 */
export type CodeJob = { language: ExecutableLanguage; programs: string[]; world?: CodeWorld } & (
  | { kind: "execute"; examples: CodeExample[] }
  | { kind: "compile" }
  | { kind: "test"; tests: string }
);

/** `unavailable`: the sandbox failed or is overloaded. */
export type CodeRun =
  | { kind: "executed"; programs: ProgramRun[] }
  | { kind: "limit"; limit: "time" | "memory" | "output" }
  | { kind: "unavailable"; reason: string };

/** How a program's own code ended, before the examples. */
export const programEnd = z.object({
  /**
   * `unsupported`: it needs what the sandbox lacks, such as a package, input or a server. `endless`: it
   * used up its time.
   */
  ending: z.enum(["completed", "crashed", "unsupported", "endless"]),
  /** The error that ended the program before its end, such as "TypeError: …"; null if none. */
  error: z.string().max(2_000).nullable(),
});

export const exampleResult = z.object({
  /** `unknown`: the example can't be evaluated, for instance because a package is missing. */
  outcome: z.enum(["equal", "different", "error", "limit", "undefined", "unknown"]),
  /** The value or the error message, as text of at most 300 characters. */
  got: z.string().max(2_000),
});

export interface ProgramRun extends z.infer<typeof programEnd> {
  /** One for each example, in order; fewer if a limit ended the run. */
  results: z.infer<typeof exampleResult>[];
}
