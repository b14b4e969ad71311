import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "./process";

/**
 * Returns the URL of the PostgreSQL that a running local mode keeps in `folder`, or null if none
 * runs. Starts and changes nothing.
 */
export async function runningPostgres(folder: string): Promise<string | null> {
  const read = (file: string) => readFile(file, "utf8").catch(() => "");
  const home = (await read(join(folder, "lies-in"))).trim() || folder;
  const [pid, , , port] = (await read(join(home, "cluster", "postmaster.pid")))
    .split("\n")
    .map(Number);
  if (!pid || !port || !isAlive(pid)) return null;
  const password = (await read(join(home, "password"))).trim();
  return `postgres://standing:${password}@127.0.0.1:${port}/postgres`;
}
