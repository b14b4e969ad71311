// Runs inside QuickJS, in an interpreter without the program. Compares the results of examples, which
// arrive as run_javascript.js writes them, with the expected ones.
Object.defineProperty(globalThis, "__compare", {
  value: (() => {
    const { isArray } = Array;
    const { keys, is } = Object;
    const { abs, max } = Math;
    const text = String;

    class Iterable {
      constructor(items) {
        this.items = items;
      }
    }
    class Code {
      constructor(name) {
        this.name = name;
      }
    }

    const read = (tree) => {
      if (!isArray(tree)) return tree;
      const [kind, one, other] = tree;
      const pairs = () => one.map(([name, value]) => [read(name), read(value)]);
      switch (kind) {
        case "undefined":
          return undefined;
        case "number":
          return Number(one);
        case "bigint":
          return BigInt(one);
        case "array":
          return one.map(read);
        case "iterable":
          return new Iterable(one.map(read));
        case "map":
          return new Map(pairs());
        case "set":
          return new Set(one.map(read));
        case "date":
          return new Date(one);
        case "regexp":
          return new RegExp(one, other);
        case "error":
          return Object.assign(new Error(other), { name: one });
        case "object":
          return Object.fromEntries(pairs());
        default:
          return new Code(one);
      }
    };

    const isCloseNumber = (got, expected) => {
      if (got === expected || is(got, expected)) return true;
      if (abs(got - expected) <= 1e-6 * max(1, abs(expected))) return true;
      // An example that shows 3.33 may be a rounded value.
      const decimals = (text(expected).split(".")[1] ?? "").length;
      return (
        decimals >= 2 &&
        text(expected).indexOf("e") < 0 &&
        got.toFixed(decimals) === expected.toFixed(decimals)
      );
    };

    const same = (got, expected, depth = 0) => {
      if (depth > 50) return true;
      if (typeof got === "number" && typeof expected === "number")
        return isCloseNumber(got, expected);
      if (is(got, expected) || (got == null && expected == null)) return true;
      if (typeof got === "bigint" || typeof expected === "bigint")
        return typeof got === typeof expected ? got === expected : text(got) === text(expected);
      if (
        typeof got !== "object" ||
        typeof expected !== "object" ||
        got === null ||
        expected === null
      )
        return false;
      if (got instanceof Date && expected instanceof Date)
        return got.getTime() === expected.getTime();
      if (got instanceof RegExp && expected instanceof RegExp) return text(got) === text(expected);
      if (got instanceof Map && expected instanceof Map)
        return sameInAnyOrder([...got], [...expected], depth + 1);
      if (got instanceof Set && expected instanceof Set)
        return sameInAnyOrder([...got], [...expected], depth + 1);
      if (ArrayBuffer.isView(expected)) expected = [...expected];
      if (isArray(expected)) {
        if (got instanceof Iterable) got = got.items;
        if (!isArray(got)) return false;
        if (got.length !== expected.length) return false;
        return expected.every((item, index) => same(got[index], item, depth + 1));
      }
      if (isArray(got)) return false;
      const names = keys(expected);
      const own = keys(got).filter((name) => got[name] !== undefined);
      return (
        own.length === names.filter((name) => expected[name] !== undefined).length &&
        names.every((name) => same(got[name], expected[name], depth + 1))
      );
    };

    const sameInAnyOrder = (got, expected, depth) => {
      const rest = [...expected];
      return (
        got.length === expected.length &&
        got.every((item) => {
          const index = rest.findIndex((other) => same(item, other, depth));
          if (index >= 0) rest.splice(index, 1);
          return index >= 0;
        })
      );
    };

    const inspect = (value, depth = 0) => {
      if (typeof value === "string") return JSON.stringify(value);
      if (value instanceof Code) return `[function ${value.name}]`;
      if (value instanceof Iterable) return inspect(value.items, depth);
      if (typeof value === "bigint") return `${value}n`;
      if (typeof value !== "object" || value === null) return is(value, -0) ? "-0" : text(value);
      if (depth > 3) return "…";
      const list = (items) =>
        items
          .slice(0, 100)
          .map((item) => inspect(item, depth + 1))
          .join(", ");
      if (isArray(value)) return `[${list(value)}]`;
      if (value instanceof Map) return `Map {${list([...value])}}`;
      if (value instanceof Set) return `Set {${list([...value])}}`;
      if (value instanceof Error) return `${value.name}: ${value.message}`;
      if (value instanceof Date) return text(value);
      return `{${keys(value)
        .slice(0, 100)
        .map((name) => `${name}: ${inspect(value[name], depth + 1)}`)
        .join(", ")}}`;
    };

    // Returns JSON: null if only the program can evaluate the expected value. It then comes as `tree`.
    return (example, state, getExpected, tree) => {
      const finish = (isEqual, got) =>
        JSON.stringify({ outcome: isEqual ? "equal" : "different", got });
      if (state.error !== undefined) {
        if (example.kind !== "error") return JSON.stringify({ outcome: "error", got: state.error });
        return finish(!example.error || state.kinds.includes(example.error), state.error);
      }
      const got = read(state.value);
      if (example.kind === "error") return finish(false, inspect(got));
      let expected;
      try {
        expected = tree === undefined ? getExpected() : read(tree);
      } catch (error) {
        if (state.text === example.expected) return finish(true, inspect(got));
        if (error instanceof ReferenceError && tree === undefined) return "null";
        return JSON.stringify({ outcome: "unknown", got: inspect(got) });
      }
      return finish(same(got, expected), inspect(got));
    };
  })(),
});
