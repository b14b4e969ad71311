import { expect, test, vi } from "vitest";
import { codeExamplesCheck } from "./code-examples-check";
import { executeCode } from "./sandbox/execute-code";

// Thirty programs, each in a process of its own.
vi.setConfig({ testTimeout: 600_000 });

const py = (code: string) => `\`\`\`python\n${code}\n\`\`\``;
const js = (code: string) => `\`\`\`js\n${code}\n\`\`\``;

/** Tasks with a right and a wrong deliverable. */
const PROGRAMS: [task: string, right: string, wrong: string][] = [
  [
    "Write a Python function named `is_leap`. It should return True for 2000 and 2400, and False for 1900.",
    py("def is_leap(y):\n    return y % 4 == 0 and (y % 100 != 0 or y % 400 == 0)"),
    py("def is_leap(y):\n    return y % 4 == 0"),
  ],
  [
    "Write only the body of `def area(width, height):`. area(3, 4) returns 12.",
    "    return width * height",
    "    return width + height",
  ],
  [
    "Complete the body of `function last(items)` in JavaScript. `last([1, 2])` returns 2.",
    js("return items[items.length - 1];"),
    js("return items[items.length];"),
  ],
  [
    "Write a Python class Stack with push, pop and size. After `s = Stack()`, `s.push(4)` and `s.push(7)`, `s.pop()` returns 7, and `s.size()` returns 1.",
    py(
      "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        return self.items.pop()\n    def size(self):\n        return len(self.items)",
    ),
    py(
      "class Stack:\n    def __init__(self):\n        self.items = []\n    def push(self, x):\n        self.items.append(x)\n    def pop(self):\n        return self.items.pop(0)\n    def size(self):\n        return len(self.items)",
    ),
  ],
  [
    "Write a JavaScript class Counter:\n```js\nconst c = new Counter(2);\nc.add(3);\nc.total(); // 5\n```",
    js(
      "class Counter {\n  constructor(n) { this.n = n; }\n  add(x) { this.n += x; }\n  total() { return this.n; }\n}",
    ),
    js(
      "class Counter {\n  constructor(n) { this.n = 0; }\n  add(x) { this.n += x; }\n  total() { return this.n; }\n}",
    ),
  ],
  [
    "Write an async JavaScript function `wait(value)` that resolves after 5 ms. `await wait(3)` resolves to 6.",
    js(
      "async function wait(value) {\n  await new Promise((r) => setTimeout(r, 5));\n  return value * 2;\n}",
    ),
    js(
      "async function wait(value) {\n  await new Promise((r) => setTimeout(r, 5));\n  return value;\n}",
    ),
  ],
  [
    "Write a Python function to_fahrenheit(celsius). to_fahrenheit(-5.08) should return about 22.86.",
    py("def to_fahrenheit(celsius):\n    return celsius * 9 / 5 + 32"),
    py("def to_fahrenheit(celsius):\n    return celsius * 5 / 9 + 32"),
  ],
  [
    "Write a Python function named half.\n\n| Input | Output |\n|---|---|\n| 8 | 4 |\n| 10 | 5 |",
    py("def half(n):\n    return n // 2"),
    py("def half(n):\n    return n - 4"),
  ],
  [
    "Write a Python function called initials. For 'Ada Lovelace' it returns 'AL'.",
    py("def initials(name):\n    return ''.join(word[0] for word in name.split())"),
    py("def initials(name):\n    return name[0]"),
  ],
  [
    "Add the method `area(self)` to the class. `Square(3).area()` returns 9.\n```python\nclass Square:\n    def __init__(self, side):\n        self.side = side\n```",
    py("def area(self):\n    return self.side ** 2"),
    py("def area(self):\n    return self.side * 4"),
  ],
  [
    "Write a TypeScript function `clamp(x: number, lo: number, hi: number): number`. `clamp(15, 0, 10)` should give 10.",
    "```ts\nfunction clamp(x: number, lo: number, hi: number): number {\n  return Math.min(hi, Math.max(lo, x));\n}\n```",
    "```ts\nfunction clamp(x: number, lo: number, hi: number): number {\n  return Math.max(hi, Math.min(lo, x)) + 1;\n}\n```",
  ],
  [
    "Write an async Python function `double(n)`. `await double(4)` returns 8.",
    py("async def double(n):\n    return n * 2"),
    py("async def double(n):\n    return n + 2"),
  ],
  [
    "Write a Python function mean(values). mean([1, 2, 4]) returns approximately 2.33.",
    py("def mean(values):\n    return sum(values) / len(values)"),
    py("def mean(values):\n    return sum(values) / 2"),
  ],
  [
    "Write a JavaScript method for the class below. `new Circle(2).diameter()` returns 4.\n```js\nclass Circle {\n  constructor(r) { this.r = r; }\n}\n```",
    js("  diameter() { return this.r * 2; }"),
    js("  diameter() { return this.r * 3; }"),
  ],
  [
    "Write a JavaScript function named countWords. Given 'a b c' it returns 3, and given '' it returns 0.",
    js("const countWords = (text) => text.split(' ').filter(Boolean).length;"),
    js("const countWords = (text) => text.split(' ').length;"),
  ],
  [
    "Need a python func is_leap(year). Should be True for 2000 and 2024, False for 1900 and 2023.",
    py("def is_leap(year):\n    return year % 400 == 0 or (year % 4 == 0 and year % 100 != 0)"),
    py("def is_leap(year):\n    return year % 4 == 0"),
  ],
  [
    "Please write parse_duration(s) in Python: '1h30m' -> 5400, '45s' -> 45, '2h' -> 7200.",
    py(
      "import re\ndef parse_duration(s):\n    units = {'h': 3600, 'm': 60, 's': 1}\n    return sum(int(n) * units[u] for n, u in re.findall(r'(\\d+)([hms])', s))",
    ),
    py("def parse_duration(s):\n    return int(s[:-1]) * 60"),
  ],
  [
    "Implement `median(values)` in Python. For [3, 1, 2] the median is 2; for [4, 1, 2, 3] it is 2.5.",
    py(
      "def median(values):\n    v = sorted(values)\n    m = len(v) // 2\n    return v[m] if len(v) % 2 else (v[m - 1] + v[m]) / 2",
    ),
    py("def median(values):\n    return sorted(values)[len(values) // 2]"),
  ],
  [
    "Write an async JavaScript function `sortLater(nums)` that resolves to the sorted array: await sortLater([3,1,2]) // [1,2,3]",
    js("async function sortLater(nums) {\n  return [...nums].sort((a, b) => a - b);\n}"),
    js("async function sortLater(nums) {\n  return nums;\n}"),
  ],
  [
    "write a python function that reverses words in a string, call it reverse_words. 'hello world' becomes 'world hello'",
    py("def reverse_words(text):\n    return ' '.join(reversed(text.split()))"),
    py("def reverse_words(text):\n    return text[::-1]"),
  ],
  [
    "Write a Python function roman(n).\n\n| n | result |\n|---|---|\n| 4 | 'IV' |\n| 9 | 'IX' |",
    py(
      "def roman(n):\n    out = ''\n    for v, s in [(10, 'X'), (9, 'IX'), (5, 'V'), (4, 'IV'), (1, 'I')]:\n        while n >= v:\n            out += s\n            n -= v\n    return out",
    ),
    py("def roman(n):\n    return 'I' * n"),
  ],
];

async function check(task: string, text: string): Promise<string> {
  const input = { task, category: "code-review", text } as const;
  const [requirement] = codeExamplesCheck.extract(task, "code-review");
  if (!requirement) return "no example";
  const io = {
    fetchCitedPage: async () => ({ kind: "unreachable" as const, reason: "unused" }),
    runCode: executeCode,
  };
  const observation = await codeExamplesCheck.observe(input, requirement.parameters, io);
  return observation
    ? codeExamplesCheck.run(input, requirement.parameters, observation).outcome
    : "no program";
}

test("of 42 programs, most are decided and none wrongly", async () => {
  const results: { task: string; isRight: boolean; outcome: string }[] = [];
  for (const [task, right, wrong] of PROGRAMS) {
    results.push({ task, isRight: true, outcome: await check(task, right) });
    results.push({ task, isRight: false, outcome: await check(task, wrong) });
  }
  const wrongly = results.filter(({ isRight, outcome }) => outcome === (isRight ? "fail" : "pass"));
  expect(wrongly).toEqual([]);
  const undecided = results.filter(({ outcome }) => outcome !== "pass" && outcome !== "fail");
  expect(undecided.length, JSON.stringify(undecided, null, 1)).toBeLessThanOrEqual(10);
});
