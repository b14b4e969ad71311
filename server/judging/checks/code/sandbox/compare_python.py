"""Evaluates the examples of a job. Executed inside Pyodide, in an interpreter without the program.

Whatever uses the program is evaluated by `run_python.py` in another interpreter, and arrives as plain
data. The rest, above all the expected results, stays here, where the program can't read or change it.
"""

import ast
import builtins
import collections
import datetime
import decimal
import fractions
import json
import re
import sys
import types

MAX_TEXT = 300
SAFE_NAMES = """
import bisect, collections, copy, datetime, decimal, fractions, functools, heapq, itertools, json, math, operator, random, re, statistics, string
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from math import inf, nan, pi, isclose
class asyncio:
    run = staticmethod(lambda value: value)
"""


class Undefined(Exception):
    """The program lacks a name that the example uses."""


class Unknown(Exception):
    """The example can't be evaluated."""


class Ended(Exception):
    """The program ended with an error."""

    def __init__(self, outcome, got, kinds):
        super().__init__(got)
        self.outcome, self.got, self.kinds = outcome, got, kinds


class Opaque:
    """An object of a class that only the program's interpreter has."""

    def __init__(self, name, text, attributes, is_own):
        self.name, self.text, self.attributes, self.is_own = name, text, attributes, is_own

    def __eq__(self, other):
        return (
            isinstance(other, Opaque)
            and self.attributes is not None
            and (self.name, self.attributes) == (other.name, other.attributes)
        )

    def __hash__(self):
        return hash((self.name, self.text))

    def __repr__(self):
        return self.text


def shorten(text):
    return text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 1] + "…"


def describe(value):
    return shorten(repr(value))


def decimals(number):
    text = repr(number)
    return len(text.split(".")[1]) if "." in text and "e" not in text else 0


def is_close(got, expected, is_exact=False):
    if got == expected:
        return True
    if got != got and expected != expected:
        return True
    if abs(got - expected) <= 1e-6 * max(1, abs(expected)):
        return True
    # An example that shows 3.33 may be a rounded value.
    places = decimals(expected) if isinstance(expected, float) and not is_exact else 0
    return places >= 2 and round(float(got), places) == expected


def same(got, expected, is_exact=False, depth=0):
    """Compares values; numbers may differ by rounding. Unless `is_exact`, a tuple equals a list."""

    def same_item(one, other):
        return same(one, other, is_exact, depth + 1)

    if depth > 50:
        return got == expected
    if isinstance(got, (int, float)) and isinstance(expected, (int, float)):
        return is_close(got, expected, is_exact)
    if isinstance(got, complex) and isinstance(expected, (int, float, complex)):
        return abs(got - expected) < 1e-6
    if isinstance(got, (list, tuple)) and isinstance(expected, (list, tuple)):
        if len(got) != len(expected) or (is_exact and isinstance(got, list) != isinstance(expected, list)):
            return False
        return all(same_item(one, other) for one, other in zip(got, expected))
    if isinstance(got, dict) and isinstance(expected, dict):
        return got.keys() == expected.keys() and all(same_item(got[key], expected[key]) for key in expected)
    if isinstance(expected, (set, frozenset)) and isinstance(got, (list, tuple)) and not is_exact:
        return len(got) == len(expected) and set(got) == expected
    return bool(got == expected)


PRINTED = re.compile(r"(?:Decimal|Fraction|datetime\.(?:date|datetime|time|timedelta))\([-+\w'., =]*\)")
PRINTED_SCOPE = {
    "__builtins__": {},
    "Decimal": decimal.Decimal,
    "Fraction": fractions.Fraction,
    "datetime": types.SimpleNamespace(
        date=datetime.date, datetime=datetime.datetime, time=datetime.time, timedelta=datetime.timedelta
    ),
}


SEQUENCES = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
sys.set_int_max_str_digits(0)


def read_tree(tree):
    """Reads a value as `run_python.py` serializes it."""
    if not isinstance(tree, list):
        return tree
    kind, *parts = tree
    if kind in SEQUENCES:
        return SEQUENCES[kind](read_tree(part) for part in parts[0])
    if kind == "dict":
        return {read_tree(key): read_tree(value) for key, value in parts[0]}
    if kind == "bytes":
        return bytes.fromhex(parts[0])
    if kind == "complex":
        return complex(parts[0], parts[1])
    if kind == "printed" and PRINTED.fullmatch(parts[0]):
        return eval(parts[0], PRINTED_SCOPE)
    name, text, attributes, is_own = parts
    known = None if attributes is None else [(key, read_tree(value)) for key, value in attributes]
    return Opaque(name, text, known, is_own is True)


def is_plain(tree):
    if not isinstance(tree, list):
        return True
    if tree[0] == "object":
        return False
    if tree[0] == "dict":
        return all(is_plain(part) for pair in tree[1] for part in pair)
    return tree[0] in ("bytes", "complex", "printed") or all(is_plain(part) for part in tree[1])


def parse(code, mode):
    try:
        return ast.parse(code.strip(), mode=mode)
    except (SyntaxError, ValueError):
        raise Unknown("not an expression") from None


def list_names(*nodes):
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}


SCOPED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr)


def list_bound(nodes, has_inner):
    """Returns the names that statements bind, and with `has_inner` also those bound inside of them."""
    bound = set()
    queue = list(nodes)
    while queue:
        one = queue.pop()
        if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load):
            bound.add(one.id)
        elif isinstance(one, ast.arg):
            bound.add(one.arg)
        elif isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            bound.add(one.name)
        elif isinstance(one, ast.alias):
            bound.add((one.asname or one.name).split(".")[0])
        if has_inner or not isinstance(one, (*SCOPED, ast.FunctionDef, ast.ClassDef)):
            queue += ast.iter_child_nodes(one)
    return bound


IDENTITY = (ast.Is, ast.IsNot)


class Evaluation:
    """Evaluates one example. Its generators yield requests to the program's interpreter."""

    def __init__(self, names, nodes):
        self.scope = {}
        exec(SAFE_NAMES, self.scope)
        # Whether a class of the program alone decided that two values are equal.
        self.is_doubtful = False
        self.opaque = set()
        self.count = 0
        used = list_names(*nodes)
        # Objects of classes that an example names may well equal numbers, as fractions do.
        self.has_class = any(name[:1].isupper() for name in used & names)
        own = {name for name in used & names if name not in self.scope and not hasattr(builtins, name)}
        # A program may not replace what examples compare with, unless that is what it is to define.
        self.names = (own or used & names) | list_bound(nodes, False)
        known = names | list_bound(nodes, True) | self.scope.keys()
        called = {
            one.func.id
            for node in nodes
            for one in ast.walk(node)
            if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)
        }
        for name in sorted(used | called):
            if name not in known and not hasattr(builtins, name):
                raise Undefined(name) if name in called else Unknown("undefined: " + name)

    def uses_program(self, node):
        return not self.names.isdisjoint(list_names(node))

    def request(self, *message):
        response = yield list(message)
        if "outcome" in response:
            raise Ended(response["outcome"], response["got"], response["kinds"])
        return response["value"]

    def compute(self, node):
        """Has the program's interpreter evaluate an expression. Returns a name for its value."""
        self.count += 1
        target = f"__value{self.count}"
        tree = yield from self.request("evaluate", ast.unparse(node), target)
        try:
            self.scope[target] = read_tree(tree)
            is_opaque = not is_plain(tree)
        except Exception:
            raise Unknown("unreadable") from None
        if is_opaque:
            self.opaque.add(target)
        return ast.Name(target, ast.Load())

    def reduce(self, node):
        """Replaces the parts of an expression that use the program by names for their values."""
        if not self.uses_program(node):
            return node
        if isinstance(node, ast.Name):
            return (yield from self.compute(node))
        if isinstance(node, SCOPED):
            self.is_doubtful |= any(isinstance(one, ast.Compare) for one in ast.walk(node))
            return (yield from self.compute(node))
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.AST):
                setattr(node, field, (yield from self.reduce(value)))
            elif isinstance(value, list):
                parts = []
                for part in value:
                    parts.append((yield from self.reduce(part)) if isinstance(part, ast.AST) else part)
                setattr(node, field, parts)
        if isinstance(node, (ast.Starred, ast.Slice, ast.FormattedValue)) or not isinstance(node, ast.expr):
            return node
        if self.opaque.isdisjoint(list_names(node)):
            return node
        operands = [one for one in self.list_operands(node) if self.opaque.isdisjoint(list_names(one))]
        self.is_doubtful |= len(operands) > 0
        return (yield from self.compute(node))

    def list_operands(self, node):
        """Returns the operands of an operation that an object of the program could falsify."""
        if isinstance(node, ast.BinOp):
            return [node.left, node.right]
        if isinstance(node, ast.Compare):
            return [node.left, *node.comparators]
        is_foreign = isinstance(node, ast.Call) and self.opaque.isdisjoint(list_names(node.func))
        return node.args if is_foreign else []

    def evaluate(self, node):
        """Evaluates a reduced expression."""
        return eval(compile(ast.fix_missing_locations(ast.Expression(node)), "example.py", "eval"), self.scope)

    def compare(self, left, right, is_exact):
        """Compares two reduced expressions. Returns whether they are equal, and the first value."""
        got, expected = self.evaluate(left), self.evaluate(right)
        opaque = [not self.opaque.isdisjoint(list_names(side)) for side in (left, right)]
        if not any(opaque) or same(got, expected, is_exact):
            return same(got, expected, is_exact), got
        is_foreign = isinstance(got, Opaque) and got.is_own and not self.has_class
        if is_foreign and isinstance(expected, (int, float, str)):
            return False, got
        self.is_doubtful |= not all(opaque)
        equal = ast.Compare(left, [ast.Eq()], [right])
        return bool(self.evaluate((yield from self.compute(equal)))), got

    def decide(self, node):
        """Evaluates a condition. Returns it, and the value that it is about."""
        if isinstance(node, ast.BoolOp):
            is_met, value = isinstance(node.op, ast.And), None
            for part in node.values:
                is_part, value = yield from self.decide(part)
                if is_part != is_met:
                    return is_part, value
            return is_met, value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            is_met, value = yield from self.decide(node.operand)
            return not is_met, value
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left = yield from self.reduce(node.left)
            right = yield from self.reduce(node.comparators[0])
            [operator] = node.ops
            if isinstance(operator, (ast.Eq, ast.NotEq)):
                is_equal, value = yield from self.compare(left, right, True)
                return is_equal == isinstance(operator, ast.Eq), value
            node = ast.Compare(left, [operator], [right])
            if isinstance(operator, IDENTITY):
                # Only constants are the same objects in both interpreters.
                if not isinstance(right, ast.Constant):
                    node = yield from self.compute(node)
            elif not self.opaque.isdisjoint(list_names(node)):
                node = yield from self.reduce_opaque(node)
            return bool(self.evaluate(node)), self.evaluate(left)
        value = self.evaluate((yield from self.reduce(node)))
        return bool(value), value

    def reduce_opaque(self, node):
        self.is_doubtful |= any(self.opaque.isdisjoint(list_names(one)) for one in self.list_operands(node))
        return (yield from self.compute(node))

    def execute(self, statement, others):
        """Runs a statement that sets up the example or asserts. Returns the value that failed it."""
        if isinstance(statement, ast.Assert):
            is_met, value = yield from self.decide(statement.test)
            return None if is_met else [value]
        targets = list_bound([statement], False)
        is_data = isinstance(statement, ast.Assign) and not self.uses_program(statement.value)
        if is_data and not any(self.is_shared(other, targets) for other in others):
            code = compile(ast.Module([statement], []), "example.py", "exec")
            exec(code, self.scope)
            self.names -= targets
            return None
        if isinstance(statement, (ast.Import, ast.ImportFrom)) and targets <= self.scope.keys():
            self.names -= targets
        self.is_doubtful |= any(isinstance(one, ast.Assert) for one in ast.walk(statement))
        try:
            yield from self.request("execute", ast.unparse(statement))
        except Ended as error:
            if "AssertionError" in error.kinds and self.is_doubtful:
                return [error]
            raise
        return None

    def is_shared(self, node, names):
        """Returns whether the program gets one of these names."""
        if not isinstance(node, ast.Assert):
            return not names.isdisjoint(list_names(node)) and self.uses_program(node)
        calls = [one for one in ast.walk(node) if isinstance(one, ast.Call) and self.uses_program(one.func)]
        return any(not names.isdisjoint(list_names(one)) for one in calls)


def result(is_equal, got):
    return ("equal" if is_equal else "different", got)


def read_setup(example):
    return parse(example.get("setup") or "", "exec").body


def run_value(example, names):
    call = parse(example["call"], "eval").body
    setup = read_setup(example)
    evaluation = Evaluation(names, [*setup, call])
    yield from run_setup(evaluation, setup, call)
    left = yield from evaluation.reduce(call)
    got = evaluation.evaluate(left)
    try:
        expected = parse(example["expected"], "eval").body
        own = list_names(expected) & names
        evaluation.names |= {name for name in own if name not in evaluation.scope and not hasattr(builtins, name)}
        right = yield from evaluation.reduce(expected)
        wanted = evaluation.evaluate(right)
    except (Ended, Exception):
        if example["expected"] in (describe(got), str(got)):
            return ("equal", describe(got))
        raise Unknown("expected value is no expression") from None
    is_equal, _ = yield from evaluation.compare(left, right, False)
    return rate(evaluation, is_equal, describe(got))


def rate(evaluation, is_equal, got):
    if is_equal and evaluation.is_doubtful:
        raise Unknown("only the program's class says that they are equal")
    return result(is_equal, got)


def run_setup(evaluation, setup, call):
    for index, statement in enumerate(setup):
        yield from evaluation.execute(statement, [*setup[index + 1 :], ast.Expr(call)])


def list_steps(example):
    """Returns the statements of an assertion; those of a test function that it calls."""
    setup, body = read_setup(example), parse(example["statement"], "exec").body
    call = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    test = setup[-1] if setup else None
    if (
        isinstance(call, ast.Call)
        and isinstance(test, ast.FunctionDef)
        and ast.unparse(call) == f"{test.name}()"
        and not any(isinstance(one, (ast.Return, ast.Global, ast.Nonlocal)) for one in ast.walk(test))
    ):
        return [*setup[:-1], *test.body]
    return [*setup, *body]


def run_assertion(example, names):
    steps = list_steps(example)
    evaluation = Evaluation(names, steps)
    for index, statement in enumerate(steps):
        failed = yield from evaluation.execute(statement, steps[index + 1 :])
        if failed is not None:
            return ("different", describe(failed[0]) if not isinstance(failed[0], Ended) else failed[0].got)
    return rate(evaluation, True, "as asserted")


def run_error(example, names):
    call = parse(example["call"], "eval").body
    setup = read_setup(example)
    evaluation = Evaluation(names, [*setup, call])
    yield from run_setup(evaluation, setup, call)
    try:
        value = evaluation.evaluate((yield from evaluation.reduce(call)))
    except Ended as error:
        if error.outcome != "error":
            raise
        return result(not example["error"] or example["error"] in error.kinds, error.got)
    return ("different", describe(value))


RUNS = {
    "value": run_value,
    "assertion": run_assertion,
    "error": run_error,
}


def run_example(example, names):
    try:
        yield ["begin"]
        return (yield from RUNS[example["kind"]](example, names))
    except Undefined as error:
        return ("undefined", str(error))
    except Unknown as error:
        return ("unknown", shorten(str(error)))
    except Ended as error:
        return (error.outcome, error.got)
    except RecursionError:
        return ("unknown", "too deep")
    except Exception as error:
        return ("error", shorten(f"{type(error).__name__}: {error}"))


run = None


def advance(step):
    try:
        return json.dumps({"request": json.dumps(step())})
    except StopIteration as done:
        outcome, got = done.value
        return json.dumps({"result": {"outcome": outcome, "got": shorten(str(got))}})


def start(example, names):
    """Starts an example. Returns JSON: a request to the program's interpreter, or the result."""
    global run
    run = run_example(json.loads(example), set(json.loads(names)))
    return advance(lambda: next(run))


def resume(response):
    """Continues with the response to the last request."""
    return advance(lambda: run.send(json.loads(response)))
