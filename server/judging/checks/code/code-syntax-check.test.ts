import { expect, test } from "vitest";
import type { CheckIo } from "@/server/judging/checks/check";
import type { CodeJob, SyntaxFault } from "./code-run";
import { codeSyntaxCheck } from "./code-syntax-check";

const TASK = "Write a Python function that adds two numbers.";
const CODE = "def add(a, b)\n    return a + b\n\nprint(add(1, 2))";

/** Runs the check with a parser that finds `fault` in everything. */
async function check(text: string, fault: SyntaxFault | null, task = TASK) {
  const input = { task, category: "code-review", text } as const;
  const parsed: string[] = [];
  const io: CheckIo = {
    fetchCitedPage: async () => ({ kind: "unreachable", reason: "unused" }),
    runCode: async (job: CodeJob) => {
      if (job.kind === "parse") parsed.push(job.language);
      return { kind: "parsed", error: fault };
    },
  };
  const observation = await codeSyntaxCheck.observe(input, {}, io);
  return { parsed, result: observation && codeSyntaxCheck.run(input, {}, observation) };
}

test("a syntax error is a failure with its place in the deliverable", async () => {
  const text = `Here:\n\n\`\`\`python\n${CODE}\n\`\`\``;
  const { result } = await check(text, { line: 2, message: "expected ':'" });
  expect(result).toMatchObject({
    outcome: "fail",
    observed: "a syntax error",
    detail: "python, line 2: expected ':'",
  });
  const [passage] = result?.passages ?? [];
  expect(text.slice(passage?.from, passage?.to)).toContain("return a + b");
});

test("valid code passes", async () => {
  const { result } = await check(`\`\`\`python\n${CODE}\n\`\`\``, null);
  expect(result).toEqual({ outcome: "pass", observed: "1 block parsed" });
});

test("the longest block of each language is parsed", async () => {
  const text = `\`\`\`python\n${CODE}\n\`\`\`\n\`\`\`py\nx = (\n\`\`\`\n\`\`\`sql\nselect 1,\n 2,\n 3\n\`\`\``;
  expect((await check(text, null)).parsed).toEqual(["python", "sql"]);
});

test.each([
  ["leaves something out", "def f():\n    ...\n    x = (\n"],
  ["is a session", ">>> f(1)\n2\n>>> f(\n"],
  ["is a template", "def {{ name }}():\n    pass\n    x\n"],
  ["has two lines", "x = (\ny"],
])("code that %s is not parsed", async (_name, code) => {
  expect((await check(`\`\`\`python\n${code}\n\`\`\``, null)).parsed).toEqual([]);
});

test("an error in a line with a placeholder is none", async () => {
  const code = "import os\nkey = <your key>\nprint(key)\nprint(os)";
  const { result } = await check(`\`\`\`bash\n${code.replace("<your key>", "<key>")}\n\`\`\``, {
    line: 2,
    message: "unexpected text",
  });
  expect(result?.outcome).toBe("pass");
});

test.each([
  ["python", "Write a Python function.", "total = 0\ndef add(a):\n    return a"],
  ["javascript", "JavaScript only: function f(a)", "function f(a) {\n  return a;\n}"],
  ["sql", "A query for the names, in SQL.", "SELECT a\nFROM t\nWHERE b = 1;"],
  ["shell", "Write a POSIX shell function.", "f() {\n  return 1\n}"],
  ["dockerfile", "Write a Dockerfile.", 'FROM node:22\nWORKDIR /app\nCMD ["node"]'],
  ["yaml", "A GitHub Actions workflow, as YAML.", "name: ci\non: push\njobs: {}"],
  ["rust", "Write a Rust function.", "fn f() -> u8 {\n  1\n}"],
])("a deliverable that is nothing but %s is parsed", async (language, task, text) => {
  expect((await check(text, null, task)).parsed).toEqual([language]);
});

test.each([
  ["Write a Python function.", "def add(a):\n    return a\n\nThis function returns its argument."],
  ["Write a SQL query.", "With the given tables, this is not possible.\n\nPlease name them.\n"],
  ["Explain the workflow, in YAML terms.", "Summary: it works\n\nThe first step builds.\nDone."],
  ["Write a function.", "def add(a):\n  return a\nend"],
  ["Use Python or JavaScript.", "def add(a):\n  return a\n\nadd(1)"],
])("other text, or code in an unknown language, is not parsed: %s", async (task, text) => {
  expect((await check(text, null, task)).parsed).toEqual([]);
});

test("an error in a line that spreads a value is one", async () => {
  const code = "const f = (...args) => {\n  g(...args;\n};\nf();";
  const { result } = await check(`\`\`\`js\n${code}\n\`\`\``, { line: 2, message: "unexpected" });
  expect(result?.outcome).toBe("fail");
});

test("code that the task gives is not parsed", async () => {
  const task = `Write a function that repairs this:\n\`\`\`python\n${CODE}\n\`\`\``;
  expect((await check(`\`\`\`python\n${CODE}\n\`\`\``, null, task)).parsed).toEqual([]);
});

test.each([
  "Give me a CREATE TABLE statement for bookings.",
  "I need a docker-compose.yml with two services.",
  "Write a tsconfig.json: strict, target ES2022.",
  "My debounce runs at once. Please give the corrected function.",
])("asks for code: %s", (task) => {
  expect(codeSyntaxCheck.extract(task, "infra")).toHaveLength(1);
});

test("only tasks that ask for code require it to be valid", () => {
  expect(codeSyntaxCheck.extract(TASK, "code-review")).toHaveLength(1);
  expect(codeSyntaxCheck.extract("Explain what a closure is.", "content")).toEqual([]);
});
