import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import {
  createClient,
  ProblemError,
  proveWallet,
  type StandingClient,
  submitAndWait,
  WebhookVerificationError,
} from "@standing/sdk";
import { sql } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { getQuickStartSteps, type Language } from "@/components/docs/quick-start/quick-start-steps";
import { startHttpServer } from "@/server/testing/http/local-servers";
import { startTestService, type TestService } from "@/server/testing/service";
import { buildSignatureHeaders } from "@/server/webhooks/signature";
import { createApiDocument } from "./api-document";
import { runTypeScript } from "./run-typescript";

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startTestService();
  url = new URL(service.base).origin;
});
afterAll(() => service.close());
// All clients have the same address, and three registrations a minute.
beforeEach(() => service.database.db.execute(sql`truncate rate_limit_windows`));

const SUBMISSION = {
  requesterAgentAddress: `0x${randomBytes(20).toString("hex")}`,
  taskCategory: "content",
  taskDescription: "Describe in two sentences what a reputation is good for.",
  deliverableContent:
    "A reputation lets strangers hire each other without having worked together before. It is worth something only where it is hard to fake and easy to check.",
  valueUsdc: 12.5,
} as const;

describe("the client", () => {
  it("proves a wallet, registers it, submits work and reads the reputation", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const visitor = createClient({ url });
    const registration = await visitor.post("/agents/register", {
      body: {
        agentAddress: account.address,
        name: "Client of the package",
        walletProof: await proveWallet(visitor, account),
      },
    });
    const { apiKey, walletAddress } = registration;
    const agent = createClient({ url, apiKey });
    const submission = { ...SUBMISSION, contractorAgentAddress: walletAddress };
    const idempotencyKey = crypto.randomUUID();
    const outcome = await submitAndWait(agent, submission, { idempotencyKey, pollMs: 50 });
    expect(outcome).toMatchObject({ status: "RESOLVED", verdict: "SUCCESS" });

    const again = await submitAndWait(agent, submission, { idempotencyKey, pollMs: 50 });
    expect(again.outcomeId).toBe(outcome.outcomeId);
    const reputation = await visitor.get("/reputation/{walletAddress}", {
      params: { path: { walletAddress } },
    });
    expect(reputation).toMatchObject({ totalOutcomes: 1 });
    const profile = await visitor.get("/agents/{walletAddress}", {
      params: { path: { walletAddress } },
    });
    expect(profile.walletVerified).toBe(true);
  });

  it("throws the problem that the service reports", async () => {
    const call = createClient({ url, apiKey: "rep_wrong" }).get("/agents/me/keys");
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ status: 401, code: "unauthenticated", retryAfterSeconds: null });
  });

  it("refuses to submit without a deliverable, unless that is intended", async () => {
    const { apiKey, wallet } = await service.agent();
    const client = createClient({ url, apiKey });
    const { deliverableContent: _, ...work } = { ...SUBMISSION, contractorAgentAddress: wallet };
    // What a template without a result, or a misspelt variable, leaves.
    for (const deliverableContent of [undefined, "", " \n"]) {
      const call = submitAndWait(client, { ...work, deliverableContent }, { pollMs: 50 });
      await expect(call).rejects.toThrow(/allowEmpty/);
    }
    const read = () =>
      client.get("/reputation/{walletAddress}", { params: { path: { walletAddress: wallet } } });
    expect(await read()).toMatchObject({ totalOutcomes: 0 });
    const outcome = await submitAndWait(client, work, { pollMs: 50, allowEmpty: true });
    expect(outcome).toMatchObject({ verdict: "FAILURE", llmConfidence: 1 });
  });

  it("says what is wrong with the address of the service", () => {
    for (const url of ["localhost:3000", "standing.example", "", "//standing.example"]) {
      expect(() => createClient({ url })).toThrow("it must start with http:// or https://");
    }
    for (const path of ["/api/v1", "/api/v1/", "/docs", "?a=b", "/#a"]) {
      const call = () => createClient({ url: `https://standing.example${path}` });
      expect(call).toThrow("it must be https://standing.example, because");
    }
    expect(() => createClient({ url: "HTTPS://standing.example//" })).not.toThrow();
  });

  it("stops waiting for a verdict when its signal is aborted", async () => {
    const { apiKey, wallet } = await service.agent();
    const submission = { ...SUBMISSION, contractorAgentAddress: wallet };
    const options = { signal: AbortSignal.timeout(1), pollMs: 10_000 };
    await expect(
      submitAndWait(createClient({ url, apiKey }), submission, options),
    ).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("the quick start of the documentation", () => {
  const readSteps = (language: Language) =>
    getQuickStartSteps(url, language)
      .map(({ code }) => code)
      .join("\n\n");

  it("runs in TypeScript as shown, and accepts a genuine delivery only", async () => {
    vi.spyOn(console, "log").mockReturnValue();
    const { outcome, reputation, secret, handleDelivery } = await runTypeScript(
      readSteps("typescript"),
      "{ outcome, reputation, secret, handleDelivery }",
    );
    expect(outcome).toMatchObject({ status: "RESOLVED", verdict: "SUCCESS" });
    expect(reputation).toMatchObject({ totalOutcomes: 1, ceiling: { liftedBy: "payment" } });
    expect(reputation.score).toBeGreaterThan(0);

    const payload = '{"event":"outcome.resolved","data":{"outcomeId":"ü"}}';
    const headers = buildSignatureHeaders({ secret, id: "msg_1", at: new Date(), payload });
    const deliver = (text: string) =>
      handleDelivery(new Request(url, { method: "POST", headers, body: text }));
    expect(await deliver(payload)).toMatchObject({ status: 204 });
    await expect(deliver(`${payload} `)).rejects.toThrow(WebhookVerificationError);
  });

  it("runs in Python as shown, with the standard library only", async () => {
    const script = `${readSteps("python")}\nprint(len(secret))`;
    const { stdout } = await promisify(execFile)("python3", ["-I", "-S", "-c", script]);
    const [verdict, reputation, secret] = stdout.trim().split("\n");
    expect(verdict).toMatch(/^SUCCESS [\d.]+ 0x[0-9a-f]{64}$/);
    expect(reputation).toMatch(/^[\d.]+ NEWCOMER$/);
    expect(Number.parseFloat(reputation ?? "")).toBeGreaterThan(0);
    expect(Number(secret)).toBeGreaterThan(40);
  });

  it("of the package's README runs as shown", async () => {
    vi.spyOn(console, "log").mockReturnValue();
    const readme = await readFile("packages/sdk/README.md", "utf8");
    const shown = /```ts\n(.*?)```/s.exec(readme)?.[1]?.replace("http://localhost:3000", url) ?? "";
    vi.stubEnv("WALLET_KEY", generatePrivateKey());
    const { outcome, reputation } = await runTypeScript(shown, "{ outcome, reputation }");
    expect(outcome).toMatchObject({ status: "RESOLVED", verdict: "SUCCESS" });
    expect(reputation.score).toBeGreaterThan(0);
  });
});

describe("retries", () => {
  /** Starts a server that responds with each status in turn, and then with 200. */
  async function serve(statuses: number[], headers: Record<string, string> = {}) {
    const seen: IncomingMessage[] = [];
    const server = await startHttpServer((req, res) => {
      const status = statuses[seen.push(req) - 1];
      if (status === 0) return void req.socket.destroy();
      res.writeHead(status ?? 200, { "Content-Type": "application/json", ...(status && headers) });
      res.end("{}");
    });
    return { seen, client: createClient({ url: server.url }) };
  }

  describe("wait for the time that a refusal names", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    /** Returns the seconds after the first request at which each arrived, all refused with `status`. */
    async function listArrivals(
      status: number,
      retryAfter: string,
      send: (client: StandingClient) => Promise<unknown>,
    ): Promise<number[]> {
      const startedAt = Date.now();
      const seconds: number[] = [];
      const client = createClient({
        url,
        fetch: async () => {
          seconds.push((Date.now() - startedAt) / 1_000);
          const problem = { code: "rate-limited", status };
          return Response.json(problem, { status, headers: { "Retry-After": retryAfter } });
        },
      });
      const refused = expect(send(client)).rejects.toMatchObject({ status });
      await vi.runAllTimersAsync();
      await refused;
      return seconds;
    }
    const register = (client: StandingClient) =>
      client.post("/agents/register", { body: { agentAddress: `0x${"1".repeat(40)}`, name: "A" } });
    const read = (client: StandingClient) => client.get("/network");

    it.each([
      ["a registration against 429", 429, register],
      ["a registration against 409", 409, register],
      ["a read against 503", 503, read],
    ])("%s", async (_, status, send) => {
      expect(await listArrivals(status, "10", send)).toEqual([0, 10, 20, 30, 40]);
      expect(await listArrivals(status, "60", send)).toEqual([0, 60, 120, 180, 240]);
    });

    it("but not for longer than the longest window of a limit", async () => {
      expect(await listArrivals(429, "3600", read)).toEqual([0]);
    });
  });

  it("wait after a 503 only if the request may arrive twice: it may have been stored", async () => {
    const keyed = await serve([503], { "Retry-After": "1" });
    await keyed.client.post("/auth/nonce", { headers: { "Idempotency-Key": "once" } });
    expect(keyed.seen).toHaveLength(2);

    const write = await serve([503], { "Retry-After": "1" });
    await expect(write.client.post("/auth/nonce")).rejects.toMatchObject({ status: 503 });
    expect(write.seen).toHaveLength(1);
  });

  it("don't repeat an error that time does not mend", async () => {
    for (const status of [400, 409, 500]) {
      const { seen, client } = await serve([status]);
      await expect(client.get("/network")).rejects.toMatchObject({ status });
      expect(seen).toHaveLength(1);
    }
  });

  it("repeat a lost request only if it may arrive twice", async () => {
    const read = await serve([0, 502]);
    await read.client.get("/network");
    expect(read.seen).toHaveLength(3);

    const write = await serve([0]);
    await expect(write.client.post("/auth/nonce")).rejects.toThrow();
    expect(write.seen).toHaveLength(1);

    const keyed = await serve([0]);
    await keyed.client.post("/auth/nonce", { headers: { "Idempotency-Key": "once" } });
    expect(keyed.seen).toHaveLength(2);
  });

  it("of what creates something create it once, whose first response is lost", async () => {
    const { apiKey } = await service.agent();
    let lost = 0;
    const client = createClient({
      url,
      apiKey,
      fetch: async (...request) => {
        const response = await fetch(...request);
        if (response.status === 201 && lost++ === 0) throw new TypeError("fetch failed");
        return response;
      },
    });
    const body = { url: "https://agent.example/hook", events: ["score.updated" as const] };
    const { webhookId } = await client.post("/webhooks", { body });
    expect(lost).toBe(2);
    expect(await client.get("/webhooks")).toMatchObject([{ webhookId }]);
  });

  it("rely on a key that every POST that takes one is sent with, and no other", async () => {
    const taking: string[] = [];
    const sent: string[] = [];
    const keys = new Set<string | null>();
    for (const [path, { post }] of Object.entries(createApiDocument().paths ?? {})) {
      if (!post) continue;
      if (JSON.stringify(post.parameters).includes("Idempotency-Key")) taking.push(path);
      const respond: typeof fetch = async (request) => {
        const key = new Request(request).headers.get("idempotency-key");
        if (key) sent.push(path);
        keys.add(key);
        return Response.json({});
      };
      await createClient({ url, fetch: respond }).post(path as "/auth/nonce");
    }
    expect(sent).toEqual(taking);
    expect(sent).toContain("/webhooks");
    expect(keys.size).toBe(sent.length + 1);
  });

  it("report a response that isn't ours", async () => {
    const { client } = await serve([418]);
    await expect(client.get("/network")).rejects.toMatchObject({
      status: 418,
      code: "internal-error",
    });
  });
});
