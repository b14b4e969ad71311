import { once } from "node:events";
import { createRequire } from "node:module";
import { confineProcess, freezeIntrinsics, readInput, report } from "./confine-process.mjs";

/**
 * Plays a program that has escaped from its interpreter into the process, and reports how each of
 * its attempts ends. Only tests run it: with the port of a server that waits for it, and with
 * "unconfined" to show what Node's permission model alone refuses, or with the name of an excess.
 *
 * Every attempt must do no harm if it succeeds.
 */
const [port, mode] = [Number(process.argv[2]), process.argv[3]];
const require = createRequire(import.meta.url);
const HOST = "127.0.0.1";
const ATTEMPTS = {
  // biome-ignore lint/style/noProcessEnv: that is what is tried.
  environment: () => Object.keys(process.env).length > 0,
  "parent's environment": () => require("node:fs").readFileSync(`/proc/${process.ppid}/environ`),
  "own memory": () => require("node:fs").openSync("/proc/self/mem"),
  file: () => require("node:fs").readFileSync("/etc/hostname"),
  "project's environment file": () =>
    require("node:fs").readFileSync(`${process.cwd()}/../../../../../.env`),
  "environment from a file": () => process.loadEnvFile("/etc/hostname"),
  "file as a module": () => import("/etc/hostname"),
  "write to a file": () => require("node:fs").writeFileSync("/tmp/escaped", ""),
  "write to its own code": () => require("node:fs").appendFileSync("run_python.py", ""),
  "list of files": () => require("node:fs").readdirSync("/"),
  "link to a file": () => require("node:fs").symlinkSync("/etc/hostname", "/tmp/escaped"),
  "report file": () => process.report.writeReport("/tmp/escaped"),
  "working directory": () => process.chdir("/"),
  database: () => new (require("node:sqlite").DatabaseSync)(":memory:"),
  "child process": () => require("node:child_process").execSync("true"),
  "another program": () => process.execve("/bin/true", ["true"], {}),
  "worker thread": () => new (require("node:worker_threads").Worker)("1", { eval: true }),
  "forked process": () => require("node:child_process").fork("/dev/null"),
  WASI: () => new (require("node:wasi").WASI)({ version: "preview1" }),
  "native module": () => process.dlopen({ exports: {} }, "/tmp/x.node"),
  "code from text": () => new Function("return 1")(),
  // biome-ignore lint/security/noGlobalEval: that is what is tried.
  "evaluated code": () => globalThis.eval("1"),
  "code of a script": () => require("node:vm").runInThisContext("1"),
  "flags of V8": () => require("node:v8").setFlagsFromString("--allow-natives-syntax") ?? true,
  "built-in module": () => process.getBuiltinModule("fs"),
  "internal binding": () => process.binding("spawn_sync").spawn,
  "linked binding": () => process._linkedBinding("fs"),
  signal: () => process.kill(process.pid, 0),
  debugger: () => process._debugProcess(process.pid) ?? true,
  priority: () => require("node:os").setPriority(process.pid, 10) ?? true,
  inspector: () => require("node:inspector").open(0),
  "inspector of itself": () => new (require("node:inspector").Session)().connect() ?? true,
  fetch: () => fetch(`http://${HOST}:${port}`),
  socket: () => once(require("node:net").connect(port, HOST), "connect"),
  "another socket": () => once(new process.stdin.constructor().connect(port, HOST), "connect"),
  "local socket": () => once(require("node:net").connect("/var/run/docker.sock"), "connect"),
  request: () => once(require("node:http").get({ port, host: HOST }), "response"),
  "encrypted socket": () => once(require("node:tls").connect(port, HOST), "secureConnect"),
  session: () => once(require("node:http2").connect(`http://${HOST}:${port}`), "connect"),
  server: () => once(require("node:net").createServer().listen(0), "listening"),
  datagram: () => {
    const socket = require("node:dgram").createSocket("udp4");
    socket.send("x", port, HOST);
    return once(socket, "listening");
  },
  "name lookup": () => require("node:dns").promises.lookup("localhost"),
  "name resolution": () => require("node:dns").promises.resolve("example.com"),
  "another method of all arrays": () => {
    Array.prototype.push = () => 0;
    return true;
  },
  "another property of all objects": () => {
    Object.prototype.owned = true;
    return true;
  },
};

/** What only ends when the process does. */
const EXCESSES = {
  loop() {
    for (;;);
  },
  flood() {
    for (;;) report("x".repeat(10_000));
  },
  hoard() {
    for (const objects = []; ; ) objects.push({ objects });
  },
};

await readInput();
if (mode !== "unconfined") {
  confineProcess();
  freezeIntrinsics();
}
EXCESSES[mode]?.();
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  let refusedBy = "nothing is there";
  try {
    if (await attempt()) refusedBy = null;
  } catch (error) {
    refusedBy = nameGuard(error.cause ?? error);
  }
  report({ name, refusedBy });
}
process.exit(0);

function nameGuard({ code, message }) {
  if (message === "not permitted in the sandbox") return "confinement";
  if (code?.startsWith("ERR_ACCESS_DENIED")) return "permission model";
  if (message.startsWith("Code generation from strings")) return "V8";
  return /^Cannot (?:assign to read only|add) property/.test(message) ? "freeze" : message;
}
