import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartupError } from "@/server/lib/errors";
import { openDataFolder } from "./data-folder";
import { getStartTime } from "./process";

let folder: string;
const other = spawn("sleep", ["600"]);
const otherPid = other.pid ?? 0;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "standing-folder-test-")), "data");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));
process.once("exit", () => other.kill("SIGKILL"));

/** Writes the lock that another service left or holds in the folder. */
async function writeLock(holder: object) {
  (await openDataFolder(folder)).release();
  writeFileSync(join(folder, "service.json"), JSON.stringify(holder));
}

test("is created, locked and released; only the secrets stay", async () => {
  const first = await openDataFolder(folder);
  expect(first.secretKey).toMatch(/^[0-9a-f]{64}$/);
  expect(first.statementKey).toMatch(/^0x[0-9a-f]{64}$/);
  for (const file of ["secret-key", "statement-key"]) {
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  }
  expect(JSON.parse(readFileSync(join(folder, "service.json"), "utf8")).pid).toBe(process.pid);
  first.release();
  expect(readdirSync(folder)).toEqual(["secret-key", "statement-key"]);
  const second = await openDataFolder(folder);
  expect(second.secretKey).toBe(first.secretKey);
  expect(second.statementKey).toBe(first.statementKey);
  second.release();
});

test("is refused while another service holds its lock", async () => {
  await writeLock({ pid: otherPid, beginning: getStartTime(otherPid), stopping: false });
  const refused = openDataFolder(folder);
  await expect(refused).rejects.toThrow(StartupError);
  await expect(refused).rejects.toThrow(`Another Standing (process ${otherPid}) uses ${folder}`);
});

test("takes over the lock of a killed process, even if its id was reused", async () => {
  for (const pid of [2 ** 30, otherPid]) {
    await writeLock({ pid, beginning: "1", stopping: false });
    (await openDataFolder(folder)).release();
  }
});

test("announces a stop only if it can be written", async () => {
  const data = await openDataFolder(folder);
  data.stopping();
  expect(JSON.parse(readFileSync(join(folder, "service.json"), "utf8")).stopping).toBe(true);
  rmSync(folder, { recursive: true });
  expect(() => data.stopping()).not.toThrow();
});

test("waits for a service that is stopping", async () => {
  await writeLock({ pid: otherPid, beginning: getStartTime(otherPid), stopping: true });
  let taken = false;
  const waiting = openDataFolder(folder).then((opened) => {
    taken = true;
    return opened;
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBe(false);
  rmSync(join(folder, "service.json"));
  (await waiting).release();
});

test("throws a one-sentence error if the folder cannot be used", async () => {
  writeFileSync(join(folder, "..", "file"), "");
  for (const impossible of [join(folder, "..", "file", "data"), "/proc/nowhere/data"]) {
    await expect(openDataFolder(impossible)).rejects.toThrow(
      /^The data folder .* cannot be used \((ENOTDIR|ENOENT)\): .*DATA_DIR\.$/,
    );
  }
});
