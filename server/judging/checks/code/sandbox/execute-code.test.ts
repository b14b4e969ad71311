import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import type { ExecutableLanguage } from "@/server/judging/checks/code/code-run";
import {
  execute,
  expectTestOutcome,
  listResults,
  PYTHON_ADD,
  SCRIPT_ADD,
  value,
} from "@/server/testing/process/sandbox";
import { checkSandbox, executeCode, getStartedInterpreters } from "./execute-code";
import { runSandboxProcess } from "./sandbox-process";

test("Python: values, assertions, errors and programs", async () => {
  const program = `
from dataclasses import dataclass

@dataclass
class Point:
    x: int

def add(a: int, b: int = 0) -> Optional[int]:
    if a < 0:
        raise ValueError("negative")
    return a + b

def thirds(n):
    yield from (n / 3, n * 2 / 3)

if __name__ == "__main__":
    print(sum(map(int, input().split())))
`;
  expect(
    await listResults("python", program, [
      value("add(2, 3)", "5"),
      value("add(2, 3)", "6"),
      value("list(thirds(1))", "[0.33, 0.67]"),
      value("thirds(1)", "(0.3333333, 0.6666667)"),
      value("Point(1)", "Point(1)"),
      value("subtract(1)", "1"),
      value("add('a')", "1"),
      { kind: "assertion", statement: "assert add(1, 1) == 2" },
      { kind: "assertion", statement: "assert [add(1)] == (1,)" },
      { kind: "error", call: "add(-1)", error: "ValueError" },
      { kind: "error", call: "add(1)", error: "ValueError" },
      value("{add(3), add(1)}", "{1, 3}"),
      value("print(add(1))", "1"),
      value("import_missing()", "1"),
      value("add(x)", "1"),
    ]),
  ).toEqual([
    "equal: 5",
    "different: 5",
    "equal: [0.3333333333333333, 0.6666666666666666]",
    "equal: [0.3333333333333333, 0.6666666666666666]",
    "equal: Point(x=1)",
    "undefined: subtract",
    expect.stringMatching(/^error: TypeError/),
    "equal: as asserted",
    "different: [1]",
    "equal: ValueError: negative",
    "different: 1",
    "equal: {1, 3}",
    "different: None",
    "undefined: import_missing",
    "unknown: undefined: x",
  ]);
});

test("the first program that satisfies all examples ends the run", async () => {
  const run = await execute(
    "javascript",
    ["const f = () => 1", "const f = () => 2", "const f = () => 3"],
    [value("f()", "2")],
  );
  expect(run).toMatchObject({ kind: "executed", programs: { length: 2 } });
});

const SYNTAX_ERROR = expect.stringMatching(/^(?:Syntax|Indentation)Error/);

test.each<[ExecutableLanguage, Record<string, unknown>]>([
  [
    "python",
    {
      "while True: pass": null,
      "def f(:\n  pass": SYNTAX_ERROR,
      "return x\n": SYNTAX_ERROR,
      "  x = 1\n": SYNTAX_ERROR,
      "def f():\n  nonlocal x": SYNTAX_ERROR,
      "def f(x: int) -> int:\n    return x": null,
    },
  ],
  [
    "javascript",
    {
      "while (true) {}": null,
      "function f( {": SYNTAX_ERROR,
      "import fs from 'node:fs';\nexport const x = await fs.read();": null,
      "await (": SYNTAX_ERROR,
      "const x: number = 1": SYNTAX_ERROR,
      "let x; let x;": SYNTAX_ERROR,
    },
  ],
  [
    "typescript",
    {
      "interface A { x: number }\nexport const f = ({ x }: A): number => x;": null,
      "const x: = 1": SYNTAX_ERROR,
    },
  ],
])("%s is compiled without being executed", async (language, errors) => {
  const run = await executeCode({ kind: "compile", language, programs: Object.keys(errors) });
  expect(run).toMatchObject({
    kind: "executed",
    programs: Object.values(errors).map((error) => ({ error })),
  });
});

test.each<[ExecutableLanguage, string, string, string]>([
  ["python", PYTHON_ADD, "def test_sum():\n    assert add(1, 2) == 4", "error"],
  ["javascript", SCRIPT_ADD, "assert(add(1, 2) === 3)", "equal"],
  ["javascript", SCRIPT_ADD, "assert(add(1, 2) === 4)", "error"],
  ["javascript", SCRIPT_ADD, "test('sum', () => assert.equal(add(1, 2), 4))", "error"],
  ["javascript", SCRIPT_ADD, "test('sum', () => assert.equal([add(1, 2)], [3]))", "equal"],
  ["javascript", SCRIPT_ADD, "test('late', async () => { await null; assert(false) })", "error"],
  ["javascript", SCRIPT_ADD, "await new Promise(() => {})", "error"],
  ["javascript", SCRIPT_ADD, "assert.throws(() => add())", "error"],
  ["javascript", SCRIPT_ADD, "assert.throws(() => missing())", "equal"],
  ["javascript", SCRIPT_ADD, "for (;;);", "limit"],
  ["javascript", `${SCRIPT_ADD} throw new Error("no")`, "assert(true)", "error"],
  ["javascript", SCRIPT_ADD, "test('x', () => {", "error"],
  ["javascript", SCRIPT_ADD, "require('child_process').fork('x')", "error"],
  ["typescript", SCRIPT_ADD, "const sum: number = add(1, 2); assert(sum === 3);", "equal"],
])("%s: a test file on a program (%#)", expectTestOutcome);

/** Each attempt returns what it reached; a refused one throws. */
const PYTHON_ESCAPES = {
  js: "__import__('js')",
  js_module: "__import__('pyodide_js')",
  run_js: "__import__('pyodide.code').code.run_js('1')",
  core: "__import__('_pyodide_core')",
  ctypes: "__import__('ctypes').CDLL(None)",
  native_types: "__import__('_ctypes')",
  created_core: "create('_pyodide_core')",
  created_types: "create('_ctypes')",
  loaded_core:
    "__import__('importlib.machinery').machinery.BuiltinImporter.load_module('_pyodide_core')",
  loaded_types:
    "__import__('importlib.machinery').machinery.BuiltinImporter.load_module('_ctypes')",
  native_module: "__import__('_imp').create_dynamic",
  importlib: "__import__('importlib').import_module('js')",
  modules: "__import__('sys').modules['pyodide']",
  finders: "[f for f in __import__('sys').meta_path if 'Js' in type(f).__name__][0]",
  objects: "__import__('gc').get_objects()",
  shell: "__import__('os').system('true')",
  popen: "__import__('os').popen('true').read()",
  process: "__import__('subprocess').run(['true'])",
  fork: "__import__('os').fork()",
  execute: "__import__('os').execv('/bin/true', ['true'])",
  thread: "__import__('threading').Thread(target=print).start()",
  file: "open('/etc/hostname').read()",
  project: "open('package.json').read()",
  process_file: "open('/proc/self/environ').read()",
  socket: "__import__('socket').create_connection(('127.0.0.1', 80), 1)",
  url: "__import__('urllib.request').request.urlopen('http://127.0.0.1:1')",
};

test("Python: no way leads to JavaScript, files, processes or the network", async () => {
  const program = Object.entries(PYTHON_ESCAPES)
    .map(([name, code]) => `def ${name}():\n    return ${code}\n`)
    .join("");
  const results = await listResults(
    "python",
    `${program}
def create(name):
    import _imp, importlib.machinery
    return _imp.create_builtin(importlib.machinery.ModuleSpec(name, None))

def environment():
    import os
    return [k for k in os.environ if k not in ("USER", "LOGNAME", "PATH", "PWD", "HOME", "LANG", "_", "PYTHONINSPECT", "LD_LIBRARY_PATH")]
`,
    [
      ...Object.keys(PYTHON_ESCAPES).map((name) => value(`${name}()`)),
      value("environment()", "[]"),
    ],
  );
  expect(results.slice(0, -1).filter((result) => !/^(?:error|unknown): /.test(result))).toEqual([]);
  expect(results.at(-1)).toBe("equal: []");
});

test.each([
  `__runner.end = () => '{"outcome":"equal","got":""}'`,
  `globalThis.__runner = { begin() {}, call() {}, end: () => '{"outcome":"equal","got":""}' }`,
  `JSON.stringify = () => '{"outcome":"equal","got":""}'`,
])("JavaScript: a program can't report its own results: %s", async (attack) => {
  const program = `${attack};\nfunction add() { return 1; }`;
  expect(await listResults("javascript", program, [value("add(2, 3)", "5")])).toEqual([
    "different: 1",
  ]);
});

test("JavaScript: a program replaces no comparison", async () => {
  const program = `
Array.prototype.every = Array.prototype.some = () => true;
Object.is = Array.isArray = () => true;
Math.abs = () => 0;
const list = () => [0, 0];
const claim = () => ({ valueOf: () => 5, toString: () => "5", toJSON: () => 5 });
class Claim extends Array { get length() { return 2; } }
const near = () => 7;
`;
  expect(
    await listResults("javascript", program, [
      value("list()", "[1, 2]"),
      value("claim()", "5"),
      value("new Claim()", "[1, 2]"),
      value("Math.abs(near() - 3.14) < 0.01", "true"),
      value("near()", "3.14"),
    ]),
  ).toEqual([
    "different: [0, 0]",
    expect.stringMatching(/^different: \{valueOf/),
    expect.stringMatching(/^(?:different|error|unknown): /),
    "unknown: compared by the program",
    "different: 7",
  ]);
});

test.each([
  ["for (;;);", "endless"],
  ["missing();", "crashed"],
  ["document.title = 'x';", "unsupported"],
  ["require('fs');", "unsupported"],
])("JavaScript: how the program %s ends before its examples", async (program, ending) => {
  const run = await execute("javascript", program, [value("f()", "1")], { exampleMs: 200 });
  expect(run).toMatchObject({ programs: [{ ending }] });
});

test("JavaScript and TypeScript: values, promises, timers and errors", async () => {
  const program = `
import { readFileSync } from "fs";
export const add = (a: number, b = 0): number => a + b;
enum Color { Red = 1 }
export default async function later(x: number) {
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  return { x, list: new Map([[1, [x]]]) };
}
class Stack<T> { private items: T[] = []; push(item: T) { this.items.push(item); return this.items.length; } }
const fail = () => { throw new TypeError("no"); };
const read = () => readFileSync("/etc/hostname");
`;
  expect(
    await listResults("typescript", program.replace(/^import.*$/m, ""), [
      value("add(0.1, 0.2)", "0.3"),
      value("later(2)", "{ list: new Map([[1, [2]]]), x: 2 }"),
      value("later(2)", "{ x: 3 }"),
      value("new Stack().push(1)", "1"),
      value("Color.Red", "1"),
      value("missing(1)", "1"),
      { kind: "error", call: "fail()", error: "TypeError" },
      { kind: "error", call: "add(1)", error: "" },
      value("read()", "1"),
    ]),
  ).toEqual([
    "equal: 0.30000000000000004",
    "equal: {x: 2, list: Map {[1, [2]]}}",
    "different: {x: 2, list: Map {[1, [2]]}}",
    "equal: 1",
    "equal: 1",
    "undefined: missing",
    "equal: TypeError: no",
    "different: 1",
    expect.stringMatching(/^error: ReferenceError/),
  ]);
});

test("JavaScript: the interpreter has no host objects, modules or endless time", async () => {
  const program = `
const names = () => ["process", "fetch", "Deno", "WebAssembly", "std", "os"].filter((name) => name in globalThis);
const viaConstructor = () => globalThis.constructor.constructor("return typeof process + ' ' + typeof fetch")();
const viaPrototype = () => { Object.prototype.then = undefined; return (function () { return typeof this.process; }).call(globalThis); };
const viaError = () => { try { null.x; } catch (error) { return error.constructor.constructor("return typeof require('fs')")(); } };
const viaImport = () => import("node:fs");
const viaTimer = () => { setInterval(() => {}, 1); return 1; };
const loop = () => { for (;;); };
const promises = () => { const again = () => Promise.resolve().then(again); return again(); };
const grow = () => { const items = []; for (;;) items.push(new Uint8Array(1e6)); };
const deep = () => deep() + 1;
const flood = () => { for (let i = 0; i < 1e4; i++) console.log("x".repeat(1000)); return 1; };
`;
  const results = await listResults(
    "javascript",
    program,
    [
      "names",
      "viaConstructor",
      "viaPrototype",
      "viaError",
      "viaImport",
      "viaTimer",
      "deep",
      "flood",
      "grow",
      "promises",
      "loop",
    ].map((name) => value(`${name}()`, name === "names" ? "[]" : '"undefined undefined"')),
    { exampleMs: 300 },
  );
  expect(results).toEqual([
    "equal: []",
    'equal: "undefined undefined"',
    'different: "undefined"',
    expect.stringMatching(/^(?:error|unknown): .*Cannot find module/),
    expect.stringMatching(/^(?:error|unknown): .*Cannot find module/),
    "different: 1",
    expect.stringMatching(/^limit: .*stack/),
    "different: 1",
    expect.stringMatching(/^unknown: .*out of memory|^limit: time/),
    expect.stringMatching(/^(?:limit|unknown): /),
    "limit: time",
  ]);
});

/** Runs `escape-attempts.mjs`. Returns what refused each attempt, and how often a server was reached. */
async function attemptEscapes(mode: "confined" | "unconfined") {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { output, end } = await runSandboxProcess(
    "escape-attempts.mjs",
    [String(port), mode],
    [Buffer.alloc(4)],
    { cpuMs: 10_000, maxOutput: 100_000 },
  );
  server.close();
  expect(end).toBe("done");
  const attempts = output
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { name: string; refusedBy: string | null });
  const guards = Object.fromEntries(attempts.map(({ name, refusedBy }) => [name, refusedBy]));
  return { guards, connections };
}

const FILES_AND_PROCESSES = {
  "parent's environment": "permission model",
  "own memory": "permission model",
  file: "permission model",
  "project's environment file": "permission model",
  "environment from a file": "permission model",
  "file as a module": "permission model",
  "write to a file": "permission model",
  "write to its own code": "permission model",
  "list of files": "permission model",
  "link to a file": "permission model",
  "report file": "permission model",
  "working directory": "permission model",
  "child process": "permission model",
  "worker thread": "permission model",
  "forked process": "permission model",
  inspector: "permission model",
  "inspector of itself": "permission model",
};
const NETWORK = [
  ...["fetch", "socket", "another socket", "local socket", "request", "encrypted socket"],
  ...["session", "server", "datagram", "name lookup", "name resolution"],
];
const OTHERS = [
  ...["database", "another program", "WASI", "native module", "code of a script", "flags of V8"],
  ...["built-in module", "linked binding", "signal", "debugger", "priority"],
];
const refusedBy = (guard: string, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, guard]));

test("a process that a program has escaped into can do nothing", async () => {
  expect(await attemptEscapes("confined")).toEqual({
    guards: {
      ...FILES_AND_PROCESSES,
      ...refusedBy("confinement", [...NETWORK, ...OTHERS]),
      environment: "nothing is there",
      "internal binding": "nothing is there",
      "code from text": "V8",
      "evaluated code": "V8",
      "another method of all arrays": "freeze",
      "another property of all objects": "freeze",
    },
    connections: 0,
  });
});

test.each([
  ["loop", "time"],
  ["flood", "output"],
])("a process that a program has escaped into ends if it does too much: %s", async (mode, end) => {
  const limits = { cpuMs: 1_000, maxOutput: 100_000 };
  const { output, ...result } = await runSandboxProcess(
    "escape-attempts.mjs",
    ["1", mode],
    [Buffer.alloc(4)],
    limits,
  );
  expect(result.end).toBe(end);
  expect(output.length).toBeLessThanOrEqual(limits.maxOutput);
});

test("Node refuses files and processes, and from version 25 the network, by itself", async () => {
  const { guards, connections } = await attemptEscapes("unconfined");
  expect(guards).toMatchObject(FILES_AND_PROCESSES);
  if (Number.parseInt(process.versions.node, 10) < 25) return;
  expect(guards).toMatchObject(refusedBy("permission model", NETWORK));
  expect(connections).toBe(0);
});

test("a sandbox that can't start is reported, with the error, until one starts", async () => {
  const { execPath } = process;
  const python = () => execute("python", "def f(): return 1", [value("f()", "1")]);
  expect(await checkSandbox()).toBeNull();
  process.execPath = "/work/no-node";
  expect(await checkSandbox()).toContain("/work/no-node");
  expect(getStartedInterpreters()).toEqual({ javascript: false, python: true });
  expect(await python()).toEqual({ kind: "unavailable", reason: "the sandbox did not start" });
  expect(getStartedInterpreters()).toEqual({ javascript: false, python: false });
  process.execPath = execPath;
  expect(await python()).toMatchObject({ kind: "executed" });
  expect(await checkSandbox()).toBeNull();
  expect(getStartedInterpreters()).toEqual({ javascript: true, python: true });
});

test("an aborted run ends", async () => {
  const run = executeCode(
    {
      kind: "execute",
      language: "javascript",
      programs: ["for (;;);"],
      examples: [value("1", "1")],
    },
    { signal: AbortSignal.abort() },
  );
  expect(await run).toMatchObject({ kind: "unavailable" });
  expect(getStartedInterpreters()).toMatchObject({ javascript: true });
});

test.each([
  ["short", { short: {}, long: {} }],
  ["long", { short: { cpuMs: 1 }, long: {} }],
])("programs of one address delay that of another by one %s run each", async (_, limits) => {
  const order: string[] = [];
  const run = async (client: string) => {
    const programs = ["function f() { return 1; }"];
    await executeCode(
      { kind: "execute", language: "javascript", programs, examples: [value("f()", "1")] },
      { ...limits, queueKey: [client, client] },
    );
    order.push(client);
  };
  const flood = Array.from({ length: 5 }, () => run("flood"));
  await Promise.all([...flood, run("innocent")]);
  // Of the runs that are under way, either may end first.
  expect(order.indexOf("innocent")).toBeLessThanOrEqual(3);
});

describe("programs of one wallet", () => {
  const order: string[] = [];
  const run = async (name: string, wallet: string, program: string, limits: object = {}) => {
    const job = { kind: "execute" as const, language: "javascript" as const, programs: [program] };
    const ended = await executeCode(
      { ...job, examples: [value("f()", "1")] },
      { ...limits, queueKey: ["an address", wallet] },
    );
    order.push(name);
    return ended;
  };
  const GOOD = "function f() { return 1; }";
  const LIMITS = {
    short: { cpuMs: 400, exampleMs: 1e6 },
    long: { cpuMs: 600, exampleMs: 1e6 },
  };
  beforeEach(() => void order.splice(0));

  test("run one after the other, although there is room for two", async () => {
    const slow = run("slow", "a wallet", "for (;;);", LIMITS);
    await Promise.all([slow, run("quick", "a wallet", GOOD)]);
    expect(order).toEqual(["slow", "quick"]);
  });

  test("that never end delay those of another wallet by none, and fail all", async () => {
    const endless = Array.from({ length: 2 }, () =>
      run("endless", "a wallet", "for (;;);", LIMITS),
    );
    const good = await run("good", "another wallet", GOOD);
    expect(good).toMatchObject({ programs: [{ results: [{ outcome: "equal" }] }] });
    expect(order.indexOf("good")).toBeLessThanOrEqual(1);
    for (const one of await Promise.all(endless)) {
      expect(one).toMatchObject({ programs: [{ ending: "endless" }] });
    }
  });
});

describe("the same job with the same `world` has the same result", () => {
  const world = { startsAt: Date.parse("2031-05-06T07:08:09Z"), seed: "ab".repeat(32) };
  const programs = {
    python: `
import datetime, os, random, secrets, time, uuid
def run():
    start = time.time()
    time.sleep(60)
    assert start + 60 <= time.time() < start + 61
    return [datetime.datetime.fromtimestamp(start).isoformat()[:19], time.perf_counter(), "".join({"a", "b", "c"}),
        random.random(), secrets.token_hex(4), uuid.uuid4().hex[:8], os.urandom(4).hex()]`,
    javascript: `async function run() {
      const start = new Date();
      await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (Date.now() < start.getTime() + 60_000) throw new Error("the clock stands");
      return [start.toISOString(), start.getTimezoneOffset(), Math.random(), Math.random()];
    }`,
  };

  test.each(["python", "javascript"] as const)("in %s", async (language) => {
    const run = async (seed: string) => {
      const result = await executeCode({
        kind: "execute",
        language,
        programs: [programs[language]],
        examples: [value("run()", "0")],
        world: { ...world, seed },
      });
      return result.kind === "executed" ? result.programs[0]?.results[0]?.got : result;
    };
    const first = await run(world.seed);
    expect(first).toContain("2031-05-06T07:08:09");
    expect(await run(world.seed)).toBe(first);
    expect(await run("cd".repeat(32))).not.toBe(first);
  });
});
