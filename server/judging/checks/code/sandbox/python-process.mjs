import { readFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import {
  confineProcess,
  fixClockAndRandom,
  freezeIntrinsics,
  limitMemory,
  readInput,
  report,
  writeAll,
} from "./confine-process.mjs";

/**
 * Runs one job in Python: the programs in one interpreter, the comparison of their results in
 * another, out of their reach. With the argument "snapshot", writes a memory snapshot of a started
 * interpreter instead, from which later processes start ten times as fast.
 */
const MEMORY_BYTES = 512 * 1024 * 1024;
const OPTIONS = {
  jsglobals: Object.freeze(Object.create(null)),
  // Without the hash seed, the order of sets would differ between snapshots.
  env: { HOME: "/home", PYTHONHASHSEED: "0" },
  stdin: () => null,
  stdout: () => {},
  stderr: () => {},
};

/** Modules that lead from Python to JavaScript or to raw memory. */
const CLOSED = `("js", "pyodide", "pyodide_js", "_pyodide", "_pyodide_core", "ctypes", "_ctypes")`;

const LOAD_BUILTINS = `
import importlib, sys
for name in sys.builtin_module_names:
    if name not in ${CLOSED}:
        importlib.import_module(name)
`;

/** Modules that the snapshot contains, so that programs need not compile them. */
const PRELOAD = `${LOAD_BUILTINS}
import abc, ast, bisect, collections, contextlib, copy, dataclasses, datetime, decimal, enum
import fractions, functools, heapq, inspect, io, itertools, json, math, operator, random, re, statistics
import string, textwrap, time, types, typing`;

/**
 * Removes the closed modules, and the means to create one again: no audit event precedes that. The
 * other built-in modules are loaded before, since nothing can load them afterwards. Replaces the random
 * state of the snapshot.
 */
const CLOSE = `${LOAD_BUILTINS}
import _imp, os, random
random.seed()
os.environ.pop("PYTHONHASHSEED", None)
for name in ("create_builtin", "exec_builtin", "create_dynamic", "exec_dynamic"):
    delattr(_imp, name)
import _pyodide._importhook as hook
hook.jsfinder.jsproxies.clear()
sys.meta_path[:] = [
    finder
    for finder in sys.meta_path
    if not (getattr(finder, "__module__", "") or "").startswith("_pyodide")
]
def create_hook():
    closed = ${CLOSED}
    forbidden = ("gc.get_", "os.system", "os.exec", "os.posix_spawn", "os.fork", "subprocess.", "socket.", "ctypes.")
    def refuse(event, arguments, closed=closed, forbidden=forbidden):
        if event.startswith(forbidden):
            raise PermissionError("not permitted in the sandbox")
        if event == "import" and arguments[0].split(".")[0] in closed:
            raise ModuleNotFoundError("No module named " + repr(arguments[0]))
    return closed, refuse
closed, refuse = create_hook()
sys.addaudithook(refuse)
for name in list(sys.modules):
    if name.split(".")[0] in closed:
        del sys.modules[name]
`;

const { snapshot, job } = await readInput();
confineProcess();
limitMemory(MEMORY_BYTES);
if (process.argv[2] === "snapshot") {
  const python = await loadPyodide({ ...OPTIONS, _makeSnapshot: true });
  python.runPython(PRELOAD);
  writeAll(python.makeMemorySnapshot());
  process.exit(0);
}

shareCompiledModule();
const { kind, programs, examples = [], tests = "", world } = JSON.parse(job);
const clock = fixClockAndRandom(world);
const compare =
  kind === "execute" ? await startPython("compare_python.py", ["start", "resume"]) : [];
const [handle] = await startPython("run_python.py", ["handle"]);
freezeIntrinsics();
clock.now = world.startsAt;
report({ kind: "ready" });
runPrograms();
report({ kind: "done" });
process.exit(0);

/** Makes the second interpreter start from the WebAssembly module that the first one compiled. */
function shareCompiledModule() {
  const { instantiate } = WebAssembly;
  let compiled;
  WebAssembly.instantiate = async (source, imports) => {
    const isInterpreter = source.byteLength > 1_000_000;
    if (!isInterpreter) return instantiate(source, imports);
    compiled ??= WebAssembly.compile(source);
    const module = await compiled;
    return { module, instance: await instantiate(module, imports) };
  };
}

/** Starts an interpreter, runs a script of this folder in it and returns functions of the script. */
async function startPython(script, names) {
  const python = await loadPyodide({
    ...OPTIONS,
    ...(snapshot.length > 0 && { _loadSnapshot: snapshot }),
  });
  const newScope = () => python.runPython("{'__name__': 'sandbox'}");
  const scope = newScope();
  const code = readFileSync(new URL(script, import.meta.url), "utf8");
  python.runPython(code, { globals: scope });
  const functions = names.map((name) => scope.get(name));
  python.runPython(CLOSE, { globals: newScope() });
  return functions;
}

function runPrograms() {
  for (const program of programs) {
    if (kind === "compile") {
      const { error } = ask(["compile", program]);
      report({ kind: "program", ending: "completed", error });
      continue;
    }
    report({ kind: "loading" });
    const { names, ...loaded } = ask(["load", program]);
    report({ kind: "program", ...loaded });
    if (kind === "test") {
      report({ kind: "example", ...runTests(loaded.error) });
      continue;
    }
    const outcomes = examples.map((example) => {
      const result = runExample(example, names);
      report({ kind: "example", ...result });
      return result.outcome;
    });
    const isSatisfied = outcomes.every((outcome) => outcome === "equal" || outcome === "unknown");
    if (isSatisfied && outcomes.includes("equal")) return;
  }
}

/** Runs the test file, if the program itself ended without `error`. */
function runTests(error) {
  if (error !== null) return { outcome: "error", got: error };
  ask(["begin"]);
  const { outcome = "equal", got = "" } = ask(["run_tests", tests]);
  return { outcome, got };
}

function ask(request) {
  return JSON.parse(handle(JSON.stringify(request)));
}

/** Passes requests and responses between the two interpreters, as text. */
function runExample(example, names) {
  const [start, resume] = compare;
  let step = JSON.parse(start(JSON.stringify(example), JSON.stringify(names)));
  while (step.request) {
    const response = handle(step.request);
    if (typeof response !== "string") return { outcome: "unknown", got: "no result" };
    step = JSON.parse(resume(response));
  }
  return step.result;
}
