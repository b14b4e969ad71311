// Runs inside QuickJS before the program. Provides what programs expect from their host, and writes
// results as JSON. The program can read and change everything here, so nothing here knows the results
// that a job expects: compare_javascript.js compares them in an interpreter of its own.
Object.defineProperty(globalThis, "__runner", {
  value: (() => {
    const { isArray } = Array;
    const { stringify } = JSON;
    const { freeze, keys, is, getPrototypeOf, prototype: objectPrototype } = Object;
    const { max } = Math;
    const { isFinite: isFiniteNumber } = Number;
    const text = String;
    const MAX_OUTPUT = 100000;
    const MAX_NODES = 200000;
    const MAX_DEPTH = 50;
    let state = null;
    let output = "";
    let now = 0;
    let timers = [];
    let nextTimer = 1;

    const log = (...values) => {
      if (output.length < MAX_OUTPUT) {
        output += `${values.map((value) => (typeof value === "string" ? value : inspect(value))).join(" ")}\n`;
      }
    };
    globalThis.console = {
      log,
      info: log,
      debug: log,
      error() {},
      warn() {},
      table() {},
      time() {},
      timeEnd() {},
      assert() {},
      group() {},
      groupEnd() {},
      trace() {},
    };
    const addTimer =
      (repeats) =>
      (callback, delay = 0, ...args) => {
        const id = nextTimer++;
        timers.push({
          id,
          at: now + max(0, +delay || 0),
          callback,
          args,
          every: repeats ? max(1, +delay || 1) : 0,
        });
        return id;
      };
    // Timers run at once, in the order of their times. The clock advances by what they would have taken.
    globalThis.setTimeout = addTimer(false);
    globalThis.setInterval = addTimer(true);
    globalThis.setImmediate = (callback, ...args) => setTimeout(callback, 0, ...args);
    globalThis.clearTimeout = globalThis.clearInterval = (id) => {
      timers = timers.filter((timer) => timer.id !== id);
    };
    globalThis.module = { exports: {} };
    globalThis.exports = module.exports;
    globalThis.require = (name) => {
      throw new Error(`Cannot find module '${name}'`);
    };

    // Writes a value as nested arrays, in which lists stand for everything but plain data.
    const serialize = (value) => {
      let nodes = 0;
      const write = (one, depth) => {
        nodes += 1;
        if (nodes > MAX_NODES) throw new RangeError("the result is too large");
        if (one === undefined) return ["undefined"];
        if (one === null || typeof one === "boolean" || typeof one === "string") return one;
        if (typeof one === "number") {
          const written = is(one, -0) ? "-0" : text(one);
          return isFiniteNumber(one) && written !== "-0" ? one : ["number", written];
        }
        if (typeof one === "bigint") return ["bigint", text(one)];
        if (typeof one === "symbol") return ["function", "symbol"];
        if (typeof one === "function") return ["function", text(one.name)];
        if (depth > MAX_DEPTH) return ["function", "…"];
        const list = (items) => [...items].map((item) => write(item, depth + 1));
        const pairs = (entries) =>
          entries.map(([name, item]) => [write(name, depth + 1), write(item, depth + 1)]);
        if (isArray(one)) return ["array", list(one)];
        if (one instanceof Map) return ["map", pairs([...one])];
        if (one instanceof Set) return ["set", list(one)];
        if (one instanceof Date) return ["date", one.getTime()];
        if (one instanceof RegExp) return ["regexp", one.source, one.flags];
        if (one instanceof Error) return ["error", text(one.name), text(one.message)];
        if (ArrayBuffer.isView(one)) return ["array", list(one)];
        if (typeof one[Symbol.iterator] === "function")
          return ["iterable", takeItems(one).map((item) => write(item, depth + 1))];
        return ["object", pairs(keys(one).map((name) => [name, one[name]]))];
      };
      return write(value, 0);
    };

    const takeItems = (iterable) => {
      const items = [];
      for (const item of iterable) if (items.push(item) >= 10000) break;
      return items;
    };

    // What console.log prints of an object.
    const inspect = (value) => {
      try {
        return stringify(value) ?? text(value);
      } catch {
        return text(value);
      }
    };

    const setValue = (value) => {
      state = {
        value: serialize(value),
        text: typeof value === "symbol" ? "" : `${value}`.slice(0, 4000),
      };
    };

    const setError = (error) => {
      const kinds = [];
      let kind = error;
      while (kind && kind !== objectPrototype && kinds.length < 20) {
        kinds.push(text(kind.constructor?.name), text(kind.name));
        kind = getPrototypeOf(kind);
      }
      const isError = error instanceof Error;
      state = {
        error: isError ? `${error.name}: ${error.message}` : `threw ${inspect(error)}`,
        kinds,
      };
    };

    const settle = (value, use) => {
      if (value && typeof value.then === "function") {
        state = { unknown: "a promise that stays pending" };
        value.then((result) => guard(() => use(result)), setError);
      } else use(value);
    };

    const guard = (step) => {
      try {
        step();
      } catch (error) {
        setError(error);
      }
    };

    return freeze({
      begin() {
        state = null;
        output = "";
        timers = [];
      },
      call(run) {
        guard(() => settle(run(), setValue));
      },
      // Calls a test file with what it needs to define tests, then the tests in turn.
      runTests(define) {
        const tests = [];
        const assert = (isTrue, message = "an assertion does not hold") => {
          if (!isTrue) throw new Error(message);
        };
        assert.equal = (actual, expected) => {
          const [got, wanted] = [stringify(serialize(actual)), stringify(serialize(expected))];
          assert(got === wanted, `expected ${wanted}, but got ${got}`);
        };
        assert.throws = (run) => {
          let isThrown = false;
          try {
            run();
          } catch {
            isThrown = true;
          }
          assert(isThrown, "expected an error");
        };
        const run = async () => {
          await define((name, test) => tests.push({ name, test }), assert);
          for (const { name, test } of tests) {
            try {
              await test();
            } catch (error) {
              throw new Error(`${name}: ${error?.message ?? error}`);
            }
          }
        };
        guard(() => settle(run(), setValue));
      },
      // Returns the milliseconds until the next timer, which the host adds to the clock; null if there is none.
      waitForTimer() {
        if (timers.length === 0) return null;
        timers.sort((a, b) => a.at - b.at || a.id - b.id);
        const passed = max(0, timers[0].at - now);
        now += passed;
        return passed;
      },
      runNextTimer() {
        const [timer] = timers;
        if (timer.every) timer.at = now + timer.every;
        else timers.shift();
        guard(() => typeof timer.callback === "function" && timer.callback(...timer.args));
      },
      end() {
        return stringify({ ...(state ?? { unknown: "no result" }), printed: output });
      },
    });
  })(),
});
