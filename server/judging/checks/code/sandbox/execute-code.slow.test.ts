import { expect, test, vi } from "vitest";
import type { CodeExample, ExecutableLanguage } from "@/server/judging/checks/code/code-run";
import {
  execute,
  expectTestOutcome,
  listResults,
  PYTHON_ADD,
  SCRIPT_ADD,
  value,
} from "@/server/testing/process/sandbox";
import { executeCode } from "./execute-code";
import { runSandboxProcess } from "./sandbox-process";

// Python starts slowly on a busy machine, and some programs use up all of their time.
vi.setConfig({ testTimeout: 240_000 });

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

test.each<[ExecutableLanguage, string, string, string]>([
  ["python", PYTHON_ADD, "assert add(1, 2) == 3", "equal"],
  ["python", PYTHON_ADD, "async def test_sum():\n    assert add(1, 2) == 4", "error"],
  ["python", PYTHON_ADD, "def test_sum():\n    assert add(1, 2) == 3", "equal"],
  ["python", `${PYTHON_ADD}raise SystemExit(1)`, "assert True", "error"],
  ["python", "import sys\nsys.exit(0)\ndef add(a, b): pass", "assert add(1, 2)", "error"],
  ["python", PYTHON_ADD, "import sys\nsys.exit(0)", "error"],
  ["python", PYTHON_ADD, "import os\nos.fork()", "unknown"],
  ["python", PYTHON_ADD, "import socket\nsocket.create_connection(('127.0.0.1', 80))", "unknown"],
  ["python", PYTHON_ADD, "while True: pass", "limit"],
  ["javascript", SCRIPT_ADD, "test('late', async () => { await null; for (;;); })", "limit"],
])("%s: a test file on a program (%#)", expectTestOutcome);

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

test.each([
  ["never ends", "for (;;);", /^limit: time/],
  ["takes 600 MB", "for (const x = []; x.push(new Uint8Array(1e6)) < 600; ); return 1;", /memory/],
])("JavaScript: an example that %s leaves the others their results", async (_, body, wasted) => {
  const program = `const waste = () => { ${body} }; const add = (a, b) => a + b;`;
  const examples = [value("waste()", "1"), value("add(1, 2)", "3")];
  const results = await listResults("javascript", program, examples, { exampleMs: 2_000 });
  expect(results).toEqual([expect.stringMatching(wasted), "equal: 3"]);
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

test("a process that a program has escaped into ends if it takes too much memory", async () => {
  const result = await runSandboxProcess("escape-attempts.mjs", ["1", "hoard"], [Buffer.alloc(4)], {
    cpuMs: 20_000,
    maxOutput: 100_000,
  });
  expect(result.end).toBe("failed");
  expect(result.errorText).toContain("heap out of memory");
});
