import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { waitFor } from "@/server/testing/engine/engine";
import { type Operation, readOperations } from "@/server/testing/fuzz/contract";
import { anyPlan, buildRequest, type KnownData } from "@/server/testing/fuzz/request";
import { send } from "@/server/testing/fuzz/send";
import { type Receiver, startReceiver } from "@/server/testing/http/receiver";
import { startScriptedModel } from "@/server/testing/model/scripted-model";
import { startTestService, type TestService } from "@/server/testing/service";

const canary = (bytes = 24) => randomBytes(bytes).toString("hex");

/** Secrets that must never appear in a response, by description. */
const secrets: Record<string, string> = {
  "sealing key": canary(32),
  "metrics token": canary(),
  "model key": `sk-${canary()}`,
  "task description": `task-${canary()}`,
  "deliverable text": `work-${canary()}`,
};
/** All responses after the secrets were handed to their owners. */
const responses: string[] = [];

let folder: string;
let log: string;
let service: TestService;
let receiver: Receiver;
let model: Awaited<ReturnType<typeof startScriptedModel>>;
let operations: Operation[];
let known: KnownData;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "secrets-"));
  log = join(folder, "service.log");
  await writeFile(log, "");
  receiver = await startReceiver({ answer: () => 500 });
  // As careless as possible: it repeats the key and the prompt that it was sent.
  model = await startScriptedModel({
    answer: ({ headers, body }) => ({
      status: 401,
      body: JSON.stringify({
        error: { message: `${headers.authorization} ${JSON.stringify(body)}` },
      }),
    }),
  });
  service = await startTestService({
    logFile: log,
    env: {
      LOG_LEVEL: "debug",
      TRUSTED_PROXIES: "1",
      SECRET_KEY: secrets["sealing key"] ?? "",
      METRICS_TOKEN: secrets["metrics token"] ?? "",
      OPENAI_API_KEY: secrets["model key"] ?? "",
      OPENAI_BASE_URL: model.url,
      JUDGE_MODEL: "careless",
    },
  });
  secrets["recorder key"] = service.chain.recorderKey.slice(2);
  secrets["stake key"] = service.chain.stakeKey.slice(2);
  secrets["statement key"] = service.chain.statementKey.slice(2);
  const { password } = new URL(service.database.url);
  if (password) secrets["database password"] = password;
  operations = readOperations((await service.call("GET", "/openapi.json")).body);
}, 120_000);
afterAll(async () => {
  await service.close();
  await Promise.all([receiver.close(), model.close()]);
  await rm(folder, { recursive: true });
});

let clients = 0;
const from = () => ({ "X-Forwarded-For": `198.51.100.${clients++ % 256}` });

/** Registers with a proof and signs in; records the owner's credentials as secrets. */
async function registerOwner(role: string) {
  const account = privateKeyToAccount(generatePrivateKey());
  const nonce = (await service.call("POST", "/auth/nonce", { headers: from() })).body;
  const walletProof = await signProof(account, nonce);
  const { body } = await service.call("POST", "/agents/register", {
    headers: from(),
    body: { agentAddress: account.address, name: `An agent, ${role}`, walletProof },
  });
  const terms = (await service.call("POST", "/auth/nonce", { headers: from() })).body;
  const signIn = await signProof(account, terms, { statement: terms.statements.signIn });
  const signedIn = await pageCall("agents.account.signIn", {
    walletAddress: account.address,
    walletProof: signIn,
  });
  const session = /session=([^;]+)/.exec(signedIn.headers.get("set-cookie") ?? "")?.[1] ?? "";
  expect(session).not.toBe("");
  Object.assign(secrets, {
    [`key of ${role}`]: body.apiKey,
    [`signature of ${role}`]: walletProof.signature.slice(2),
    [`other signature of ${role}`]: signIn.signature.slice(2),
    [`nonce of ${role}`]: nonce.nonce,
    [`session of ${role}`]: session,
  });
  return { account, wallet: account.address, key: body.apiKey as string, session };
}

/** Returns a registration with a proof, and records the proof as a secret. */
async function createRegistration() {
  const account = privateKeyToAccount(generatePrivateKey());
  const terms = (await service.call("POST", "/auth/nonce", { headers: from() })).body;
  const walletProof = await signProof(account, terms);
  secrets[`signature of ${account.address}`] = walletProof.signature.slice(2);
  secrets[`nonce of ${account.address}`] = terms.nonce;
  return { agentAddress: account.address, name: "A newcomer", walletProof };
}

const pageCall = (path: string, input: unknown, session?: string): Promise<Response> =>
  fetch(`${service.trpc}/${path}`, {
    method: "POST",
    headers: {
      Origin: new URL(service.trpc).origin,
      "Content-Type": "application/json",
      ...from(),
      ...(session ? { Cookie: `standing_session=${session}` } : {}),
    },
    body: JSON.stringify(input),
  });

test("no secret appears in the log, an error or the response to another caller", async () => {
  const [contractor, requester] = [
    await registerOwner("the contractor"),
    await registerOwner("the requester"),
  ];
  const work = {
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: secrets["task description"],
    taskCategory: "research",
    deliverableContent: secrets["deliverable text"],
    valueUsdc: 1,
  };
  const { key } = contractor;
  const submitted = await service.call("POST", "/outcome", { key, body: work });
  const hook = { url: receiver.url, events: ["outcome.resolved"] };
  const created = await service.call("POST", "/webhooks", { key, body: hook });
  expect([submitted.status, created.status]).toEqual([202, 201]);
  secrets["webhook secret"] = created.body.secret;
  await service.call("POST", `/webhooks/${created.body.webhookId}/ping`, { key });
  await receiver.waitFor(1);
  // The error of the judge, in which the model repeated its key, gets logged.
  await waitFor(async () => model.requests.length > 0);

  known = {
    keys: {
      contractor: key,
      requester: requester.key,
      stranger: requester.key,
      anonymous: null,
      forger: null,
    },
    wallets: [contractor.wallet, requester.wallet],
    ids: new Map([
      ["outcomeId", [submitted.body.outcomeId]],
      ["webhookId", [created.body.webhookId]],
    ]),
    hashes: [],
    urls: [receiver.url],
  };
  await sendGeneratedRequests(["anonymous", "forger"], 6);
  await sendWithMissingTables(work, contractor);

  const text = await readFile(log, "utf8");
  expect(text).toContain("A request failed");
  for (const [what, secret] of Object.entries(secrets)) {
    expect(text.includes(secret), `${what} in the log`).toBe(false);
    const leaking = responses.find((one) => one.includes(secret));
    expect(leaking?.slice(0, 500), `${what} in a response`).toBeUndefined();
  }
}, 240_000);

/** Sends generated requests to every operation from callers without access. */
async function sendGeneratedRequests(
  callers: ("anonymous" | "forger")[],
  cases: number,
): Promise<void> {
  for (const operation of operations) {
    const property = fc.asyncProperty(
      anyPlan,
      fc.constantFrom(...callers),
      async (plan, caller) => {
        const request = buildRequest(operation, { ...plan, caller }, known);
        const { text, headers } = await send(service.base, request);
        responses.push(text, JSON.stringify(headers));
      },
    );
    await fc.assert(property, { numRuns: cases });
  }
}

/**
 * Repeats the requests with each table missing in turn, so that every query fails with its
 * parameters.
 */
async function sendWithMissingTables(
  work: Record<string, unknown>,
  { key, session }: { key: string; session: string },
): Promise<void> {
  const { sql } = service.database.db;
  const outcomeId = known.ids.get("outcomeId")?.[0];
  for (const table of [
    "outcomes",
    "webhooks",
    "agents",
    "api_keys",
    "idempotency_keys",
    "sessions",
    "auth_nonces",
  ]) {
    const newcomer = await createRegistration();
    await sql.unsafe(`alter table ${table} rename to ${table}_gone`);
    const faults: number[] = [];
    for (const [method, path, body] of [
      ["POST", "/outcome", work],
      ["GET", `/outcome/${outcomeId}`],
      ["POST", "/webhooks", { url: receiver.url, events: ["outcome.resolved"] }],
      ["GET", "/agents/me/keys"],
      ["POST", "/agents/register", newcomer],
    ] as const) {
      const headers = { ...from(), "Idempotency-Key": table };
      const { status, text } = await service.call(method, path, { key, body, headers });
      faults.push(status);
      // A successful response is the owner's own.
      if (status >= 400) responses.push(text);
    }
    const profile = { name: "Renamed", description: "", categories: [], ownerEmail: null };
    const page = await pageCall("agents.account.update", profile, session);
    responses.push(await page.text());
    await sql.unsafe(`alter table ${table}_gone rename to ${table}`);
    expect([...faults, page.status], table).toContain(500);
  }
}
