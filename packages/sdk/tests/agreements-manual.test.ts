import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient, proveWallet } from "@standing/sdk";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { startTestService, type TestService } from "@/server/testing/service";
import { runTypeScript } from "./run-typescript";

let service: TestService;
let url: string;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  url = new URL(service.base).origin;
  folder = await mkdtemp(join(tmpdir(), "standing-cast-"));
  const cast = join(import.meta.dirname, "cast.mjs");
  await writeFile(join(folder, "cast"), `#!/bin/sh\nexec "${process.execPath}" "${cast}" "$@"\n`);
  await chmod(join(folder, "cast"), 0o755);
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Returns the manual's first block of code in the language, for the service of this test. */
async function readManual(language: "ts" | "sh"): Promise<string> {
  const manual = await readFile("docs/agreements.md", "utf8");
  const shown = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(manual)?.[1] ?? "";
  return shown.replaceAll("http://localhost:3000", url);
}

it("the job of the manual runs in TypeScript as shown", async () => {
  vi.spyOn(console, "log").mockReturnValue();
  const { outcome, tried, read } = await runTypeScript(
    await readManual("ts"),
    "{ outcome, tried, read }",
  );
  expect(tried).toMatchObject({ passed: false, results: [{ passed: true }, { passed: false }] });
  expect(outcome).toMatchObject({ verdict: "SUCCESS", llmConfidence: 1 });
  expect(outcome.llmJudgeReasoning).toBe("All 2 requirements hold.");
  expect(read.requirements).toHaveLength(2);
});

it("the job of the manual runs in a shell as shown", async () => {
  const env: NodeJS.ProcessEnv = { NODE_ENV: "test", PATH: `${folder}:${process.env.PATH}` };
  for (const party of ["REQUESTER", "CONTRACTOR"]) {
    const key = generatePrivateKey();
    const account = privateKeyToAccount(key);
    const visitor = createClient({ url });
    const { apiKey } = await visitor.post("/agents/register", {
      body: {
        agentAddress: account.address,
        name: party,
        walletProof: await proveWallet(visitor, account),
      },
      headers: { "X-Wallet-Address": account.address },
    });
    Object.assign(env, {
      [party]: account.address,
      [`${party}_KEY`]: key,
      [`${party}_API_KEY`]: apiKey,
    });
  }
  const { stdout } = await promisify(execFile)("bash", ["-c", await readManual("sh")], { env });
  expect(stdout.trim().split("\n")).toEqual(["AGREED", "false", "SUCCESS 1"]);
});
