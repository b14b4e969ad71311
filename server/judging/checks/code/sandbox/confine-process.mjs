import { constants, writeSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";

const require = createRequire(import.meta.url);
const { Socket, Server } = require("node:net");
const dgram = require("node:dgram");
const dns = require("node:dns");
const crypto = require("node:crypto");

/**
 * What Node's permission model leaves open: in Node 24 the network, and in every version signals,
 * SQLite's own file access and `vm`, which creates code from text.
 */
const OPEN = [
  [Socket.prototype, ["connect"]],
  [Server.prototype, ["listen"]],
  [dgram.Socket.prototype, ["bind", "send", "connect"]],
  [dns, listFunctions(dns)],
  [dns.promises, listFunctions(dns.promises)],
  ...["sqlite", "v8", "vm", "wasi"].map((name) => {
    const module = require(`node:${name}`);
    return [module, listFunctions(module)];
  }),
  [require("node:os"), ["setPriority"]],
  // Without these, a program doesn't get at further modules.
  [process, ["getBuiltinModule", "_linkedBinding", "dlopen"]],
  [process, ["kill", "_kill", "_debugProcess", "abort", "execve"]],
];

/**
 * Disables what a program that escapes its interpreter could use in this process although the
 * process runs without environment and under Node's permission model; see `sandbox-process.ts`.
 */
export function confineProcess() {
  function refuse() {
    throw new Error("not permitted in the sandbox");
  }
  for (const [owner, names] of OPEN) {
    for (const name of names) {
      Object.defineProperty(owner, name, { value: refuse, configurable: false, writable: false });
    }
  }
  syncBuiltinESMExports();
  // Pyodide reads the constants of the file system in this way.
  const binding = () => ({ fs: constants });
  Object.defineProperty(process, "binding", { value: binding, configurable: false });
}

function listFunctions(module) {
  return Object.keys(module).filter((name) => typeof module[name] === "function");
}

/** Objects of the language that lead to all others: by properties, accessors and prototypes. */
const INTRINSICS = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "BigInt", "Symbol", "RegExp"],
  ...["Date", "Math", "JSON", "Reflect", "Proxy", "Promise", "Map", "Set", "WeakMap", "WeakSet"],
  ...["WeakRef", "FinalizationRegistry", "Error", "AggregateError", "EvalError", "RangeError"],
  ...["ReferenceError", "SyntaxError", "TypeError", "URIError", "ArrayBuffer", "SharedArrayBuffer"],
  ...["DataView", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array", "Uint16Array"],
  ...["Int32Array", "Uint32Array", "BigInt64Array", "BigUint64Array", "Float32Array"],
  ...["Float64Array", "Atomics", "Intl", "WebAssembly"],
].map((name) => globalThis[name]);

/**
 * Freezes what JavaScript itself provides, so that a program that escapes its interpreter changes
 * nothing that this process runs on. Call it last: afterwards nothing of that can be replaced.
 */
export function freezeIntrinsics() {
  const functions = [function* () {}, async () => {}, async function* () {}];
  const iterators = [[][Symbol.iterator](), new Map().keys(), new Set().keys(), "".matchAll(/a/g)];
  const found = new Set([...INTRINSICS, ...functions, ...iterators]);
  for (const value of found) {
    const members = Object.values(Object.getOwnPropertyDescriptors(value));
    for (const member of [
      Object.getPrototypeOf(value),
      ...members.flatMap((one) => [one.value, one.get, one.set]),
    ]) {
      if (Object(member) === member) found.add(member);
    }
    Object.freeze(value);
  }
}

/** Limits how far WebAssembly memories may grow; a refused allocation fails in the program. */
export function limitMemory(bytes) {
  const grow = WebAssembly.Memory.prototype.grow;
  const limited = function limited(pages) {
    if (this.buffer.byteLength + pages * 65_536 > bytes) throw new RangeError("out of memory");
    return grow.call(this, pages);
  };
  Object.defineProperty(WebAssembly.Memory.prototype, "grow", {
    value: limited,
    configurable: false,
    writable: false,
  });
}

/**
 * Replaces the clock and the random numbers on which the interpreters build theirs, so that the same job
 * has the same result whenever and wherever it runs. The clock begins at `startsAt`, in Unix milliseconds, and
 * advances by a millisecond with every reading; all random numbers follow from `seed`, hexadecimal digits.
 */
export function fixClockAndRandom({ startsAt, seed }) {
  // biome-ignore lint/style/noProcessEnv: nothing else is in it, and V8 reads the time zone there.
  process.env.TZ = "UTC";
  const clock = { now: startsAt };
  let drawn = 0;
  Date.now = () => ++clock.now;
  performance.now = Date.now;
  crypto.randomFillSync = (view) => {
    drawn += 1;
    const hash = crypto.createHash("shake256", { outputLength: view.byteLength });
    view.set(hash.update(`${seed} ${drawn}`).digest());
    return view;
  };
  return clock;
}

/** Reads the job from the parent, and the snapshot of the interpreter, which may be empty. */
export async function readInput() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const input = Buffer.concat(chunks);
  const snapshotEnd = 4 + input.readUInt32LE(0);
  return { snapshot: input.subarray(4, snapshotEnd), job: input.toString("utf8", snapshotEnd) };
}

/** Sends a step to the parent at once, so that a terminated run keeps its results. */
export function report(step) {
  writeAll(Buffer.from(`${typeof step === "string" ? step : JSON.stringify(step)}\n`));
}

export function writeAll(bytes) {
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(1, bytes, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
