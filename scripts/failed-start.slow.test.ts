import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { ensureBuild } from "@/scripts/lib/build.mjs";
import { startBuiltService, startServiceProcess } from "@/scripts/testing/npm-start";
import { findFreePort } from "@/server/local/process";

/** The build may take minutes, and a start is slow on a busy machine. */
vi.setConfig({ testTimeout: 240_000, hookTimeout: 300_000 });
const CHAIN_ENV = {
  REGISTRY_ADDRESS: `0x${"11".repeat(20)}`,
  USDC_ADDRESS: `0x${"22".repeat(20)}`,
  RECORDER_KEY: `0x${"33".repeat(32)}`,
  STAKE_KEY: `0x${"44".repeat(32)}`,
  SECRET_KEY: "5".repeat(64),
};
/** A port without a listener. */
const UNUSED_ADDRESS = "127.0.0.1:9";

let folder: string;
let data: string;
beforeAll(async () => {
  await ensureBuild();
  folder = mkdtempSync(join(tmpdir(), "standing-failed-start-test-"));
  // When run as root, Postgres runs as another user, who needs access to the folder.
  chmodSync(folder, 0o755);
  data = join(folder, "data");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a start that fails", () => {
  const buildEnv = (database: string) => ({
    DATABASE_URL: database,
    CHAIN_RPC_URL: `http://${UNUSED_ADDRESS}`,
    ...CHAIN_ENV,
  });
  /** Name, start, environment and message: first failures that `npm start` finds, then the service's. */
  const cases: [string, typeof startBuiltService, () => Record<string, string>, RegExp][] = [
    ["an invalid port", startServiceProcess, () => ({ PORT: "http" }), /^PORT is http: .*65535\.$/],
    [
      "a host of another machine",
      startServiceProcess,
      () => ({ HOST: "192.0.2.1" }),
      /^Cannot listen on 192.*HOST.*\.$/,
    ],
    [
      "a data folder below a file",
      startServiceProcess,
      () => {
        writeFileSync(join(folder, "file"), "");
        return { DATA_DIR: join(folder, "file", "data") };
      },
      /^The data folder .* cannot be used \(ENOTDIR\): .*DATA_DIR\.$/,
    ],
    [
      "each invalid variable",
      startBuiltService,
      () => ({ DATA_DIR: data, CHAIN_CONFIRMATIONS: "many", OPENAI_API_KEY: "sk" }),
      /^The configuration is wrong:\n(.*\n)*CHAIN_CONFIRMATIONS: .*$/,
    ],
    [
      "a database that does not respond",
      startBuiltService,
      () => buildEnv(`postgres://me:hidden@${UNUSED_ADDRESS}/standing`),
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED.*\.$/,
    ],
    [
      "a rejected database password",
      startBuiltService,
      () => buildEnv(inject("postgresUrl").replace(/:[^:@]*@/, ":hidden@")),
      /^The database of DATABASE_URL cannot be used: password authentication failed.*\.$/,
    ],
    [
      "a chain that does not respond",
      startBuiltService,
      () => buildEnv(inject("postgresUrl")),
      /^The chain's node does not respond: fix CHAIN_RPC_URL.*\.$/,
    ],
  ];

  test.each(cases)("explains %s in one sentence", async (_, startProcess, env, message) => {
    const start = startProcess({ PORT: "0", DATA_DIR: join(folder, "none"), ...env() });
    expect(await start.ended).toBe(1);
    const output = start
      .getOutput()
      .replace(/^ {2}\w.* s\n/gm, "")
      .trim();
    expect(output).toMatch(message);
    expect(output).not.toMatch(/^\s+at /m);
    expect(output).not.toContain("hidden");
  });

  test("explains in one sentence that its port was taken during the start", async () => {
    const taken = await findFreePort();
    const start = startServiceProcess({ PORT: String(taken), DATA_DIR: join(folder, "late") });
    await start.waitForOutput(/Schema .* s$/m);
    const other = createServer().listen(taken, "127.0.0.1");
    expect(await start.ended).toBe(1);
    expect(start.getOutput()).toContain(`Port ${taken} is taken`);
    other.close();
  });
});
