import { readFileSync } from "node:fs";
import variant from "@jitl/quickjs-wasmfile-release-sync";
import { newQuickJSWASMModuleFromVariant } from "quickjs-emscripten-core";
import { transform } from "sucrase";
import {
  confineProcess,
  fixClockAndRandom,
  freezeIntrinsics,
  limitMemory,
  readInput,
  report,
} from "./confine-process.mjs";

/**
 * Runs one job in JavaScript or TypeScript: each program in a QuickJS interpreter of its own, and the
 * comparison of its results in another, out of its reach.
 */
/** Of all interpreters together. QuickJS's own limit would not count what WebAssembly allocates. */
const MEMORY_BYTES = 512 * 1024 * 1024;
const STACK_BYTES = 512 * 1024;
/** Matches comparisons in a call. */
const COMPARISON = /[<>]|[!=]==?|\bin\b|\binstanceof\b/;
/** Names that programs expect from their host and QuickJS lacks. */
const HOST_NAMES =
  /^ReferenceError: '?(require|process|fetch|document|window|Buffer|URL|URLSearchParams|Intl|structuredClone|TextEncoder|TextDecoder|crypto|performance|AbortController|queueMicrotask|WebAssembly|SharedArrayBuffer|Event|EventTarget|Blob|React|Deno|Bun|navigator|localStorage|location|alert|prompt|confirm|readline|Worker|XMLHttpRequest|WebSocket|\$|_|jQuery|global|__dirname|__filename|chrome|browser|self|Headers|Request|Response|FormData|ReadableStream|MessageChannel|customElements|HTMLElement|Image|Audio|requestAnimationFrame|beforeEach|afterEach|jest|describe|test|it|expect|assert|atob|btoa|TransformStream|[A-Z]\w+Element)'? is not defined|Cannot find module/;

function runJob({ kind, programs, examples, tests, language, exampleMs }) {
  for (const program of programs) {
    if (kind !== "execute") {
      const run = kind === "compile" ? compileProgram : testProgram;
      run(program, { language, exampleMs, tests });
      continue;
    }
    const outcomes = runProgram(program, examples, language, exampleMs);
    const isSatisfied = outcomes.every((outcome) => outcome === "equal" || outcome === "unknown");
    if (isSatisfied && outcomes.includes("equal")) return;
  }
}

function compileProgram(program, { language, exampleMs }) {
  const code = translate(program, language);
  if (code === null) return;
  const evaluate = createInterpreter(runner, exampleMs);
  const compile = (text) => evaluate(text, "program.js", { compileOnly: true }).error;
  const error = compile(code);
  // A module may wait at its top level, where a script may not.
  const isModule = error && /\bawait\b/.test(code) && !compile(`(async () => {${code}\n})`);
  const message = error && !isModule ? describeError(error) : null;
  report({ kind: "program", ending: "completed", error: message });
}

function testProgram(program, { language, exampleMs, tests }) {
  const code = translate(program, language);
  if (code === null) return;
  const evaluate = createInterpreter(runner, exampleMs);
  report({ kind: "loading" });
  const { error } = evaluate(code, "program.js");
  const loadError = error ? describeError(error) : null;
  report({ kind: "program", ending: toEnding(loadError), error: loadError });
  const step = loadError === null ? runTests(tests, { language, exampleMs, evaluate }) : null;
  report({ kind: "example", ...(step ?? { outcome: "error", got: loadError }) });
}

/** Runs a test file in the scope of the program that `evaluate` has loaded. */
function runTests(tests, { language, exampleMs, evaluate }) {
  let code;
  try {
    code = toScript(tests, language);
  } catch (error) {
    return { outcome: "error", got: shorten(`SyntaxError: ${error.message}`) };
  }
  evaluate("__runner.begin()");
  const end = usedMs() + exampleMs;
  const { error } = evaluate(`__runner.runTests(async (test, assert) => {${code}\n})`, "tests.js");
  if (error) return toErrorStep(describeError(error), {});
  const { state } = readState(evaluate);
  const failure = state.error ?? state.unknown;
  if (failure === undefined) return { outcome: "equal", got: "" };
  // A test that is interrupted after waiting leaves its promise pending.
  return usedMs() >= end
    ? { outcome: "limit", got: "time" }
    : { outcome: "error", got: shorten(String(failure)) };
}

/** Returns the program as a script; reports a program that is none, and returns null. */
function translate(program, language) {
  try {
    return toScript(program, language);
  } catch (error) {
    const message = shorten(`SyntaxError: ${error.message}`);
    report({ kind: "program", ending: "crashed", error: message });
    return null;
  }
}

function runProgram(program, examples, language, exampleMs) {
  const code = translate(program, language);
  if (code === null) return [];
  const evaluate = createInterpreter(runner, exampleMs);
  report({ kind: "loading" });
  const loaded = evaluate(code, "program.js");
  const error = loaded.error ? describeError(loaded.error) : null;
  report({ kind: "program", ending: toEnding(error), error });
  return examples.map((example) => {
    const step = runExample(example, evaluate, exampleMs);
    report({ kind: "example", ...step });
    return step.outcome;
  });
}

/**
 * Creates an interpreter with a script. Returns a function that evaluates further scripts, then their
 * pending jobs and timers, and returns the value or the error.
 */
function createInterpreter(prelude, exampleMs) {
  const runtime = QuickJS.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  let end = 0;
  runtime.setInterruptHandler(() => usedMs() > end);
  // QuickJS seeds its random numbers with the time. Of the seed, that takes 40 bits.
  const { now } = clock;
  clock.now = Number.parseInt(job.world.seed.slice(0, 10), 16);
  const context = runtime.newContext();
  clock.now = now;
  const evaluate = (script, name, options) => {
    end = usedMs() + exampleMs;
    const result = context.evalCode(script, name, options);
    let round = 0;
    if (!result.error) {
      do {
        runtime.executePendingJobs(10_000);
        round += 1;
      } while (round < 1_000 && runNextTimer());
    }
    const isError = Boolean(result.error);
    const handle = result.error ?? result.value;
    const value = context.dump(handle);
    handle.dispose();
    return isError ? { error: value } : { value };
  };
  const runNextTimer = () => {
    const passed = read(context.evalCode("globalThis.__runner?.waitForTimer()"));
    if (!Number.isFinite(passed)) return false;
    clock.now += Math.max(0, passed);
    read(context.evalCode("__runner.runNextTimer()"));
    return true;
  };
  const read = (result) => {
    const handle = result.error ?? result.value;
    const value = result.error ? undefined : context.dump(handle);
    handle.dispose();
    return value;
  };
  evaluate(prelude, "prelude.js");
  // The process ends soon, so nothing is freed.
  return evaluate;
}

/** Errors of a program's own code rather than of what the sandbox lacks. */
function toEnding(error) {
  if (error === null) return "completed";
  if (/interrupted/.test(error)) return "endless";
  if (HOST_NAMES.test(error)) return "unsupported";
  return /^(?:ReferenceError|TypeError|SyntaxError|RangeError): /.test(error)
    ? "crashed"
    : "unsupported";
}

/** Has the program evaluate an example, and compares the result where the program can't. */
function runExample(example, evaluate, exampleMs) {
  if (example.kind === "assertion") return { outcome: "unknown", got: "a statement of Python" };
  const ran = runInProgram(toScriptOf(example.setup, example.call), evaluate);
  if (ran.error) return toErrorStep(describeError(ran.error), example);
  const { state } = ran;
  if (state.unknown !== undefined) return { outcome: "unknown", got: shorten(state.unknown) };
  const compare = createInterpreter(comparer, exampleMs);
  const evaluateResult = (tree) =>
    compare(
      `__compare(${JSON.stringify(example)}, ${JSON.stringify(state)}, () => (${example.expected ?? "undefined"}\n), ${JSON.stringify(tree)})`,
    );
  let result = evaluateResult();
  if (result.value === "null") {
    // The expected value needs the program, such as an instance of one of its classes.
    const expected = runInProgram(toScriptOf(example.setup, example.expected), evaluate);
    if (expected.state?.value === undefined) {
      return { outcome: "unknown", got: "expected value is no expression" };
    }
    result = evaluateResult(expected.state.value);
  }
  if (result.error) return { outcome: "unknown", got: describeError(result.error) };
  const { outcome, got } = JSON.parse(result.value);
  if (outcome === "error") return toErrorStep(shorten(got), example);
  // The program could falsify a comparison that the example itself makes.
  const code = (example.call ?? "").replace(/"[^"\n]*"|'[^'\n]*'|`[^`]*`|=>/g, "");
  return outcome === "equal" &&
    /^true$|^false$/.test(example.expected ?? "") &&
    COMPARISON.test(code)
    ? { outcome: "unknown", got: "compared by the program" }
    : { outcome, got: shorten(got) };
}

function runInProgram(script, evaluate) {
  evaluate("__runner.begin()");
  const { error } = evaluate(script, "example.js");
  return error ? { error } : readState(evaluate);
}

function readState(evaluate) {
  const { value } = evaluate("__runner.end()");
  try {
    const state = JSON.parse(value);
    return {
      state: typeof state === "object" && state !== null ? state : { unknown: "no result" },
    };
  } catch {
    return { state: { unknown: "no result" } };
  }
}

/** Removes types and turns imports and exports into CommonJS. */
function toScript(program, language) {
  const hasTypes = language === "typescript";
  return transform(program, {
    transforms: [...(hasTypes ? ["typescript"] : []), "imports"],
    disableESTransforms: true,
    production: true,
  }).code.replace(/^"use strict";/, "");
}

const toScriptOf = (setup, expression) =>
  `{${setup ?? ""}\n;__runner.call(() => (${expression}\n))}`;

/** What the error of an example means. */
function toErrorStep(got, example) {
  if (/SyntaxError/.test(got) && example.kind !== "error") return { outcome: "unknown", got };
  if (HOST_NAMES.test(got)) return { outcome: "unknown", got };
  if (/out of memory/.test(got)) return { outcome: "unknown", got };
  if (/stack overflow|call stack/.test(got)) return { outcome: "limit", got };
  if (/interrupted/.test(got)) return { outcome: "limit", got: "time" };
  const missing = /ReferenceError: '?([\w$]+)'? is not defined/.exec(got)?.[1];
  const isCalled =
    missing &&
    new RegExp(`(^|[^\\w$.])${missing.replaceAll("$", "\\$")}\\s*\\(`).test(example.call ?? "");
  return { outcome: isCalled ? "undefined" : "error", got: isCalled ? missing : got };
}

function describeError(error) {
  const isError = typeof error === "object" && error !== null && "message" in error;
  return shorten(isError ? `${error.name ?? "Error"}: ${error.message}` : `threw ${String(error)}`);
}

function shorten(text) {
  return text.length <= 300 ? text : `${text.slice(0, 299)}…`;
}

function usedMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const { job: text } = await readInput();
confineProcess();
limitMemory(MEMORY_BYTES);
const QuickJS = await newQuickJSWASMModuleFromVariant(variant);
const readScript = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const runner = readScript("./run_javascript.js");
const comparer = readScript("./compare_javascript.js");
const job = JSON.parse(text);
const clock = fixClockAndRandom(job.world);
freezeIntrinsics();
report({ kind: "ready" });
runJob(job);
report({ kind: "done" });
process.exit(0);
