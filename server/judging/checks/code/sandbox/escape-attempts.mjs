import { createRequire } from "node:module";
import { confineProcess, freezeIntrinsics, readInput, report } from "./confine-process.mjs";

/**
 * Plays a program that has escaped from its interpreter into the process, and reports what it can
 * do there. Only a test runs it.
 */
const require = createRequire(import.meta.url);
const ATTEMPTS = {
  // biome-ignore lint/style/noProcessEnv: that is what is tried.
  environment: () => Object.keys(process.env).length > 0,
  "parent's environment": () => require("node:fs").readFileSync(`/proc/${process.ppid}/environ`),
  file: () => require("node:fs").readFileSync("/etc/hostname"),
  "project's environment file": () =>
    require("node:fs").readFileSync(`${process.cwd()}/../../../../../.env`),
  "write to a file": () => require("node:fs").writeFileSync("/tmp/escaped", ""),
  "list of files": () => require("node:fs").readdirSync("/"),
  "child process": () => require("node:child_process").execSync("true"),
  "worker thread": () => new (require("node:worker_threads").Worker)("1", { eval: true }),
  "native module": () => process.dlopen({ exports: {} }, "/tmp/x.node"),
  "code from text": () => new Function("return 1")(),
  // biome-ignore lint/security/noGlobalEval: that is what is tried.
  "evaluated code": () => globalThis.eval("1"),
  "internal binding": () => process.binding("spawn_sync").spawn,
  "signal to the parent": () => process.kill(process.ppid, 0),
  fetch: () => fetch("http://127.0.0.1:1"),
  socket: () => require("node:net").connect(1, "127.0.0.1"),
  server: () => require("node:net").createServer().listen(0),
  datagram: () => require("node:dgram").createSocket("udp4").send("x", 1, "127.0.0.1"),
  "name lookup": () => require("node:dns").lookup("example.com", () => {}),
  "another method of all arrays": () => {
    Array.prototype.push = () => 0;
    return true;
  },
  "another property of all objects": () => Reflect.set(Object.prototype, "owned", true),
  inspector: () => require("node:inspector").open(0),
};

await readInput();
confineProcess();
freezeIntrinsics();
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  let result = "refused";
  try {
    if (await attempt()) result = "possible";
  } catch {}
  report({ name, result });
}
process.exit(0);
