import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type {
  CodeExample,
  CodeRun,
  ExecutableLanguage,
} from "@/server/judging/checks/code/code-run";
import { checkSandbox, executeCode, getStartedInterpreters } from "./execute-code";
import { runSandboxProcess } from "./sandbox-process";

// Python starts slowly on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const value = (call: string, expected = "None"): CodeExample => ({ kind: "value", call, expected });

const execute = (
  language: ExecutableLanguage,
  program: string | string[],
  examples: CodeExample[],
  limits = {},
): Promise<CodeRun> =>
  executeCode(
    { kind: "execute", language, programs: [program].flat(), examples },
    // With a limit on the time, the short run would only take its time in vain.
    { short: "cpuMs" in limits ? { cpuMs: 1 } : limits, long: limits },
  );

async function listResults(...args: Parameters<typeof execute>): Promise<string[]> {
  const run = await execute(...args);
  if (run.kind !== "executed") return [JSON.stringify(run)];
  return run.programs.flatMap(({ results }) =>
    results.map(({ outcome, got }) => `${outcome}: ${got}`),
  );
}

test("Python: values, assertions, errors, arguments by name and programs", async () => {
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
      {
        kind: "arguments",
        name: "",
        values: [
          { parameter: "b", value: "1" },
          { parameter: "a", value: "7" },
        ],
        expected: "8",
      },
      { ...value("{add(3), add(1)}", "[1, 3]"), isUnordered: true } as CodeExample,
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
    "equal: 8",
    expect.stringMatching(/different|equal/),
    "different: None",
    "undefined: import_missing",
    "unknown: undefined: x",
  ]);
});

test("Python: results of every kind are compared by value", async () => {
  const program = `
import collections, datetime, decimal, enum, fractions, math

class Color(enum.IntEnum):
    RED = 1

class Half:
    def __eq__(self, other): return other == 0.5

Pair = collections.namedtuple("Pair", "a b")

def same(value): return value
def big(): return math.factorial(2000)
def pair(): return Pair(1, 2)
def red(): return Color.RED
def queue(): return collections.deque([1, 2])
def count(): return collections.Counter("aab")
def linked():
    node = ListNode(1, ListNode(2))
    return node
`;
  const results = await listResults("python", program, [
    value("big()", "__import__('math').factorial(2000)"),
    value("pair()", "(1, 2)"),
    value("red()", "1"),
    value("red()", "Color.RED"),
    value("queue()", "[1, 2]"),
    value("count()", "{'a': 2, 'b': 1}"),
    value("same({frozenset({1}): {2}})", "{frozenset({1}): {2}}"),
    value(
      "same([b'a', 1j, None, True, -0.0, 'ü\\ud800'])",
      "[b'a', 1j, None, True, 0, 'ü\\ud800']",
    ),
    value("same(float('nan'))", "float('nan')"),
    value("same(decimal.Decimal('1.10'))", "Decimal('1.1')"),
    value("same(fractions.Fraction(1, 3))", "Fraction(1, 3)"),
    value("same(datetime.date(2020, 1, 2))", "datetime.date(2020, 1, 2)"),
    value("same(datetime.timedelta(days=1))", "timedelta(hours=24)"),
    value("linked().next.val", "2"),
    value("same({1, 2})", "{2, 1}"),
    value("[*same(range(3))]", "[0, 1, 2]"),
    value("same(Half()) == 0.5", "True"),
  ]);
  expect(results.map((result) => result.split(":")[0])).toEqual([
    ...Array(16).fill("equal"),
    "unknown",
  ]);
});

test("the first program that satisfies all examples ends the run", async () => {
  const run = await execute(
    "python",
    ["def f(): return 1", "def f(): return 2", "def f(): return 3"],
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

const PYTHON_ADD = "def add(a, b):\n    return a + b\n";
const SCRIPT_ADD = "export const add = (a, b) => a + b;";

test.each<[ExecutableLanguage, string, string, string]>([
  ["python", PYTHON_ADD, "assert add(1, 2) == 3", "equal"],
  ["python", PYTHON_ADD, "def test_sum():\n    assert add(1, 2) == 4", "error"],
  ["python", PYTHON_ADD, "async def test_sum():\n    assert add(1, 2) == 4", "error"],
  ["python", PYTHON_ADD, "def test_sum():\n    assert add(1, 2) == 3", "equal"],
  ["python", `${PYTHON_ADD}raise SystemExit(1)`, "assert True", "error"],
  ["python", "import sys\nsys.exit(0)\ndef add(a, b): pass", "assert add(1, 2)", "error"],
  ["python", PYTHON_ADD, "import sys\nsys.exit(0)", "error"],
  ["python", PYTHON_ADD, "import os\nos.fork()", "unknown"],
  ["python", PYTHON_ADD, "import socket\nsocket.create_connection(('127.0.0.1', 80))", "unknown"],
  ["python", PYTHON_ADD, "while True: pass", "limit"],
  ["javascript", SCRIPT_ADD, "assert(add(1, 2) === 3)", "equal"],
  ["javascript", SCRIPT_ADD, "assert(add(1, 2) === 4)", "error"],
  ["javascript", SCRIPT_ADD, "test('sum', () => assert.equal(add(1, 2), 4))", "error"],
  ["javascript", SCRIPT_ADD, "test('sum', () => assert.equal([add(1, 2)], [3]))", "equal"],
  ["javascript", SCRIPT_ADD, "test('late', async () => { await null; assert(false) })", "error"],
  ["javascript", SCRIPT_ADD, "await new Promise(() => {})", "error"],
  ["javascript", SCRIPT_ADD, "assert.throws(() => add())", "error"],
  ["javascript", SCRIPT_ADD, "assert.throws(() => missing())", "equal"],
  ["javascript", SCRIPT_ADD, "for (;;);", "limit"],
  ["javascript", SCRIPT_ADD, "test('late', async () => { await null; for (;;); })", "limit"],
  ["javascript", `${SCRIPT_ADD} throw new Error("no")`, "assert(true)", "error"],
  ["javascript", SCRIPT_ADD, "test('x', () => {", "error"],
  ["javascript", SCRIPT_ADD, "require('child_process').fork('x')", "error"],
  ["typescript", SCRIPT_ADD, "const sum: number = add(1, 2); assert(sum === 3);", "equal"],
])("%s: a test file on a program (%#)", async (language, program, tests, outcome) => {
  const run = await executeCode(
    { kind: "test", language, programs: [program], tests },
    { short: { exampleMs: 300 }, long: { exampleMs: 300, cpuMs: 4_000 } },
  );
  expect(run).toMatchObject({
    kind: "executed",
    programs: [{ results: [{ outcome: outcome === "unknown" ? expect.anything() : outcome }] }],
  });
  const [result] = run.kind === "executed" ? (run.programs[0]?.results ?? []) : [];
  expect(result?.outcome === "equal").toBe(outcome === "equal");
});

test("a test file that allocates without end exceeds the limits", async () => {
  const program = { python: "x = []", javascript: "const x = [];" };
  const tests = {
    python: "while True: x.append('y' * 1000000)",
    javascript: "for (;;) x.push('y'.repeat(100000))",
  };
  for (const language of ["python", "javascript"] as const) {
    const run = await executeCode({
      kind: "test",
      language,
      programs: [program[language]],
      tests: tests[language],
    });
    const results = run.kind === "executed" ? (run.programs[0]?.results ?? []) : [];
    expect(run.kind).not.toBe("unavailable");
    expect(results.filter(({ outcome }) => outcome === "equal")).toEqual([]);
  }
});

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

test("Python: JavaScript objects that a program digs up can't create code", async () => {
  const program = `
import types

def reach():
    """Follows the globals and attributes of every class to JavaScript objects."""
    found, seen, queue = [], set(), list(object.__subclasses__())
    while queue and len(seen) < 20000:
        item = queue.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        try:
            if "JsProxy" in type(item).__name__:
                found.append(item)
            members = list(vars(item).values()) if hasattr(item, "__dict__") else []
            members += list(getattr(item, "__globals__", {}).values())
            if isinstance(item, type):
                members += type.__subclasses__(item)
            if isinstance(item, dict):
                members += list(item.values())
            queue += [m for m in members if isinstance(m, (type, dict, types.FunctionType, types.ModuleType)) or "Js" in type(m).__name__]
        except Exception:
            pass
    return found

def escape():
    for item in reach():
        for path in ("constructor", "__proto__"):
            try:
                maker = getattr(item, path).constructor
                return maker("return typeof process")()
            except Exception:
                pass
    return "nothing"
`;
  expect(await listResults("python", program, [value("escape()", "'nothing'")])).toEqual([
    "equal: 'nothing'",
  ]);
});

test("Python: the functions that run a program hold no JavaScript objects", async () => {
  const program = `
import sys

def find():
    frame, found = sys._getframe(), []
    while frame:
        found += [name for name, held in frame.f_locals.items() if "Js" in type(held).__name__]
        frame = frame.f_back
    return found

FOUND = find()
`;
  expect(
    await listResults("python", program, [value("FOUND", "[]"), value("find()", "[]")]),
  ).toEqual(["equal: []", "equal: []"]);
});

test("Python: an object that claims to equal everything satisfies no example", async () => {
  const program = `
class Anything:
    def __eq__(self, other):
        return True

def add(a, b):
    return Anything()
`;
  const results = await listResults("python", program, [
    value("add(2, 3)", "5"),
    value("[add(2, 3)]", "[5]"),
    value("Anything()", "Anything()"),
  ]);
  expect(results.map((result) => result.split(":")[0])).toEqual(["different", "unknown", "equal"]);
});

test("Python: a program finds no expected results, and replaces no comparison", async () => {
  const program = `
import builtins, sys

def look():
    """Follows all frames, their globals and the loaded modules."""
    frame, spaces = sys._getframe(), [vars(module) for module in list(sys.modules.values())]
    while frame:
        spaces += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    for space in spaces:
        for name in ("same", "is_close", "is_equal", "result", "compare", "rate"):
            if name in space:
                space[name] = lambda *args, **options: True
        for held in list(space.values()):
            if isinstance(held, dict) and "expected" in held:
                return eval(held["expected"])
            if isinstance(held, str) and '"expected": "' in held:
                return 4711
    return 1

def add(a, b):
    builtins.abs = builtins.all = lambda *args: 0
    return look()
`;
  const results = await listResults("python", program, [
    value("add(2, 3)", "4711"),
    { kind: "assertion", statement: "assert add(2, 3) == 4711" },
    { kind: "assertion", statement: "assert abs(add(2, 3) - 4711.0) < 1e-6" },
    { ...value("add(2, 3)", "wanted"), setup: "wanted = 4711" } as CodeExample,
  ]);
  expect(results.map((result) => result.split(":")[0])).toEqual([
    "different",
    "different",
    "different",
    "different",
  ]);
});

test("Python: assertions are evaluated step by step, with objects of the program", async () => {
  const program = `
class Stack:
    def __init__(self): self.items = []
    def push(self, item): self.items.append(item)
    def pop(self): return self.items.pop()
    def __len__(self): return len(self.items)

class Money:
    def __init__(self, cents): self.cents = cents
    def __add__(self, other): return Money(self.cents + other.cents)
    def __eq__(self, other): return isinstance(other, Money) and self.cents == other.cents

class Yes:
    def __eq__(self, other): return True
    def __sub__(self, other): return 0

def yes(): return Yes()
def sort(items): items.sort()
async def later(value): return value
`;
  const assertion = (statement: string, setup?: string): CodeExample => ({
    kind: "assertion",
    statement,
    setup,
  });
  expect(
    await listResults("python", program, [
      assertion("assert Money(1) + Money(2) == Money(3)"),
      assertion("assert Money(1) + Money(2) == Money(4)"),
      assertion("assert numbers == [1, 2]", "numbers = [2, 1]\nsort(numbers)"),
      assertion(
        "test()",
        "def test():\n    s = Stack()\n    s.push(4)\n    assert len(s) == 1\n    assert s.pop() == 4",
      ),
      assertion("assert isinstance(Stack(), Stack) and yes() is not None"),
      assertion("import asyncio\nassert asyncio.run(later(3)) == 3"),
      assertion("assert abs(yes() - 3.14) < 0.01"),
      assertion("for _ in range(2): assert yes() == 3"),
    ]),
  ).toEqual([
    "equal: as asserted",
    expect.stringMatching(/^different: <solution.Money/),
    "equal: as asserted",
    "equal: as asserted",
    "equal: as asserted",
    "equal: as asserted",
    "unknown: only the program's class says that they are equal",
    "unknown: only the program's class says that they are equal",
  ]);
});

test("Python: how a program ends before its examples", async () => {
  const programs = [
    "def f(): return 2\nundefined_name()",
    "import no_such_package",
    "number = int(input())",
    "while True:\n    try:\n        input()\n    except EOFError:\n        pass",
    "import time\nwhile True:\n    time.sleep(5)",
    "from http.server import *\nHTTPServer(('', 8000), BaseHTTPRequestHandler).serve_forever()",
    "import sys\nprint(sys.argv[1])",
  ];
  const run = await execute("python", programs, [value("f()", "1")]);
  expect(run.kind === "executed" && run.programs.map(({ ending }) => ending)).toEqual([
    "crashed",
    ...Array(6).fill("unsupported"),
  ]);
});

test("a program that uses up its time delays neither those after it nor other jobs", async () => {
  const after = await execute(
    "python",
    ["while True: pass", "def f(): return 1"],
    [value("f()", "1")],
    { cpuMs: 8_000 },
  );
  expect(after).toMatchObject({
    programs: [{ ending: "endless" }, { results: [{ outcome: "equal" }] }],
  });
  const stop = new AbortController();
  const slow = Array.from({ length: 3 }, () =>
    executeCode(
      {
        kind: "execute",
        language: "javascript",
        programs: ["for (;;);"],
        examples: [value("1", "1")],
      },
      { signal: stop.signal, short: { exampleMs: 100 }, long: { exampleMs: 1e6, cpuMs: 1e6 } },
    ),
  );
  expect(await listResults("javascript", "const f = () => 1", [value("f()", "1")])).toEqual([
    "equal: 1",
  ]);
  stop.abort();
  expect(await Promise.all(slow)).toHaveLength(3);
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

test("Python: endless loops, floods and large memory end at their limits", async () => {
  const program = `
def loop():
    while True:
        pass
def flood():
    while True:
        print("x" * 1000)
def grow():
    items = []
    while True:
        items.append(bytearray(10_000_000))
def deep():
    return deep()
`;
  const list = (calls: string[], limits = {}) =>
    listResults(
      "python",
      program,
      calls.map((call) => value(call)),
      limits,
    );
  expect(await list(["flood()", "grow()", "deep()"])).toEqual([
    "limit: OutputLimit: ",
    expect.stringMatching(/^unknown: MemoryError/),
    expect.stringMatching(/^limit: RecursionError/),
  ]);
  expect(await list(["loop()", "flood()"], { cpuMs: 8_000 })).toEqual(["limit: time"]);
});

test("JavaScript and TypeScript: values, promises, timers, errors and arguments", async () => {
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
      {
        kind: "arguments",
        name: "add",
        values: [
          { parameter: "b", value: "1" },
          { parameter: "a", value: "7" },
        ],
        expected: "8",
      },
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
    "equal: 8",
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

test.each([
  ["never ends", "for (;;);", /^limit: time/],
  ["takes 600 MB", "for (const x = []; x.push(new Uint8Array(1e6)) < 600; ); return 1;", /memory/],
])("JavaScript: an example that %s leaves the others their results", async (_, body, wasted) => {
  const program = `const waste = () => { ${body} }; const add = (a, b) => a + b;`;
  const examples = [value("waste()", "1"), value("add(1, 2)", "3")];
  const results = await listResults("javascript", program, examples, { exampleMs: 2_000 });
  expect(results).toEqual([expect.stringMatching(wasted), "equal: 3"]);
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
  ["hoard", "failed"],
])("a process that a program has escaped into ends if it does too much: %s", async (mode, end) => {
  const limits = { cpuMs: mode === "hoard" ? 20_000 : 1_000, maxOutput: 100_000 };
  const { output, ...result } = await runSandboxProcess(
    "escape-attempts.mjs",
    ["1", mode],
    [Buffer.alloc(4)],
    limits,
  );
  expect(result.end).toBe(end);
  expect(output.length).toBeLessThanOrEqual(limits.maxOutput);
  if (mode === "hoard") expect(result.errorText).toContain("heap out of memory");
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
  const flood = Array.from({ length: 8 }, () => run("flood"));
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
    const endless = Array.from({ length: 10 }, () =>
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
