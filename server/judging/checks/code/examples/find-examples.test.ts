import { expect, test } from "vitest";
import type { CodeExample } from "@/server/judging/checks/code/code-run";
import { findExamples } from "./find-examples";

const show = (example: CodeExample): string => {
  switch (example.kind) {
    case "value":
      return `${example.setup ? `${example.setup.replaceAll("\n", "; ")}; ` : ""}${example.call} = ${example.expected}`;
    case "error":
      return `${example.call} throws ${example.error || "an error"}`;
    case "assertion":
      return example.statement;
  }
};

const STATED: [task: string, ...examples: string[]][] = [
  ["`add(2, 3)` returns 5.", "add(2, 3) = 5"],
  ["add(2, 3) should return 5, and add(-1, 1) should return 0.", "add(2, 3) = 5", "add(-1, 1) = 0"],
  ["Example: is_prime(7) -> True", "is_prime(7) = True"],
  ["is_prime(7) => true\nis_prime(8) => false", "is_prime(7) = true", "is_prime(8) = false"],
  ['For example, `slug("A B")` should return `"a-b"`.', 'slug("A B") = "a-b"'],
  ["e.g. `capitalize('abc')` → 'Abc'", "capitalize('abc') = 'Abc'"],
  ['count_vowels("banana") == 3', 'count_vowels("banana") = 3'],
  ['count_vowels("banana")  # 3', 'count_vowels("banana") = 3'],
  ["print(half(9))  # => 4.5", "half(9) = 4.5"],
  ["console.log(sum([1,2])); // 3", "sum([1,2]) = 3"],
  ["flatten([1, [2, [3]]]) // [1, 2, 3]", "flatten([1, [2, [3]]]) = [1, 2, 3]"],
  ["`divide(1, 0)` must raise a ValueError", "divide(1, 0) throws ValueError"],
  ["parse('x') throws an error", "parse('x') throws an error"],
  ["Write fib(n) with fib(0) = 0 and fib(1) = 1.", "fib(0) = 0", "fib(1) = 1"],
  [
    "Your code should pass these tests:\n\nassert first ([1, 3]) == 1\nassert first([]) == None",
    "assert first ([1, 3]) == 1",
    "assert first([]) == None",
  ],
  ["assert total([\n  1,\n  2,\n]) == 3", "assert total([\n  1,\n  2,\n]) == 3"],
  ['def f(x):\n    """Doubles.\n    >>> f(2)\n    4\n    """', "f(2) = 4"],
  [">>> half(5)\n2.5\nReturn only the code.", "half(5) = 2.5"],
  [">>> grid(2)\n[[0, 0],\n [0, 0]]\nThanks!", "grid(2) = [[0, 0],\n[0, 0]]"],
  [">>> s = Stack()\n>>> s.push(1)\n>>> s.pop()\n1", "s = Stack(); s.push(1); s.pop() = 1"],
  [
    ">>> f(-1)\nTraceback (most recent call last):\n  ...\nValueError: negative",
    "f(-1) throws ValueError",
  ],
  ["fact(5) returns 120 because 5! is 120", "fact(5) = 120"],
  ["Calling `clamp(15, 0, 10)` should give 10.", "clamp(15, 0, 10) = 10"],
  ["`fib(10)` is 55.", "fib(10) = 55"],
  ["f(3)\nOutput: 9", "f(3) = 9"],
  ["It should satisfy add(1, 2) === 3.", "add(1, 2) = 3"],
  ["`await load(1)` resolves to 2.", "load(1) = 2"],
  ["`new Square(3).area()` returns 9.", "new Square(3).area() = 9"],
  [
    "Write a function named is_leap. It should return True for 2000 and 2400, and False for 1900.",
    "is_leap(2000) = True",
    "is_leap(2400) = True",
    "is_leap(1900) = False",
  ],
  ["Write a function called double. For [1, 2] it returns [2, 4].", "double([1, 2]) = [2, 4]"],
];

test.each(STATED)("%s", (task, ...expected) => {
  expect(findExamples(task).map(show)).toEqual(expected);
});

test.each([
  "Currently `pages(0, 10)` returns 1; fix it.",
  "`f(3)` returns 4 instead of 3.",
  "sum_even([1,2,3,4]) gives 2 instead of 6. Fix it.",
  "`half(3)` currently returns 1 but it should return 1.5. Find the bug.",
  "`f(3)` wrongly returns 4.",
  "if add(1) == 2:\n    pass",
  "x = f(3)\nconst y = add(2, 3);",
  "add(a, b) returns a + b",
  "def f() -> None:\n    pass",
  "`shuffle([1,2,3])` returns [2, 1, 3], in random order",
  'Explain why `parseInt("08")` returns 8.',
  "generate(12) could return 'aB3'",
  "foo(2) is 3 times slower than foo(1)",
  "range(3) returns 0, 1 and 2",
  "f(3) returns 1,000 rows",
  "wait(5) returns 5 seconds later",
  "When I run f(3) I get 4",
  "def test_add():\n    result = add(1, 2)\n    assert result == 3",
  "take(2) returns 3-tuples",
  "`f(2)` should not return 3",
  "f(2) should return about 3.14",
  "Write a function named f. | n | time |\n|---|---|\n| 4 | 2 |",
  ">>> print(f(2))\n3",
  "f(1) returns [2, 1], in any order.",
  "f(1) returns 2. If there are several answers, return any of them.",
  "def f(x):\n    assert abs(x) > 0\n    return x",
  "When I call it I get the wrong result:\n>>> f(2)\n5",
  "`f(2)` returns 3. But `f(2)` should return 4.",
  "Fix the code so that f(1) returns 2 instead of 3.",
  "Write a function named f. It currently returns 3 for 5.",
  "Write a function named f that returns the number of words for a text.",
])("states no example: %s", (task) => {
  expect(findExamples(task)).toEqual([]);
});
