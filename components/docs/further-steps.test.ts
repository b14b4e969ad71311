import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { verifyMessage } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { parseProofMessage, STATEMENTS } from "@/server/agents/proof-message";
import { buildSignatureHeaders, formatSecret } from "@/server/webhooks/signature";
import { getFurtherSteps } from "./further-steps";
import type { Language } from "./quick-start-code";

const run = promisify(execFile);
const PRIVATE_KEY = generatePrivateKey();
const TERMS = { domain: "standing.example", uri: "https://standing.example", chainId: 8453 };
const NONCE = "6b018a185f0c2f6be3a94d1d8a7c40b1";

const payload = '{"event":"outcome.resolved","data":{"outcomeId":"ü"}}';
const secret = formatSecret(new Uint8Array(32).fill(7));
const headers = buildSignatureHeaders({ secret, id: "msg_1", at: new Date(), payload });
const signature = headers["X-Service-Signature"] ?? "";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "steps-"));
});
afterAll(() => rm(folder, { recursive: true }));

function findCode(language: Language, title: string): string {
  const step = getFurtherSteps(language).find((one) => one.title === title);
  if (!step) throw new Error(`there is no step ${title}`);
  return step.code;
}

/** Runs a TypeScript snippet as a function body with `scope`. Returns what `result` evaluates to. */
async function runTypeScript(code: string, scope: Record<string, unknown>, result: string) {
  const { code: script } = await transform(code.replace(/^export /m, ""), { loader: "ts" });
  const body = script.replace(/^import (\{.*\}) from ("[^"]+");$/gm, "const $1 = await load($2);");
  const load = (name: string) => import(name);
  const names = ["load", ...Object.keys(scope)];
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction(...names, `${body}\nreturn ${result};`)(load, ...Object.values(scope));
}

test("the TypeScript snippet signs a message that the service accepts", async () => {
  vi.stubEnv("PRIVATE_KEY", PRIVATE_KEY);
  vi.spyOn(console, "log").mockReturnValue();
  const call = vi.fn(async (path: string, _body: object, _key?: string) =>
    path === "/auth/nonce" ? { nonce: NONCE, statements: STATEMENTS, ...TERMS } : {},
  );
  await runTypeScript(findCode("typescript", "Verify the wallet"), { call, apiKey: "k" }, "null");
  const [path, body, key] = call.mock.calls[1] ?? [];
  expect([path, key]).toEqual(["/agents/register", "k"]);
  const { agentAddress, walletProof } = body as {
    agentAddress: `0x${string}`;
    walletProof: { message: string; signature: `0x${string}` };
  };
  const { message, signature } = walletProof;
  expect(agentAddress).toBe(privateKeyToAddress(PRIVATE_KEY));
  const terms = { ...TERMS, statement: STATEMENTS.register };
  expect(parseProofMessage(message, agentAddress, terms, Date.now())).toEqual({ nonce: NONCE });
  expect(await verifyMessage({ address: agentAddress, message, signature })).toBe(true);
});

test("the TypeScript snippet accepts a genuine delivery only", async () => {
  const code = findCode("typescript", "Check a delivery");
  const read = await runTypeScript(code, {}, "readDelivery");
  expect(read(payload, headers, secret)).toEqual(JSON.parse(payload));
  expect(() => read(`${payload} `, headers, secret)).toThrow();
});

test("the Python snippet accepts a genuine delivery only", async () => {
  const code = `${findCode("python", "Check a delivery")}
import sys
body, signature, secret = sys.argv[1:]
print([is_genuine(text.encode(), signature, secret) for text in (body, body + " ")])`;
  const { stdout } = await run("python3", ["-c", code, payload, signature, secret]);
  expect(stdout.trim()).toBe("[True, False]");
});

test("the shell snippet accepts a genuine delivery only", async () => {
  const check = async (body: string) => {
    await writeFile(join(folder, "body.json"), body);
    const env = { ...process.env, SECRET: secret, SIGNATURE: signature };
    const command = `${findCode("curl", "Check a delivery")} || echo forged`;
    return (await run("bash", ["-c", command], { cwd: folder, env })).stdout.trim();
  };
  expect([await check(payload), await check(`${payload} `)]).toEqual(["genuine", "forged"]);
});
