import { expect, test } from "vitest";
import { codeFactsCheck } from "./code-facts-check";
import { findDemands } from "./demands/find-demands";

const DEMANDS: [task: string, ...facts: string[]][] = [
  ["Write a Python function named `is_even` that takes an integer.", "defines is_even"],
  ["Implement a function called parse_date that accepts a string.", "defines parse_date"],
  ["Please create a JavaScript function `debounce(fn, wait)`.", "defines debounce"],
  ["The function must be named twoSum.", "defines twoSum"],
  ["Define a class named LRUCache with get and put.", "defines LRUCache"],
  ["The class should be called `Inventory`.", "defines Inventory"],
  ["Name the function slugify.", "defines slugify"],
  ["Check leap years. The name of the function must be is_leap.", "defines is_leap"],
  ["Function name: countVowels", "defines countVowels"],
  ["The function's name should be `solve`.", "defines solve"],
  [
    "Design a class MinStack with push(x), pop(), top() and get_min(), all O(1).",
    "defines MinStack",
    "defines push",
    "defines pop",
    "defines top",
    "defines get_min",
  ],
  [
    "Implement a class `Cache` with the methods `get(key)` and `put(key, value)`.",
    "defines Cache",
    "defines get",
    "defines put",
  ],
  ["Write fizzbuzz in Python without any imports.", "avoids-imports "],
  ["Solve it. Do not import anything.", "avoids-imports "],
  ["No external libraries, please.", "avoids-packages "],
  ["Use only the standard library.", "avoids-packages "],
  ["It must run on Node 20 with no npm dependencies.", "avoids-packages "],
  ["Do not use third-party packages.", "avoids-packages "],
  ["Reverse the list without using any loops.", "avoids-loops "],
  ["Don't use for or while loops.", "avoids-loops "],
  ["Avoid while loops.", "avoids-loops while"],
  ["Compute the sum without recursion.", "avoids-recursion "],
  ["Write a recursive function that flattens a list.", "is-recursive "],
  ["You must use recursion.", "is-recursive "],
  ["Write a function with type hints and a docstring.", "has-type-hints ", "has-docstring "],
  ["Include type annotations.", "has-type-hints "],
  ["Add a docstring to every function.", "has-docstring "],
  ["Also include unit tests.", "has-tests "],
  ["Sort it without using the built-in sort() function.", "avoids-call sort"],
  ["Do not use `eval`.", "avoids-call eval"],
  ["You may not use `sorted()`.", "avoids-call sorted"],
  ["Do it without numpy.", "avoids-module numpy"],
  ["Don't use regular expressions.", "avoids-module regular expressions"],
  ["Implement it without using lodash.", "avoids-module lodash"],
];
const LOOK_ALIKES = [
  "There is a function called `foo` in the module; explain what it does.",
  "If possible, avoid recursion.",
  "The name of the function must be descriptive.",
  "The function name should be in snake case.",
  "The function name is up to you.",
  "Explain the class Stack with push(x) and pop().",
  "Explain how recursion works.",
  "The old code failed without numpy installed, so fix the import error.",
  "What does a docstring contain?",
  "You can use recursion or a loop.",
  "Describe the external libraries that the project uses.",
  "Use type hints only if you need to.",
  "Do not use any library other than numpy.",
  "Our loop runs without errors.",
  "Do not call `save()` twice.",
  "It must work without `config` being set.",
  "List all files of a folder recursively.",
  "Do not use `fetch` when the cache has the page.",
  "Write a function that removes docstrings and type hints from a file.",
];

test.each(DEMANDS)("%s", (task, ...expected) => {
  expect(findDemands(task).map(({ kind, name }) => `${kind} ${name}`)).toEqual(expected);
});

test.each(LOOK_ALIKES)("demands nothing: %s", (task) => {
  expect(findDemands(task)).toEqual([]);
});

const check = (demand: string, code: string, label = "python") => {
  const task = `Write code. ${demand}`;
  const [fact] = findDemands(task);
  if (!fact) throw new Error("no fact");
  const text = `Here it is:\n\n\`\`\`${label}\n${code}\n\`\`\``;
  return codeFactsCheck.run({ task, category: "code-review", text }, fact).outcome;
};

test.each([
  ["The function must be named add_all.", "def add_all(xs):\n    return sum(xs)", "pass"],
  ["The function must be named add_all.", "def addAll(xs):\n    return sum(xs)", "fail"],
  ["The function must be named add_all.", "def f(xs):  # add_all\n    return sum(xs)", "fail"],
  ["Do not import anything.", "from typing import List\ndef f(): pass", "pass"],
  ["Do not import anything.", "import math\ndef f(): pass", "fail"],
  ["No external libraries.", "import json, os\nfrom collections import deque", "pass"],
  ["No external libraries.", "import numpy as np\nx = 1", "fail"],
  ["Do not use any loops.", "def f(xs):\n    return [x for x in xs]", "pass"],
  ["Do not use any loops.", "def f(xs):\n    for x in xs:\n        print(x)", "fail"],
  ["Do not use while loops.", "def f(xs):\n    for x in xs:\n        print(x)", "pass"],
  ["You must use recursion.", "def f(n):\n    return 1 if n == 0 else n * f(n - 1)", "pass"],
  ["You must use recursion.", "def f(n):\n    return n\n\nf(1)", "fail"],
  ["Compute it without recursion.", "def f(n):\n    return 1 if n == 0 else n * f(n - 1)", "fail"],
  ["Include type hints.", "def f(n: int) -> int:\n    return n", "pass"],
  ["Include type hints.", "def f(n):\n    return {1: n}", "fail"],
  ["Add a docstring.", 'def f(n):\n    """Same."""\n    return n', "pass"],
  ["Add a docstring.", "def f(n):\n    return n  # docstring", "fail"],
  ["Do not use `sorted()`.", "def f(n):\n    return 'sorted(' + n", "pass"],
  ["Do not use `sorted()`.", "def f(n):\n    return sorted(n)", "fail"],
  ["Do not use `sorted()`.", "def sorted(n):\n    return n\nsorted(1)", "not-applicable"],
  ["Do not use regular expressions.", "import re\nx = 1", "fail"],
])("%s %s", (demand, code, outcome) => {
  expect(check(demand, code)).toBe(outcome);
});

test("an import that JavaScript requires counts", () => {
  expect(check("No npm dependencies.", 'const _ = require("lodash");\nfunction f() {}', "js")).toBe(
    "fail",
  );
  expect(check("No npm dependencies.", 'import fs from "node:fs";\nfunction f() {}', "js")).toBe(
    "pass",
  );
});

test("code that only repeats the task's own is not held to it", () => {
  const code = "```python\nimport numpy as np\n\ndef mean(x):\n    return np.mean(x)\n```";
  const task = `Rewrite this without numpy:\n\n${code}`;
  const fact = { kind: "avoids-module", name: "numpy" } as const;
  const input = { task, category: "code-review", text: `You have:\n\n${code}` } as const;
  expect(codeFactsCheck.run(input, fact).outcome).toBe("not-applicable");
});
