import { z } from "zod";

/** Languages that can be executed. */
export const EXECUTABLE_LANGUAGES = ["javascript", "typescript", "python"] as const;
export type ExecutableLanguage = (typeof EXECUTABLE_LANGUAGES)[number];

const code = z.string().min(1).max(4_000);
/** Statements to run first. */
const setup = z.string().max(8_000).optional();
/** Whether the order of a returned list is free. */
const isUnordered = z.boolean().optional();

/** One example to execute. All code is in the program's language. */
export const codeExample = z.union([
  /** `statement` must not throw. */
  z.object({ kind: z.literal("assertion"), statement: code, setup }),
  /** `call` must throw an error; `error` is its class, or empty for any. */
  z.object({ kind: z.literal("error"), call: code, error: z.string().max(80), setup }),
  /** Arguments by parameter name, as in "nums = [2, 7], target = 9". `name` is empty if unknown. */
  z.object({
    kind: z.literal("arguments"),
    name: z.string().max(100),
    values: z.array(z.object({ parameter: z.string().max(100), value: code })).max(12),
    expected: code,
    isUnordered,
  }),
  /** The value of `call` must equal that of the expression `expected`. */
  z.object({
    kind: z.literal("value"),
    call: code,
    expected: code,
    setup,
    isUnordered,
  }),
]);
export type CodeExample = z.infer<typeof codeExample>;

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
  /** Names of the functions and classes that the program defines. */
  defined: z.array(z.string().max(500)).max(200),
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
