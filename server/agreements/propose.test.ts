// cspell:ignore wordcount
import { count } from "drizzle-orm";
import { hashTypedData, type TypedDataDefinition } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestContext } from "@/server/testing/core";
import { countWaiting } from "@/server/testing/database";
import { waitFor } from "@/server/testing/engine/engine";
import type { TestAgent } from "@/server/testing/fixtures/agent";
import { buildTerms, signTerms } from "@/server/testing/fixtures/agreement";
import { decideOffline } from "@/server/testing/model/offline-checks";
import { startTestService, type TestService } from "@/server/testing/service";
import { proposeAgreement } from "./propose";
import { MAX_TERMS_BYTES, type Terms } from "./schema";
import { agreements } from "./tables";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

let requester: TestAgent;
let contractor: TestAgent;
beforeEach(async () => {
  [requester, contractor] = await Promise.all([
    service.agent({ proven: true }),
    service.agent({ proven: true }),
  ]);
});

const chain = () => service.runtime.core.chain;
const terms = (changes: Partial<Terms> = {}) =>
  buildTerms(chain(), { requester, contractor }, changes);

const post = (signer: TestAgent, body: unknown) =>
  service.call("POST", "/agreements", { key: signer.apiKey, body });

/** Signs terms as `signer` and proposes them. */
const propose = async (signer: TestAgent, proposed = terms()) =>
  post(signer, { terms: proposed, signature: await signTerms(chain(), signer.account, proposed) });

async function countAgreements(): Promise<number> {
  const [row] = await service.database.db.select({ count: count() }).from(agreements);
  return row?.count ?? expect.fail();
}

/** Expects that a proposal is refused, at `pointer`, and that nothing is stored. */
async function expectRefused(
  request: () => ReturnType<typeof post>,
  expected: { status: number; code: string; pointer?: string },
) {
  const before = await countAgreements();
  const { status, body } = await request();
  expect({ status, code: body.code, pointer: body.errors?.[0]?.pointer }).toEqual({
    pointer: undefined,
    ...expected,
  });
  expect(body.detail.length + body.help.length).toBeGreaterThan(40);
  expect(await countAgreements()).toBe(before);
  return body;
}

const inSeconds = (seconds: number) =>
  `${new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19)}Z`;

const INVALID = { status: 400, code: "invalid-request" };

describe("a draft", () => {
  const draft = (changes: object = {}) =>
    service.call("POST", "/agreements/draft", {
      key: requester.apiKey,
      body: {
        requester: requester.wallet.toLowerCase(),
        contractor: contractor.wallet.toLowerCase(),
        task: "Name three rivers.",
        category: "research",
        valueUsdc: 12.5,
        payment: "upfront",
        deliverBy: new Date(Date.now() + 10 * MINUTE_MS).toISOString(),
        requirements: [{ check: "word-count", max: 200 }],
        ...changes,
      },
    });

  test("can be signed and proposed as it is", async () => {
    const { status, body } = await draft();
    expect(status).toBe(200);
    expect(body.terms).toMatchObject({
      version: 2,
      chainId: chain().id,
      requester: requester.wallet,
      contractor: contractor.wallet,
      valueMicro: "12500000",
      criteria: [],
    });
    const typedData = body.typedData as TypedDataDefinition;
    const signature = await requester.account.signTypedData(typedData);
    const proposed = await post(requester, { terms: body.terms, signature });
    expect(proposed.body).toMatchObject({ status: "PROPOSED", ...body });
    expect(hashTypedData(proposed.body.typedData)).toBe(hashTypedData(typedData));
  });

  test("starts in an hour, or half-way to the deadline if that is sooner", async () => {
    const secondsAhead = async (changes: object) => {
      const sentAt = Date.now();
      const { terms } = (await draft(changes)).body;
      expect(terms.delivery).toBe("content");
      expect(Date.parse(terms.startBy) % 1_000).toBe(0);
      return (Date.parse(terms.startBy) - sentAt) / 1_000;
    };
    expect(Math.abs((await secondsAhead({})) - 300)).toBeLessThan(10);
    expect(Math.abs((await secondsAhead({ deliverBy: inSeconds(86_400) })) - 3_600)).toBeLessThan(
      10,
    );
    const startBy = inSeconds(60);
    expect((await draft({ startBy })).body.terms.startBy).toBe(startBy);
    expect((await draft({ delivery: "content-or-url" })).body.terms.delivery).toBe(
      "content-or-url",
    );
  });

  test("stores nothing, and has a new nonce each time", async () => {
    const before = await countAgreements();
    const [one, other] = [await draft(), await draft()];
    expect(one.body.terms.nonce).not.toBe(other.body.terms.nonce);
    expect(await countAgreements()).toBe(before);
  });

  test("is refused as the terms are, with pointers into its own body", async () => {
    await expectRefused(() => draft({ contractor: requester.wallet }), {
      status: 422,
      code: "same-party",
      pointer: "#/contractor",
    });
    await expectRefused(() => draft({ deliverBy: new Date().toISOString() }), {
      ...INVALID,
      pointer: "#/deliverBy",
    });
    await expectRefused(() => draft({ requester: chain().usdcAddress }), {
      status: 422,
      code: "invalid-party",
      pointer: "#/requester",
    });
    await expectRefused(() => draft({ criteria: ["Is it kind?"] }), {
      status: 422,
      code: "no-model",
      pointer: "#/criteria",
    });
  });
});

describe("a proposal", () => {
  test("is stored with the signature of its party, and names its path", async () => {
    const proposed = terms({ deliverBy: inSeconds(3_600) });
    const { status, headers, body } = await propose(contractor, proposed);
    expect(status).toBe(201);
    expect(headers.get("location")).toBe(`/api/v1/agreements/${body.agreementId}`);
    expect(body).toMatchObject({
      status: "PROPOSED",
      proposedBy: "contractor",
      terms: proposed,
      signatures: { requester: null, contractor: expect.stringMatching(/^0x/) },
      requirements: [expect.any(String)],
      agreedAt: null,
      endedAt: null,
      outcomeId: null,
    });
  });

  test("has a time in whole seconds, as block times are, not after the current block's", async () => {
    const { body } = await propose(requester);
    const proposedAt = Date.parse(body.proposedAt);
    expect(proposedAt % 1_000).toBe(0);
    expect(proposedAt).toBeLessThanOrEqual(Date.now());
  });

  test("can name a wallet that is not registered", async () => {
    const stranger = privateKeyToAccount(generatePrivateKey()).address;
    const proposed = buildTerms(chain(), { requester, contractor: { wallet: stranger } });
    expect((await propose(requester, proposed)).status).toBe(201);
  });

  test("is refused a second time, with the id of the first, by either party", async () => {
    const proposed = terms();
    const { body } = await propose(requester, proposed);
    for (const party of [requester, contractor]) {
      const refused = await expectRefused(() => propose(party, proposed), {
        status: 409,
        code: "agreement-exists",
      });
      expect(refused.agreementId).toBe(body.agreementId);
    }
  });

  test("is stored once under an Idempotency-Key, which other terms can't reuse", async () => {
    const before = await countAgreements();
    const post = async (proposed: Terms) =>
      service.call("POST", "/agreements", {
        key: requester.apiKey,
        headers: { "Idempotency-Key": "a key" },
        body: { terms: proposed, signature: await signTerms(chain(), requester.account, proposed) },
      });
    const proposed = terms();
    const [first, second] = await Promise.all([post(proposed), post(proposed)]);
    const third = await post(proposed);
    for (const { status, text } of [first, second, third]) {
      expect({ status, text }).toEqual({ status: 201, text: first.text });
    }
    expect(third.headers.get("location")).toBe(first.headers.get("location"));
    expect(third.headers.get("Idempotent-Replayed")).toBe("true");
    const { status, body } = await post(terms());
    expect([status, body.code]).toEqual([422, "idempotency-key-reused"]);
    expect(await countAgreements()).toBe(before + 1);
  });

  test("is stored once if the same terms are proposed at once", async () => {
    const proposed = terms();
    const before = await countAgreements();
    const answers = await Promise.all(
      [requester, contractor, requester].map((p) => propose(p, proposed)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(await countAgreements()).toBe(before + 1);
  });
});

describe("a signature is refused", () => {
  const SIGNATURE = { status: 422, code: "signature-invalid", pointer: "#/signature" };

  test("if the terms were changed after it", async () => {
    const signed = terms();
    const signature = await signTerms(chain(), requester.account, signed);
    for (const change of [
      { valueMicro: "5000001" },
      { task: `${signed.task}.` },
      { nonce: `0x${"0".repeat(64)}` },
      { payment: "upfront" },
    ]) {
      await expectRefused(
        () => post(requester, { terms: { ...signed, ...change }, signature }),
        SIGNATURE,
      );
    }
  });

  test("if the other party, or a third wallet, made it", async () => {
    const proposed = terms();
    const stranger = privateKeyToAccount(generatePrivateKey());
    for (const account of [contractor.account, stranger]) {
      const signature = await signTerms(chain(), account, proposed);
      await expectRefused(() => post(requester, { terms: proposed, signature }), SIGNATURE);
    }
  });

  test("if it is the same with the other s, for terms that were proposed before", async () => {
    const proposed = terms();
    const signature = await signTerms(chain(), requester.account, proposed);
    await post(requester, { terms: proposed, signature });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const s = (order - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const v = signature.endsWith("1b") ? "1c" : "1b";
    const mirrored = `${signature.slice(0, 66)}${s}${v}`;
    await expectRefused(() => post(requester, { terms: proposed, signature: mirrored }), {
      status: 409,
      code: "agreement-exists",
    });
  });
});

/** A requirement whose JSON Schema refers to itself. */
const NEVER_ENDS = {
  check: "json",
  schema: { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
};

describe("terms are refused", () => {
  test("if another agent proposes them, although a party signed", async () => {
    const stranger = await service.agent({ proven: true });
    const proposed = terms();
    const signature = await signTerms(chain(), requester.account, proposed);
    await expectRefused(() => post(stranger, { terms: proposed, signature }), {
      status: 403,
      code: "forbidden",
    });
  });

  test("if the proposer's wallet is unverified, although it signed", async () => {
    const unverified = await service.agent();
    const proposed = buildTerms(chain(), { requester: unverified, contractor });
    await expectRefused(() => propose(unverified, proposed), { status: 403, code: "forbidden" });
  });

  const later = inSeconds(3_600);
  test.each<[name: string, changes: () => object, status: number, code: string, field: string]>([
    [
      "both parties are one",
      () => ({ contractor: requester.wallet }),
      422,
      "same-party",
      "contractor",
    ],
    [
      "a party holds stakes",
      () => ({ contractor: chain().stakeAddress }),
      422,
      "invalid-party",
      "contractor",
    ],
    [
      "a media type is required of content, which has none",
      () => ({ delivery: "content", requirements: [{ check: "media-type", type: "text/csv" }] }),
      422,
      "terms-contradictory",
      "requirements/0",
    ],
    [
      "an escrow can be paid for a URL",
      () => ({ payment: "escrow", delivery: "content-or-url" }),
      422,
      "terms-contradictory",
      "delivery",
    ],
    [
      "an escrow holds less than 0.50 USDC",
      () => ({ payment: "escrow", delivery: "content", valueMicro: "499999" }),
      422,
      "terms-contradictory",
      "payment",
    ],
    [
      "they have criteria and no model is configured",
      () => ({ criteria: ["Is it kind?"] }),
      422,
      "no-model",
      "criteria",
    ],
  ])("if %s", async (_, changes, status, code, field) => {
    const pointer = `#/terms/${field}`;
    await expectRefused(() => propose(requester, terms(changes())), { status, code, pointer });
  });

  test.each<[name: string, changes: () => object, field: string]>([
    ["are for another chain", () => ({ chainId: 8453 }), "chainId"],
    ["end in the past", () => ({ deliverBy: inSeconds(-10) }), "deliverBy"],
    ["end in less than two minutes", () => ({ deliverBy: inSeconds(118) }), "deliverBy"],
    ["end in more than a year", () => ({ deliverBy: inSeconds(366 * 86_400) }), "deliverBy"],
    ["end on no day", () => ({ deliverBy: "2027-02-30T12:00:00Z" }), "deliverBy"],
    ["end at no time", () => ({ deliverBy: "2027-01-01T24:00:00Z" }), "deliverBy"],
    ["end at a local time", () => ({ deliverBy: "2027-01-01T12:00:00+01:00" }), "deliverBy"],
    ["end within a second", () => ({ deliverBy: "2027-01-01T12:00:00.500Z" }), "deliverBy"],
    ["start within a second", () => ({ startBy: "2027-01-01T12:00:00.500Z" }), "startBy"],
    ["start in the past", () => ({ startBy: inSeconds(-1), deliverBy: later }), "startBy"],
    ["start after half-way", () => ({ startBy: inSeconds(2_400), deliverBy: later }), "startBy"],
    [
      "start in more than 7 days",
      () => ({ startBy: inSeconds(7 * 86_400 + 3_600), deliverBy: inSeconds(30 * 86_400) }),
      "startBy",
    ],
    [
      "have a digit that only looks like one",
      () => ({ contractor: contractor.wallet.replace(/[0-9](?=[^x]*$)/, "\uff11") }),
      "contractor",
    ],
    [
      "have a letter that only looks like one",
      () => ({ contractor: contractor.wallet.replace("0x", "0\u0445") }),
      "contractor",
    ],
    [
      "have an invisible character",
      () => ({ contractor: `${contractor.wallet}\u200b` }),
      "contractor",
    ],
    ["have an unknown field", () => ({ bonus: 1 }), "bonus"],
    [
      "have an unknown parameter",
      () => ({ requirements: [{ check: "word-count", max: 3, maximum: 4 }] }),
      "requirements/0/maximum",
    ],
  ])("if they %s", async (_, changes, field) => {
    const body = { terms: { ...terms(), ...changes() }, signature: `0x${"1b".repeat(65)}` };
    await expectRefused(() => post(requester, body), { ...INVALID, pointer: `#/terms/${field}` });
  });

  test("with an escrow and criteria, unless two models are configured", async () => {
    const proposed = { payment: "escrow", delivery: "content", criteria: ["It is kind."] } as const;
    for (const [judgeModel, escalationModel, expected] of [
      ["small", undefined, 422],
      ["small", "small", 422],
      ["small", "large", 201],
    ] as const) {
      const shared = await startTestService({
        sharedWith: service,
        env: {
          OPENAI_BASE_URL: "http://127.0.0.1:9",
          JUDGE_MODEL: judgeModel,
          ...(escalationModel ? { JUDGE_ESCALATION_MODEL: escalationModel } : {}),
        },
      });
      const agreed = terms({ ...proposed, criteria: [...proposed.criteria] });
      const { status, body } = await shared.call("POST", "/agreements", {
        key: requester.apiKey,
        body: { terms: agreed, signature: await signTerms(chain(), requester.account, agreed) },
      });
      await shared.close();
      expect([status, body.code]).toEqual([expected, expected === 422 ? "no-model" : undefined]);
    }
  });

  test("if an address is not in EIP-55 form, with that form as the suggestion", async () => {
    const proposed = terms({ contractor: contractor.wallet.toLowerCase() });
    const signature = await signTerms(chain(), requester.account, proposed);
    const { errors } = await expectRefused(() => post(requester, { terms: proposed, signature }), {
      ...INVALID,
      pointer: "#/terms/contractor",
    });
    expect(errors[0].suggestion).toBe(contractor.wallet);
  });

  test("if a requirement names an unknown check, with the nearest ones and where all are listed", async () => {
    const requirements = [{ check: "yaml" }, { check: "wordcount", max: 3 }];
    const { errors } = await expectRefused(
      () => post(requester, { terms: { ...terms(), requirements }, signature: "0x00" }),
      { ...INVALID, pointer: "#/terms/requirements/1/check" },
    );
    expect(errors).toEqual([
      {
        pointer: "#/terms/requirements/1/check",
        detail: "is no check that `GET /requirements` lists. Did you mean `word-count`?",
        code: "invalid-value",
        suggestion: "word-count",
      },
    ]);
  });

  test("if they are larger than 32 KiB as canonical JSON", async () => {
    const withPhrases = (characters: number) =>
      terms({
        requirements: Array.from({ length: 20 }, () => ({
          check: "contains" as const,
          phrases: Array.from({ length: 4 }, () => "é".repeat(characters)),
        })),
      });
    const body = await expectRefused(() => propose(requester, withPhrases(250)), {
      ...INVALID,
      pointer: "#/terms",
    });
    expect(body.detail).toContain(String(MAX_TERMS_BYTES));
    expect((await propose(requester, withPhrases(150))).status).toBe(201);
  });

  test.each([
    ["a NUL character", { const: "a\0b" }],
    ["a name with a NUL character", { properties: { "a\0b": {} } }],
    ["an unpaired surrogate", { const: "\ud800" }],
    ["a number that is not finite", '{"const":1e999}'],
    ["40 levels", `${'{"not":'.repeat(40)}{}${"}".repeat(40)}`],
    ["10,000 levels", `${'{"not":'.repeat(10_000)}{}${"}".repeat(10_000)}`],
  ])("if a JSON Schema has %s", async (_, schema) => {
    const json = typeof schema === "string" ? schema : JSON.stringify(schema);
    const sent = JSON.stringify({ terms: terms(), signature: "0x00" }).replace(
      /"requirements":\[.*?\]\}?\]/,
      `"requirements":[{"check":"json","schema":${json}}]`,
    );
    const { status, body } = await post(requester, sent);
    expect([status, body.code]).toEqual([400, "invalid-request"]);
    expect(body.errors[0].pointer).toMatch(/^#(\/terms\/requirements\/0\/schema.*)?$/);
    expect(body.detail).toMatch(/NUL|Unicode|number|levels/);
  });

  test.each<[string, object, string]>([
    [
      "a pattern of 100,000 characters",
      { check: "matches", pattern: "a".repeat(100_000) },
      "pattern",
    ],
    ["an invalid pattern", { check: "matches", pattern: "(" }, "pattern"],
    ["a schema whose reference never ends", NEVER_ENDS, "schema"],
    [
      "a schema of another document",
      { check: "json", schema: { $ref: "https://a.example" } },
      "schema",
    ],
  ])("if a requirement has %s", async (_, requirement, field) => {
    const proposed = { ...terms(), requirements: [requirement] } as Terms;
    const { status, body } = await post(requester, {
      terms: proposed,
      signature: await signTerms(chain(), requester.account, proposed),
    });
    expect([status, body.code]).toEqual([400, "invalid-request"]);
    expect(body.errors[0].pointer).toMatch(new RegExp(`^#/terms/requirements/0/${field}`));
    expect(body.errors[0].detail).not.toBe("");
  });
});

describe("open proposals of two wallets", () => {
  /** Proposes without the limit per minute. */
  async function proposeDirectly(signer: TestAgent) {
    const proposed = terms();
    const { context } = createTestContext(service.runtime.core);
    const agent = { ...signer, name: "", walletVerified: true, keyId: null, sessionId: null };
    const signature = await signTerms(chain(), signer.account, proposed);
    return proposeAgreement(context, decideOffline, agent, { terms: proposed, signature }).then(
      () => "stored",
      ({ code }) => code,
    );
  }

  test("are at most 20, in both directions together and however many are made at once", async () => {
    const results = await Promise.all(
      Array.from({ length: 24 }, (_, i) => proposeDirectly(i % 2 ? requester : contractor)),
    );
    expect(results.filter((result) => result === "stored")).toHaveLength(20);
    expect(results.filter((result) => result === "too-many-proposals")).toHaveLength(4);
    // Of another pair, there is room.
    const other = await service.agent({ proven: true });
    expect(
      (await propose(other, buildTerms(chain(), { requester: other, contractor }))).status,
    ).toBe(201);
  });

  test("are counted in turn: of two at once, only one becomes the twentieth", async () => {
    await Promise.all(Array.from({ length: 19 }, () => proposeDirectly(requester)));
    const { db } = service.database;
    const sent: Promise<string>[] = [];
    await db.sql.begin(async (tx) => {
      // Keeps proposals from being inserted, not from being counted.
      await tx`lock table agreements in share mode`;
      sent.push(proposeDirectly(requester), proposeDirectly(contractor));
      await waitFor(async () => (await countWaiting(db)) > 1);
    });
    expect((await Promise.all(sent)).sort()).toEqual(["stored", "too-many-proposals"]);
  });

  test("do not count once they have expired", async () => {
    await Promise.all(Array.from({ length: 20 }, () => proposeDirectly(requester)));
    expect(await proposeDirectly(requester)).toBe("too-many-proposals");
    await service.database.db.update(agreements).set({ startBy: new Date(Date.now() - 1_000) });
    expect(await proposeDirectly(requester)).toBe("stored");
  });
});

test("proposals of a wallet are limited per minute", async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => propose(requester)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
});
