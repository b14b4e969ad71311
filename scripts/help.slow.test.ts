import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { emptyEnv } from "@/server/testing/process/process-env";

// Each run starts a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000, maxConcurrency: 2 });

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
/** The scripts that are programs of this repository. */
const OWN = Object.keys(scripts).filter((name) => /scripts\/|bench\//.test(scripts[name]));

const run = (name: string, ...args: string[]): Promise<{ code: unknown; output: string }> =>
  new Promise((resolve) => {
    execFile(
      "npm",
      ["run", "--silent", name, "--", ...args],
      // Without a service, a database or a build.
      { env: { ...process.env, ...emptyEnv(), DATA_DIR: "/dev/null/data" } },
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });

test.concurrent.each(OWN.filter((name) => name !== "lint"))(
  "npm run %s -- --help prints how it is used",
  async (name) => {
    const { code, output } = await run(name, "--help");
    expect(output).toMatch(/^(Usage: )?npm |npm run/m);
    expect(code, output).toBe(0);
  },
);

test("an unknown part of the benchmark is an error", async () => {
  const { code, output } = await run("bench", "--only", "gas,pipelines");
  expect(output).toMatch(/^There is no part pipelines\.\nUsage: /);
  expect(code).toBe(2);
});
