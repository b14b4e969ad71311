import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseArguments } from "@/scripts/verify/arguments";
import { openDataFolder } from "@/server/local/data-folder";
import { findServiceUrl } from "./service-url";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "standing-url-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Resolves to the first line of the walk, which names the service. */
const walk = (env: Record<string, string>): Promise<string> =>
  new Promise((resolve) => {
    execFile("bash", ["scripts/walk.sh"], { env: { ...process.env, ...env } }, (_error, stdout) =>
      resolve(stdout.split("\n")[0] ?? ""),
    );
  });

test("the service on the data folder is found, wherever it listens", async () => {
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("PORT", "");
  // No service can have this name (RFC 6761).
  const service = await openDataFolder(folder, "http://standing.invalid:4711");
  try {
    expect(findServiceUrl()).toBe("http://standing.invalid:4711");
    expect(parseArguments([]).base).toBe("http://standing.invalid:4711");
    expect(parseArguments(["--url", "https://other.example/"]).base).toBe("https://other.example");
    expect(await walk({})).toBe("Checking http://standing.invalid:4711/api/v1");
    service.stopping();
    expect(findServiceUrl()).toBe("http://standing.invalid:4711");
  } finally {
    service.release();
  }
});

test("without one, the configured port is used", async () => {
  vi.stubEnv("DATA_DIR", folder);
  vi.stubEnv("PORT", "1");
  expect(findServiceUrl()).toBe("http://localhost:1");
  expect(await walk({})).toBe("Checking http://localhost:1/api/v1");
  vi.stubEnv("PORT", "");
  expect(findServiceUrl()).toBe("http://localhost:3000");
});
