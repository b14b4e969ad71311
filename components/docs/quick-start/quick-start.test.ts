import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSignatureHeaders, formatSecret } from "@/server/webhooks/signature";
import { getQuickStartSteps, type Language } from "./quick-start-steps";

const run = promisify(execFile);

const payload = '{"event":"outcome.resolved","data":{"outcomeId":"ü"}}';
const secret = formatSecret(new Uint8Array(32).fill(7));
const signed = { id: "msg_1", at: new Date(), payload };
const sign = (secrets: { secret: string; previousSecret?: string }) =>
  buildSignatureHeaders({ ...signed, ...secrets })["X-Service-Signature"] ?? "";
const SIGNATURES = [
  ["genuine delivery", sign({ secret })],
  [
    "genuine delivery after a rotation of the secret",
    sign({ secret: formatSecret(new Uint8Array(32)), previousSecret: secret }),
  ],
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "steps-"));
});
afterAll(() => rm(folder, { recursive: true }));

function findDeliveryCheck(language: Language): string {
  const steps = getQuickStartSteps("https://standing.example", language);
  const step = steps.find(({ title }) => title === "Check a delivery");
  if (!step) throw new Error("there is no such step");
  return step.code;
}

test.each(SIGNATURES)("the Python snippet accepts a %s only", async (_, signature) => {
  const code = `${findDeliveryCheck("python")}
import sys
body, signature, secret = sys.argv[1:]
print([is_genuine(text.encode(), signature, secret) for text in (body, body + " ")])`;
  const { stdout } = await run("python3", ["-c", code, payload, signature, secret]);
  expect(stdout.trim()).toBe("[True, False]");
});

test.each(SIGNATURES)("the shell snippet accepts a %s only", async (_, signature) => {
  const check = async (body: string) => {
    await writeFile(join(folder, "body.json"), body);
    const env = { ...process.env, SECRET: secret, SIGNATURE: signature };
    const command = `${findDeliveryCheck("curl")} || echo forged`;
    return (await run("bash", ["-c", command], { cwd: folder, env })).stdout.trim();
  };
  expect([await check(payload), await check(`${payload} `)]).toEqual(["genuine", "forged"]);
});
