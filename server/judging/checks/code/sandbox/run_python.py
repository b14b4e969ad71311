"""Runs a program and evaluates expressions with it. Executed inside Pyodide.

The program can read and change everything here, so nothing here knows the results that a job expects:
`compare_python.py` compares them in an interpreter of its own.
"""

import builtins
import contextlib
import inspect
import io
import itertools
import json
import re
import sys
import time
import traceback
import types
import typing

MAX_TEXT = 300
MAX_OUTPUT = 100_000
MAX_ITEMS = 10_000
MAX_NODES = 200_000
MAX_DEPTH = 60
MAX_EMPTY_READS = 100
MAX_SLEEP_SECONDS = 600
PROGRAM_MODULES = ("solution", "__main__")
LEETCODE_IMPORTS = """
import collections, heapq, bisect, math, itertools, functools, string, re, random
from collections import *
from functools import *
from itertools import *
from heapq import *
from bisect import *
from math import inf, gcd, sqrt, ceil, floor, comb


class ListNode:
    def __init__(self, val=0, next=None):
        self.val, self.next = val, next

class TreeNode:
    def __init__(self, val=0, left=None, right=None):
        self.val, self.left, self.right = val, left, right
"""


class OutputLimit(BaseException):
    pass


class Waiting(BaseException):
    """The program waits for input or for time to pass."""


class Unknown(Exception):
    """The example can't be evaluated."""


class Output(io.StringIO):
    """Text written by a program, at most MAX_OUTPUT characters."""

    def write(self, text):
        if self.tell() + len(text) > MAX_OUTPUT:
            raise OutputLimit()
        return super().write(text)


def shorten(text):
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def describe(value):
    try:
        return shorten(repr(value))
    except Exception as error:
        return shorten("unprintable: " + type(error).__name__)


def describe_error(error):
    return shorten(f"{type(error).__name__}: {error}")


def materialize(value):
    """Returns iterators and views as lists, so that they can be compared."""
    if isinstance(value, (types.GeneratorType, map, filter, zip, range, reversed, enumerate)) or type(
        value
    ).__name__ in ("dict_keys", "dict_values", "dict_items"):
        return list(itertools.islice(value, MAX_ITEMS))
    return value


LITERALS = (type(None), bool, int, float, str)
SEQUENCES = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
# Results such as factorials have more digits than Python writes by default.
sys.set_int_max_str_digits(0)
PRINTED = ("Decimal", "Fraction", "date", "datetime", "time", "timedelta")


class Serializer:
    """Writes a value as JSON. Objects of classes keep their name, text and attributes."""

    def __init__(self):
        self.nodes = 0

    def write(self, value, depth=0):
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise Unknown("too large")
        kind = type(value)
        if kind in LITERALS:
            return value
        if depth > MAX_DEPTH:
            return ["object", "deep", "…", None, False]
        for plain in (int, float, str):
            if isinstance(value, plain):
                return plain(value)
        for base, name in SEQUENCES.items():
            if isinstance(value, base):
                return [name, [self.write(item, depth + 1) for item in base.__iter__(value)]]
        if isinstance(value, dict):
            pairs = dict.items(value)
            return ["dict", [[self.write(key, depth + 1), self.write(item, depth + 1)] for key, item in pairs]]
        if kind.__name__ == "deque":
            return ["list", [self.write(item, depth + 1) for item in value]]
        if kind in (bytes, bytearray):
            return ["bytes", value.hex()]
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind.__name__ in PRINTED and kind.__module__ not in PROGRAM_MODULES:
            return ["printed", repr(value)]
        is_own = kind.__module__ in PROGRAM_MODULES
        attributes = vars(value) if is_own and hasattr(value, "__dict__") and depth < 8 else None
        name = kind.__name__
        if isinstance(value, type):
            name, attributes = "type " + value.__name__, None
        written = None if attributes is None else [[key, self.write(attributes[key], depth + 1)] for key in attributes]
        return ["object", name, describe(value), written, is_own]


def serialize(value):
    return Serializer().write(materialize(value))


def create_reader():
    empty = 0

    def read_line(prompt=""):
        """Replaces `input`, so that prompts do not count as output."""
        nonlocal empty
        line = sys.stdin.readline()
        if not line:
            empty += 1
            if empty > MAX_EMPTY_READS:
                raise Waiting("input")
            raise EOFError("no more input")
        return line.rstrip("\n")

    return read_line


def create_sleep(wait=time.sleep):
    total = 0

    def sleep(seconds):
        """Replaces `time.sleep`: the clock advances, without waiting."""
        nonlocal total
        total += max(seconds, 0.01)
        if total > MAX_SLEEP_SECONDS:
            raise Waiting("time")
        wait(seconds)

    return sleep


def load(code, output):
    """Executes a program in a new module. Returns the module and the error that ended it, if any."""
    name = "solution"
    module = types.ModuleType(name)
    sys.modules[name] = module
    space = module.__dict__
    for known in typing.__all__:
        space[known] = getattr(typing, known)
    if re.search(r"class Solution\b|\b(?:List|Tree)Node\b", code):
        exec(LEETCODE_IMPORTS, space)
    error = None
    builtins.input = create_reader()
    time.sleep = create_sleep()
    sys.stdin = io.StringIO("")
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(io.StringIO()):
        try:
            exec(compile(code, "program.py", "exec"), space)
        except Exception as raised:
            error = raised
        except SystemExit as raised:
            error = raised if raised.code not in (None, 0) else None
        except OutputLimit:
            raise
        except BaseException as raised:
            error = raised
    return space, error


def add_methods(space):
    """Makes the methods of `class Solution` callable as functions, as examples name them."""
    solution = space.get("Solution")
    if not isinstance(solution, type):
        return
    for key in list(vars(solution)):
        if not key.startswith("_") and callable(getattr(solution, key)) and key not in space:

            def call(*args, _key=key, **options):
                return getattr(solution(), _key)(*args, **options)

            space[key] = call


FAULTS = (NameError, TypeError, AttributeError, ValueError, LookupError, ArithmeticError, AssertionError, SyntaxError)


def is_fault(error, code):
    """Returns whether an error is the program's own, and not due to what the sandbox lacks."""
    if not isinstance(error, FAULTS) or "has no attribute" in str(error) and "module" in str(error):
        return False
    if isinstance(error, UnicodeError) or "argv" in code or "environ" in code:
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, SyntaxError) or frames[-1].filename == "program.py"


def classify(error):
    """Returns what an error says about the program."""
    if isinstance(error, RecursionError):
        return "limit"
    if isinstance(error, OutputLimit):
        return "limit"
    if isinstance(error, (ImportError, OSError, MemoryError, EOFError, Unknown, Waiting)):
        return "unknown"
    return "unknown" if isinstance(error, RuntimeError) and "thread" in str(error) else "error"


def evaluate(code, space):
    value = eval(compile(code.strip(), "example.py", "eval"), space)
    if inspect.iscoroutine(value):
        try:
            value.send(None)
        except StopIteration as done:
            return done.value
        value.close()
        raise Unknown("waits for something")
    return value


class Program:
    """A loaded program. Each example runs in a scope of its own."""

    def __init__(self, code):
        self.code = code
        output = Output()
        self.space, self.error = {}, None
        try:
            self.space, self.error = load(code, output)
        except OutputLimit as error:
            self.error = error
        add_methods(self.space)
        self.scope = self.space

    def report(self):
        error = self.error
        ending = "completed" if error is None else "crashed" if is_fault(error, self.code) else "unsupported"
        return {
            "ending": ending,
            "error": None if error is None else describe_error(error),
            "names": [name for name in self.space if not name.startswith("__") and not hasattr(typing, name)],
        }

    def begin(self):
        self.scope = dict(self.space)
        sys.stdin = io.StringIO("")

    def execute(self, source):
        exec(compile(source, "example.py", "exec"), self.scope)

    def evaluate(self, source, target):
        value = materialize(evaluate(source, self.scope))
        self.scope[target] = value
        return serialize(value)

    def run_tests(self, source):
        """Executes a test file in the program's scope, then its functions named `test_…`."""
        given = dict(self.scope)
        exec(compile(source, "tests.py", "exec"), self.scope)
        for name, value in list(self.scope.items()):
            if name.startswith("test_") and callable(value) and given.get(name) is not value:
                try:
                    evaluate(name + "()", self.scope)
                except Exception as error:
                    raise AssertionError(f"{name}: {describe_error(error)}") from None


def find_syntax_error(code):
    try:
        compile(code, "program.py", "exec")
    except (SyntaxError, ValueError) as error:
        return error


program = None


def handle(text):
    """Handles one request, a JSON array of a method and its arguments. Returns JSON."""
    global program
    method, *args = json.loads(text)
    if method == "compile":
        error = find_syntax_error(*args)
        return json.dumps({"error": None if error is None else describe_error(error)})
    if method == "load":
        program = Program(*args)
        return json.dumps(program.report())
    printed = Output()
    try:
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
            value = getattr(program, method)(*args)
        return json.dumps({"value": value, "printed": printed.getvalue()})
    except BaseException as error:
        kinds = [kind.__name__ for kind in type(error).__mro__]
        return json.dumps({"outcome": classify(error), "got": describe_error(error), "kinds": kinds})
