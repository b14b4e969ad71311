import { expect, test } from "vitest";
import type { CheckIo } from "@/server/judging/checks/check";
import { codeExamplesCheck } from "./code-examples-check";
import type { CodeJob, CodeRun, ProgramRun } from "./code-run";

const TASK = "Write a Python function add. `add(2, 3)` returns 5, `add(0, 0)` returns 0.";
const CODE = "```python\ndef add(a, b):\n    return a + b\n```";

type ExampleResult = ProgramRun["results"][number];

const result = (outcome: ExampleResult["outcome"], got = ""): ExampleResult => ({ outcome, got });

/** Runs the check with a scripted sandbox; returns its result and the job that the sandbox got. */
async function check(task: string, text: string, run: CodeRun) {
  const input = { task, category: "code-review", text } as const;
  const [requirement] = codeExamplesCheck.extract(task, "code-review");
  if (!requirement) throw new Error("the task states no example");
  let job: CodeJob | undefined;
  const io: CheckIo = {
    fetchCitedPage: async () => ({ kind: "unreachable", reason: "unused" }),
    runCode: async (given) => {
      job = given;
      return run;
    },
  };
  const observation = await codeExamplesCheck.observe(input, requirement.parameters, io);
  const checked = observation && codeExamplesCheck.run(input, requirement.parameters, observation);
  return { checked, job: job?.kind === "execute" ? job : undefined };
}

const executed = (...results: ExampleResult[][]): CodeRun => ({
  kind: "executed",
  programs: results.map((one) => ({
    ending: "completed",
    error: null,
    results: one,
  })),
});

test("passes if one reading of the deliverable satisfies every example", async () => {
  const run = executed([result("error"), result("equal")], [result("equal"), result("equal")]);
  const { checked } = await check(TASK, CODE, run);
  expect(checked).toEqual({
    outcome: "pass",
    observed: "2 as demanded",
    detail: "add(2, 3) should be 5: right; add(0, 0) should be 0: right",
  });
});

test("fails with what was expected and what came instead, which stays private", async () => {
  const run = executed([result("different", "6"), result("equal", "0")]);
  const { checked } = await check(TASK, CODE, run);
  expect(checked).toEqual({
    outcome: "fail",
    observed: "1 as demanded, 1 not as demanded",
    detail: "add(2, 3) should be 5: results in 6; add(0, 0) should be 0: right",
  });
});

test("does not count examples that could not be executed as if they had been", async () => {
  for (const results of [[result("equal")], [result("equal"), result("unknown")]]) {
    const { checked } = await check(TASK, CODE, executed(results));
    expect(checked).toEqual({
      outcome: "pass",
      observed: "1 as demanded, 1 could not be executed",
      detail: "add(2, 3) should be 5: right",
    });
  }
});

test("says how many results its detail leaves out", async () => {
  const calls = Array.from(
    { length: 30 },
    (_, n) => `\`f("${n}${"x".repeat(200)}")\` returns ${n}.`,
  );
  const run = executed(calls.map(() => result("equal")));
  const { checked } = await check(`Write f. ${calls.join(" ")}`, CODE, run);
  expect(checked?.observed).toBe("30 as demanded");
  expect(checked?.detail).toMatch(/should be 7: right; and 22 more$/);
});

test.each([
  ["the function is not there", executed([result("undefined"), result("undefined")])],
  ["a package is missing", executed([result("unknown"), result("unknown")])],
  ["the sandbox is overloaded", { kind: "unavailable", reason: "overloaded" }],
  ["the program takes too much", { kind: "limit", limit: "memory" }],
] as const)("is not applicable if %s", async (_name, run) => {
  const { checked } = await check(TASK, CODE, run as CodeRun);
  expect(checked?.outcome).toBe("not-applicable");
});

const ended = (ending: ProgramRun["ending"], error: string | null): ProgramRun => ({
  ending,
  error,
  results: ending === "endless" ? [] : [result("undefined"), result("undefined")],
});

test.each<CodeRun>([executed([result("limit", "time")]), { kind: "limit", limit: "time" }])(
  "an endless program fails, unless very large numbers may take long: %j",
  async (run) => {
    expect((await check("`f(3000)` returns 5.", CODE, run)).checked?.outcome).toBe("fail");
    expect((await check("`f(300000)` returns 5.", CODE, run)).checked?.outcome).toBe(
      "not-applicable",
    );
  },
);

test.each([
  ["a whole file in the task's language", TASK, "```python\ndef add(a, b\n```", "fail"],
  [
    "the body of a function",
    `${TASK} Only the body.`,
    "```python\nreturn a +\n```",
    "not-applicable",
  ],
  ["two blocks", TASK, "```python\nx = 1\n```\n```python\ndef add(a, b\n```", "not-applicable"],
  ["code without a fence", TASK, "def add(a, b\n    return", "not-applicable"],
])("a syntax error in %s", async (_name, task, text, outcome) => {
  const programs = [ended("crashed", "SyntaxError: invalid syntax")];
  expect((await check(task, text, { kind: "executed", programs })).checked?.outcome).toBe(outcome);
});

test.each<[string, string, ProgramRun[]]>([
  ["ends with an error", "fail", [ended("crashed", "NameError: name 'x' is not defined")]],
  ["is invalid", "fail", [ended("crashed", "SyntaxError: invalid syntax (program.py, line 1)")]],
  ["never ends", "fail", [ended("endless", "time")]],
  ["lacks a package", "not-applicable", [ended("unsupported", "ModuleNotFoundError: flask")]],
  ["lacks code of the task", "not-applicable", [ended("crashed", "NameError: name 'add' is not")]],
  [
    "is shown in parts, one of which lacks a package",
    "not-applicable",
    [ended("unsupported", "ModuleNotFoundError: flask"), ended("crashed", "NameError: name 'x'")],
  ],
  [
    "shows an invalid part",
    "not-applicable",
    [ended("completed", null), ended("crashed", "SyntaxError: invalid syntax")],
  ],
])("before any example, a program that %s: %s", async (_name, outcome, programs) => {
  const { checked } = await check(TASK, CODE, { kind: "executed", programs });
  expect(checked?.outcome).toBe(outcome);
});

test("a program that ends with an error after defining its function is run", async () => {
  const programs = [
    { ...ended("crashed", "NameError: name 'x' is not defined"), results: [result("equal")] },
  ];
  const { checked } = await check(TASK, CODE, { kind: "executed", programs });
  expect(checked?.outcome).toBe("pass");
});

test.each([
  ["the only block", TASK, `Sure:\n\n${CODE}\n\nDone.`, ["def add(a, b):\n    return a + b"]],
  [
    "unfenced code up to the explanation",
    TASK,
    "Sure:\n\ndef add(a, b):\n    return a + b\n\nThis adds both numbers.",
    ["def add(a, b):\n    return a + b\n"],
  ],
  [
    "several blocks, also together",
    TASK,
    "```python\nx = 1\n```\n```python\ndef add(): pass\n```",
    ["x = 1", "def add(): pass", "x = 1\n\ndef add(): pass"],
  ],
  [
    "no shell commands",
    TASK,
    "```bash\npip install add\n```\n```python\ndef add(): pass\n```",
    ["def add(): pass"],
  ],
])("programs: %s", async (_name, task, text, programs) => {
  const { job } = await check(task, text, executed());
  expect(job?.programs).toEqual(programs);
});

test("the body of a function is completed by the task's stub", async () => {
  const stub = 'import math\n\ndef root(x):\n    """\n    >>> root(4)\n    2.0\n    """';
  const { job } = await check(stub, "    return math.sqrt(x)", executed());
  expect(job?.programs).toContain(`${stub}\n    return math.sqrt(x)`);
  const dedented = await check(stub, "return math.sqrt(x)", executed());
  expect(dedented.job?.programs).toContain(`${stub}\n    return math.sqrt(x)`);
});

test("imports and helpers of the task's stub precede a complete function", async () => {
  const stub = 'import math\n\ndef root(x):\n    """\n    >>> root(4)\n    2.0\n    """';
  const { job } = await check(
    stub,
    "```python\ndef root(x):\n    return math.sqrt(x)\n```",
    executed(),
  );
  expect(job?.programs.at(-1)).toBe(`${stub}\n    pass\n\ndef root(x):\n    return math.sqrt(x)`);
});

test.each([
  [
    "quotes the task's own code",
    "Fix `f(1)`, which should return 2:\n```python\ndef f(x):\n    return x + 2\n```",
    "The bug:\n```python\ndef f(x):\n    return x + 2\n```",
  ],
  ["is a change", TASK, "```diff\n-a\n+b\n```"],
  ["has no code", TASK, "It adds both numbers."],
  ["is in another language", TASK, "```go\nfunc add(a, b int) int { return a + b }\n```"],
])("executes nothing of a deliverable that %s", async (_name, task, text) => {
  const { checked, job } = await check(task, text, executed());
  expect(checked).toBeNull();
  expect(job).toBeUndefined();
});

test("constants are written in the language of the deliverable", async () => {
  const task = "Write a function f. `f(None, (1, 2))` returns True.";
  const js = await check(task, "```js\nfunction f(a, b) { return true; }\n```", executed());
  expect(js.job).toMatchObject({
    language: "javascript",
    examples: [{ call: "f(null, [1, 2])", expected: "true" }],
  });
  const other = "Write a function f. `f(null, [true])` returns false.";
  const python = await check(other, "```python\ndef f(a, b): return False\n```", executed());
  expect(python.job).toMatchObject({
    language: "python",
    examples: [{ call: "f(None, [True])", expected: "False" }],
  });
});
