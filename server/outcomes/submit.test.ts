import { randomBytes, randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { type Address, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import type { AppEvent, ChainInfo, Publish } from "@/server/lib/context";
import { getServiceChain } from "@/server/testing/chain/payments";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { createTestContext } from "@/server/testing/core";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { submitInput } from "./schema";
import { submitOutcome } from "./submit";
import { outcomes } from "./tables";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const STRANGER = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

function bodyOf(contractor: string, changes: object = {}) {
  return {
    contractorAgentAddress: contractor,
    requesterAgentAddress: STRANGER,
    taskDescription: "Name three rivers of Europe.",
    taskCategory: "research",
    deliverableContent: "The Rhine, the Loire and the Vistula.",
    valueUsdc: 12.5,
    ...changes,
  };
}

const submit = (agent: TestAgent, body: unknown, headers: Record<string, string> = {}) =>
  service.call("POST", "/outcome", { key: agent.apiKey, body, headers });

const withKey = (key: string) => ({ "Idempotency-Key": key });

const stored = (outcomeId: string) =>
  service.database.db.select().from(outcomes).where(eq(outcomes.id, outcomeId));

const submittedBy = (agent: TestAgent) =>
  service.database.db.select().from(outcomes).where(eq(outcomes.submitterAgentId, agent.id));

const refusal = ({ status, body }: CallResult) => [status, body.code];

/** Returns the number of submissions left before the rate limit, read from an accepted one. */
const remaining = (called: CallResult) =>
  Number(/r=(\d+)/.exec(called.headers.get("RateLimit") ?? "")?.[1]);

describe("a submission", () => {
  test("returns 202 with Location and Retry-After", async () => {
    const agent = await service.agent();
    const { status, headers, body } = await submit(agent, bodyOf(agent.wallet));
    expect(status).toBe(202);
    expect(body).toEqual({
      outcomeId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "EVALUATING",
      estimatedResolutionSeconds: 30,
    });
    expect(headers.get("Location")).toBe(`/api/v1/outcome/${body.outcomeId}`);
    expect(headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(headers.get("Idempotent-Replayed")).toBeNull();
    expect((await service.call("GET", `/outcome/${body.outcomeId}`)).status).toBe(200);
  });

  test("is stored as sent, with checksummed addresses, a trimmed task and the exact amount", async () => {
    const agent = await service.agent();
    const content = "  The Rhine,\r\n the Loire and the Vistula.\u200B ";
    const { body } = await submit(
      agent,
      bodyOf(agent.wallet.toLowerCase(), {
        requesterAgentAddress: `0X${STRANGER.slice(2).toUpperCase()}`,
        taskDescription: "  Name three rivers of Europe.\n",
        deliverableContent: content,
        valueUsdc: 999_999_999.999999,
      }),
    );
    expect((await stored(body.outcomeId))[0]).toMatchObject({
      contractor: agent.wallet,
      requester: STRANGER,
      taskDescription: "Name three rivers of Europe.",
      deliverableContent: content,
      valueMicro: 999_999_999_999_999n,
      submittedBy: "contractor",
      proven: false,
    });
  });

  test("is called in public what its submitter says, in one line", async () => {
    const agent = await service.agent();
    const { body } = await submit(agent, bodyOf(agent.wallet, { title: " Rivers of Europe " }));
    const path = `/outcome/${body.outcomeId}`;
    expect((await service.call("GET", path)).body).toMatchObject({ title: "Rivers of Europe" });
    const untitled = await submit(agent, bodyOf(agent.wallet));
    const shown = await service.call("GET", `/outcome/${untitled.body.outcomeId}`);
    expect(shown.body).toMatchObject({ title: null });
    for (const title of ["", "Rivers\nof Europe", "Rivers\u2028of Europe", "x".repeat(81)]) {
      const refused = await submit(agent, bodyOf(agent.wallet, { title }));
      expect([title, ...refusal(refused)]).toEqual([title, 400, "invalid-request"]);
    }
  });

  test("may come from the requester, for an unregistered contractor", async () => {
    const agent = await service.agent({ proven: true });
    const { status, body } = await submit(
      agent,
      bodyOf(STRANGER, { requesterAgentAddress: agent.wallet }),
    );
    expect(status).toBe(202);
    expect((await stored(body.outcomeId))[0]).toMatchObject({
      contractor: STRANGER,
      submittedBy: "requester",
      proven: true,
    });
  });

  test("without a deliverable, or with a blank one, fails at the pre-check", async () => {
    const agent = await service.agent();
    const sent = await Promise.all(
      [undefined, "", " \n\t\u200B"].map((deliverableContent) =>
        submit(agent, bodyOf(agent.wallet, { deliverableContent })),
      ),
    );
    for (const { status, body } of sent) {
      expect(status).toBe(202);
      expect(await service.waitForResolved(body.outcomeId)).toMatchObject({
        verdict: "FAILURE",
        llmConfidence: 1,
        judge: { kind: "gate" },
      });
    }
  });

  test.each([
    ["no key", {}, 401],
    ["a key that was never issued", { "X-API-Key": `rep_${"0".repeat(49)}` }, 401],
  ])("with %s is refused", async (_, headers, status) => {
    const agent = await service.agent();
    const called = await service.call("POST", "/outcome", { headers, body: bodyOf(agent.wallet) });
    expect(refusal(called)).toEqual([status, "unauthenticated"]);
  });

  test("without a deliverable is accepted with a warning, which its replay repeats byte for byte", async () => {
    const agent = await service.agent();
    const headers = withKey(randomUUID());
    const { deliverableContent: _, ...body } = bodyOf(agent.wallet);
    const first = await submit(agent, body, headers);
    expect(first.status).toBe(202);
    expect(first.body.warnings).toEqual(["No deliverable was sent: the verdict will be FAILURE."]);
    const again = await submit(agent, body, headers);
    expect([again.status, again.text]).toEqual([202, first.text]);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");

    const blank = await submit(agent, { ...body, deliverableContent: " \n\u200b" });
    expect(blank.body.warnings).toEqual(first.body.warnings);
    const url = await submit(agent, { ...body, deliverableUrl: "https://agent.example/work" });
    expect(url.body).not.toHaveProperty("warnings");
  });

  test("by an agent that is neither party is refused", async () => {
    const [agent, other] = [await service.agent(), await service.agent()];
    expect(refusal(await submit(agent, bodyOf(other.wallet)))).toEqual([403, "forbidden"]);
    expect(await submittedBy(agent)).toEqual([]);
  });

  test("between a wallet and itself is refused, in any letter case", async () => {
    const agent = await service.agent();
    const body = bodyOf(agent.wallet, { requesterAgentAddress: agent.wallet.toLowerCase() });
    expect(refusal(await submit(agent, body))).toEqual([422, "same-party"]);
  });

  test("is queued by a key of its address, which is that of every wallet there", async () => {
    const submitFrom = async (ip: string) => {
      const agent = await service.agent();
      const { context } = createTestContext(service.runtime.core, { ip });
      const published: AppEvent[] = [];
      const publish: Publish = async (_tx, events) => void published.push(...events);
      const input = submitInput.parse(bodyOf(agent.wallet));
      const submitter = { ...agent, walletVerified: false };
      const { response } = await submitOutcome({ ...context, publish }, submitter, null, input);
      const client = published[0]?.data.client;
      expect(await stored(response.outcomeId)).toMatchObject([{ submitterClient: client }]);
      return client;
    };
    const keys = [
      await submitFrom("2001:db8::1"),
      await submitFrom("2001:db8::2"),
      await submitFrom("2001:db8:0:1::1"),
    ];
    expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  test("by an agent that was just taken over is refused like a revoked key", async () => {
    const agent = await service.agent();
    const { context } = createTestContext(service.runtime.core);
    const submitter = { ...agent, walletVerified: false };
    await service.database.db.delete(agents).where(eq(agents.id, agent.id));
    const input = submitInput.parse(bodyOf(agent.wallet));
    await expect(submitOutcome(context, submitter, null, input)).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await expect(
      submitOutcome(context, submitter, { key: "key", stored: null }, input),
    ).rejects.toMatchObject({
      code: "unauthenticated",
    });
  });
});

describe("fields", () => {
  const long = (length: number) => "x".repeat(length);

  test.each<[string, object]>([
    ["the smallest amount", { valueUsdc: 0 }],
    ["the largest amount", { valueUsdc: 1_000_000_000 }],
    ["six decimals", { valueUsdc: 0.000001 }],
    ["the longest task", { taskDescription: long(20_000) }],
    [
      "a task of 20,000 characters outside the basic plane",
      { taskDescription: "🌍".repeat(20_000) },
    ],
    ["the longest deliverable", { deliverableContent: long(500_000) }],
    ["the longest URL", { deliverableUrl: `https://example.org/${long(2_028)}` }],
    ["null for each optional field", { deliverableContent: null, deliverableUrl: null }],
    ["an empty URL", { deliverableUrl: "", paymentTxHash: null, payment: null }],
  ])("%s is accepted", async (_, changes) => {
    const agent = await service.agent();
    expect((await submit(agent, bodyOf(agent.wallet, changes))).status).toBe(202);
  });

  test.each<[string, string, object]>([
    ["a negative amount", "#/valueUsdc", { valueUsdc: -0.000001 }],
    ["more than a billion", "#/valueUsdc", { valueUsdc: 1_000_000_000.000001 }],
    ["seven decimals", "#/valueUsdc", { valueUsdc: 0.0000001 }],
    ["an amount as text", "#/valueUsdc", { valueUsdc: "12.5" }],
    ["no amount", "#/valueUsdc", { valueUsdc: undefined }],
    ["an empty task", "#/taskDescription", { taskDescription: " \n " }],
    ["a task too long", "#/taskDescription", { taskDescription: long(20_001) }],
    ["NUL in the task", "#/taskDescription", { taskDescription: "a\0b" }],
    ["an unpaired surrogate in the task", "#/taskDescription", { taskDescription: "a\ud800b" }],
    ["a deliverable too long", "#/deliverableContent", { deliverableContent: long(500_001) }],
    ["NUL in the deliverable", "#/deliverableContent", { deliverableContent: "a\0b" }],
    [
      "an unpaired surrogate in the deliverable",
      "#/deliverableContent",
      { deliverableContent: "\udfff" },
    ],
    ["an unknown category", "#/taskCategory", { taskCategory: "cooking" }],
    ["another letter case of a category", "#/taskCategory", { taskCategory: "Research" }],
    ["a short address", "#/requesterAgentAddress", { requesterAgentAddress: "0x1234" }],
    [
      "an address without 0x",
      "#/requesterAgentAddress",
      { requesterAgentAddress: STRANGER.slice(2) },
    ],
    ["a URL of another scheme", "#/deliverableUrl", { deliverableUrl: "ftp://example.org/a" }],
    ["a URL with a password", "#/deliverableUrl", { deliverableUrl: "https://a:b@example.org/" }],
    [
      "a URL too long",
      "#/deliverableUrl",
      { deliverableUrl: `https://example.org/${long(2_029)}` },
    ],
    ["an unknown field", "#/deliverableContents", { deliverableContents: "misspelt" }],
  ])("%s is refused with its pointer", async (_, pointer, changes) => {
    const agent = await service.agent();
    const called = await submit(agent, bodyOf(agent.wallet, changes));
    expect(refusal(called)).toEqual([400, "invalid-request"]);
    expect(called.body.errors).toHaveLength(1);
    expect(called.body.errors).toMatchObject([
      { pointer, detail: expect.any(String), code: expect.any(String) },
    ]);
    expect(await submittedBy(agent)).toEqual([]);
  });
});

describe("an idempotency key", () => {
  test("of 255 characters replays the first response byte for byte", async () => {
    const agent = await service.agent();
    const key = withKey(` ~${"k".repeat(253)}`.trim().padEnd(255, "!"));
    const first = await submit(agent, bodyOf(agent.wallet), key);
    // The same input spelt differently: order of fields, letter case, spaces around the task, and
    // fields that count as absent.
    const { taskDescription, ...rest } = bodyOf(agent.wallet.toLowerCase());
    for (const body of [
      bodyOf(agent.wallet),
      { ...rest, taskDescription: ` ${taskDescription} ` },
      bodyOf(agent.wallet, { deliverableUrl: "", paymentTxHash: null }),
    ]) {
      const again = await submit(agent, body, key);
      expect(again.status).toBe(202);
      expect(again.text).toBe(first.text);
      expect(again.headers.get("Idempotent-Replayed")).toBe("true");
      expect(again.headers.get("Location")).toBe(first.headers.get("Location"));
      expect(remaining(again)).toBe(9);
    }
    expect(first.headers.get("Idempotent-Replayed")).toBeNull();
    expect(await submittedBy(agent)).toHaveLength(1);
    await service.waitForResolved(first.body.outcomeId);
    expect((await submit(agent, bodyOf(agent.wallet), key)).text).toBe(first.text);
  });

  test("used twenty times concurrently creates one outcome and counts once", async () => {
    const agent = await service.agent();
    const key = withKey(randomUUID());
    const all = await Promise.all(
      Array.from({ length: 20 }, () => submit(agent, bodyOf(agent.wallet), key)),
    );
    expect(new Set(all.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(all[0]?.status).toBe(202);
    const replayed = all.filter(({ headers }) => headers.get("Idempotent-Replayed") === "true");
    expect(replayed).toHaveLength(19);
    expect(await submittedBy(agent)).toHaveLength(1);
    expect(remaining(await submit(agent, bodyOf(agent.wallet)))).toBe(8);
  });

  test("with another input is refused, and the first response is kept", async () => {
    const agent = await service.agent();
    const key = withKey("order-1");
    const first = await submit(agent, bodyOf(agent.wallet), key);
    const other = await submit(agent, bodyOf(agent.wallet, { valueUsdc: 12.500001 }), key);
    expect(refusal(other)).toEqual([422, "idempotency-key-reused"]);
    expect((await submit(agent, bodyOf(agent.wallet), key)).text).toBe(first.text);
  });

  test("is not used up by a submission that was refused", async () => {
    const agent = await service.agent();
    const key = withKey("order-1");
    const refused = [
      await submit(agent, bodyOf(agent.wallet, { valueUsdc: -1 }), key),
      await submit(agent, bodyOf(STRANGER, { requesterAgentAddress: `0x${"1".repeat(40)}` }), key),
      await submit(agent, bodyOf(agent.wallet, { requesterAgentAddress: agent.wallet }), key),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 403, 422]);
    const accepted = await submit(agent, bodyOf(agent.wallet), key);
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get("Idempotent-Replayed")).toBeNull();
  });

  test("does not outlive a takeover of the wallet", async () => {
    const account = privateKeyToAccount(generatePrivateKey());
    const register = (walletProof?: unknown) =>
      service.call("POST", "/agents/register", {
        headers: { "X-Wallet-Address": account.address },
        body: { agentAddress: account.address, name: "An agent", walletProof },
      });
    const send = (key: string) =>
      service.call("POST", "/outcome", {
        key,
        headers: withKey("order-1"),
        body: bodyOf(account.address),
      });
    const squatter = (await register()).body;
    const squatted = await send(squatter.apiKey);
    const { body: nonce } = await service.call("POST", "/auth/nonce", { body: {} });
    const owner = (await register(await signProof(account, nonce))).body;
    expect(owner.takeover).toBe(true);

    expect(refusal(await send(squatter.apiKey))).toEqual([401, "unauthenticated"]);
    const own = await send(owner.apiKey);
    expect(own.status).toBe(202);
    expect(own.headers.get("Idempotent-Replayed")).toBeNull();
    expect(own.body.outcomeId).not.toBe(squatted.body.outcomeId);
  });
});

describe("the rate limit", () => {
  test("allows ten submissions a minute; the eleventh gets Retry-After", async () => {
    const agent = await service.agent();
    for (let left = 9; left >= 0; left--) {
      const passed = await submit(agent, bodyOf(agent.wallet));
      expect([passed.status, remaining(passed)]).toEqual([202, left]);
    }
    const late = await submit(agent, bodyOf(agent.wallet));
    expect(refusal(late)).toEqual([429, "rate-limited"]);
    const wait = Number(late.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(late.headers.get("RateLimit-Policy")).toBe('"outcome";q=10;w=60');
    expect(await submittedBy(agent)).toHaveLength(10);
  });

  test("counts refused submissions but not replays, which pass even if the limit is used up", async () => {
    const agent = await service.agent();
    const key = withKey("order-1");
    await submit(agent, bodyOf(agent.wallet), key);
    await submit(agent, "{", {});
    await submit(agent, bodyOf(agent.wallet, { valueUsdc: -1 }));
    await submit(agent, bodyOf(STRANGER));
    await submit(agent, bodyOf(agent.wallet), withKey("ungültig"));
    expect((await submit(agent, bodyOf(agent.wallet, { valueUsdc: 1 }), key)).status).toBe(422);
    for (let n = 0; n < 3; n++) await submit(agent, bodyOf(agent.wallet), key);
    const counted = await submit(agent, bodyOf(agent.wallet));
    expect(remaining(counted)).toBe(3);
    for (let n = 0; n < 3; n++) await submit(agent, bodyOf(agent.wallet));
    expect((await submit(agent, bodyOf(agent.wallet))).status).toBe(429);
    const replay = await submit(agent, bodyOf(agent.wallet), key);
    expect([replay.status, replay.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
    // A rejected request is not a replay: it would count, and the limit is used up.
    expect((await submit(agent, bodyOf(agent.wallet, { valueUsdc: 1 }), key)).status).toBe(429);
  });
});

const RESERVED: [string, (chain: ChainInfo) => Address][] = [
  ["the zero address", () => zeroAddress],
  ["the stake account", ({ stakeAddress }) => stakeAddress],
  ["the recorder", ({ recorderAddress }) => recorderAddress],
  ["the registry", ({ registryAddress }) => registryAddress],
  ["the USDC contract", ({ usdcAddress }) => usdcAddress],
];

test.each(RESERVED)(
  "%s cannot be a party of an outcome, in any letter case",
  async (name, addressOf) => {
    const agent = await service.agent({ proven: true });
    const address = addressOf(getServiceChain(service).chain);
    for (const field of ["contractorAgentAddress", "requesterAgentAddress"] as const) {
      for (const sent of [address, address.toLowerCase()]) {
        const changes = { requesterAgentAddress: agent.wallet, [field]: sent };
        const { status, body } = await submit(agent, bodyOf(agent.wallet, changes));
        expect([status, body.code]).toEqual([422, "invalid-party"]);
        expect(body.errors).toMatchObject([{ pointer: `#/${field}`, code: "reserved-address" }]);
        expect(body.detail).toContain(name);
      }
    }
    expect(await submittedBy(agent)).toEqual([]);
  },
);

test.each(RESERVED)("%s cannot be registered as an agent", async (_, addressOf) => {
  const wallet = addressOf(getServiceChain(service).chain);
  const { status, body } = await service.call("POST", "/agents/register", {
    headers: { "X-Wallet-Address": `0x${randomBytes(20).toString("hex")}` },
    body: { agentAddress: wallet, name: "Not an agent" },
  });
  expect([status, body.code]).toEqual([422, "invalid-party"]);
  expect(body.errors).toMatchObject([{ pointer: "#/agentAddress" }]);
  const registered = await service.database.db.select().from(agents);
  expect(registered.map((agent) => agent.wallet)).not.toContain(wallet);
});
