import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findFreePort } from "@/server/local/process";
import { waitFor } from "@/server/testing/engine/engine";

const PATHS = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/opt/homebrew/bin/pgbouncer"];

export interface Pgbouncer {
  /** The database behind the pooler. */
  url: string;
  close(): Promise<void>;
}

/** Starts PgBouncer with its defaults and `settings` in front of the database at `url`. */
export async function startPgbouncer(
  url: string,
  settings: Record<string, string | number> = {},
): Promise<Pgbouncer> {
  const program = await findPgbouncer();
  const { hostname, port, username, password } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), "pgbouncer-"));
  await chmod(folder, 0o755);
  const users = join(folder, "users.txt");
  await writeFile(users, `"${username}" "${password}"\n`);
  const own = await findFreePort();
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: own,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}\n`);
  const file = join(folder, "pgbouncer.ini");
  const databases = `[databases]\n* = host=${hostname} port=${port}\n`;
  await writeFile(file, `${databases}[pgbouncer]\n${lines.join("")}`);
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn(program, [...user, "-q", file], { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  await waitFor(() => isListening(own));
  const reachable = new URL(url);
  reachable.port = String(own);
  return {
    url: reachable.href,
    async close() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the path of an installed PgBouncer, or of Debian's, which it installs if it may. */
async function findPgbouncer(): Promise<string> {
  const find = () => PATHS.find((path) => existsSync(path));
  if (!find() && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
    const apt = (...args: string[]) => promisify(execFile)("apt-get", args, { env });
    await apt("update", "-qq").catch(() => {});
    await apt("install", "-y", "-qq", "--no-install-recommends", "pgbouncer").catch(() => {});
  }
  const path = find();
  if (!path) throw new Error("PgBouncer is needed for this test: install the package pgbouncer");
  return path;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("connect", () => socket.destroy()).on("error", () => resolve(false));
  });
}
