import fc from "fast-check";
import { hashTypedData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { summarize } from "@/packages/sdk/src/summarize";
import { sha256 } from "@/server/lib/hash";
import { toChecksumAddress } from "@/server/lib/wallet";
import { AGREEMENT_EXAMPLE, TERMS_EXAMPLE } from "./agreement-example";
import { canonicalizeTerms, hashAgreement, hashTerms } from "./hash-terms";
import { type Terms, termsSchema } from "./schema";

const REGISTRY = "0x27b1fdb04752bbc536007a920d24acb045561c26";

const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((b) => Buffer.from(b).toString("hex"));
const address = hex(20).map((digits) => toChecksumAddress(`0x${digits}`));
const text = fc.string({ minLength: 1, maxLength: 30, unit: "grapheme" }).filter((value) => {
  return value === value.trim() && !value.includes("\0");
});
const seconds = fc.integer({ min: 1_700_000_000, max: 4_000_000_000 });

const toWholeSeconds = (s: number) => new Date(s * 1000).toISOString().replace(".000Z", "Z");

/** Terms of any content that their schema allows. */
const anyTerms: fc.Arbitrary<Terms> = fc.record(
  {
    version: fc.constant(2 as const),
    chainId: fc.integer({ min: 1, max: 2 ** 31 }),
    requester: address,
    contractor: address,
    title: text,
    task: text,
    category: fc.constantFrom("ops" as const, "research" as const),
    valueMicro: fc.bigInt({ min: 0n, max: 10n ** 15n }).map(String),
    payment: fc.constantFrom("upfront" as const, "escrow" as const, "on-delivery" as const),
    startBy: seconds.map(toWholeSeconds),
    deliverBy: seconds.map(toWholeSeconds),
    delivery: fc.constantFrom("content" as const, "content-or-url" as const),
    requirements: fc.array(
      fc.oneof(
        fc.record({ check: fc.constant("word-count" as const), max: fc.nat(1000) }),
        fc.record({ check: fc.constant("contains" as const), phrases: fc.tuple(text) }),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    criteria: fc.array(text, { maxLength: 3 }),
    nonce: hex(32).map((digits) => `0x${digits}`),
  },
  { requiredKeys: Object.keys(TERMS_EXAMPLE) as (keyof Terms)[] },
);

const digestOf = (terms: Terms, registry = REGISTRY) =>
  hashAgreement(registry, terms, hashTerms(terms));

/** Returns the same JSON with the members of every object in another order. */
function reorder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reorder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reorder(member)] as const);
  return Object.fromEntries(members.reverse());
}

describe("the hash of terms", () => {
  test("depends on every field, and so does the digest that wallets sign", () => {
    fc.assert(
      fc.property(anyTerms, anyTerms, (terms, others) => {
        expect(termsSchema.parse(terms)).toEqual(terms);
        for (const field of Object.keys(terms) as (keyof Terms)[]) {
          const changed = { ...terms, [field]: others[field] };
          const isSame = JSON.stringify(changed[field]) === JSON.stringify(terms[field]);
          expect(hashTerms(changed) === hashTerms(terms)).toBe(isSame);
          expect(digestOf(changed) === digestOf(terms)).toBe(isSame);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("does not depend on the order of members, or on storage as JSON", () => {
    fc.assert(
      fc.property(anyTerms, (terms) => {
        const stored = JSON.parse(JSON.stringify(reorder(terms))) as Terms;
        expect(hashTerms(stored)).toBe(hashTerms(terms));
      }),
    );
  });

  test("is the SHA-256 of canonical JSON (RFC 8785): sorted names, no white space, UTF-8", () => {
    const terms = { ...TERMS_EXAMPLE, task: "日本 € 𝔘", title: undefined } as unknown as Terms;
    const json = canonicalizeTerms(terms);
    expect(json).toMatch(/^\{"category":"ops","chainId":8453,"contractor":"0x.*"version":2\}$/);
    expect(json).toContain('"task":"日本 € 𝔘"');
    expect(hashTerms(terms)).toBe(sha256(Buffer.from(json, "utf8")));
  });
});

describe("the digest", () => {
  test("is that of the documented EIP-712 type", () => {
    const { requester, contractor, valueMicro } = TERMS_EXAMPLE;
    const termsHash = hashTerms(TERMS_EXAMPLE);
    const expected = hashTypedData({
      domain: { name: "Standing", version: "2", chainId: 8453, verifyingContract: REGISTRY },
      types: {
        Agreement: [
          { name: "requester", type: "address" },
          { name: "contractor", type: "address" },
          { name: "valueMicro", type: "uint64" },
          { name: "startBy", type: "uint64" },
          { name: "deliverBy", type: "uint64" },
          { name: "summary", type: "string" },
          { name: "termsHash", type: "bytes32" },
        ],
      },
      primaryType: "Agreement",
      message: {
        requester: requester as `0x${string}`,
        contractor: contractor as `0x${string}`,
        valueMicro: BigInt(valueMicro),
        startBy: BigInt(Date.parse(TERMS_EXAMPLE.startBy) / 1000),
        deliverBy: BigInt(Date.parse(TERMS_EXAMPLE.deliverBy) / 1000),
        summary:
          "12.5 USDC upfront. Start by 2026-11-24T10:00:00Z. Deliver by 2026-12-01T12:00:00Z. 0 criteria. Checks: word-count, sections.",
        termsHash,
      },
    });
    expect(digestOf(TERMS_EXAMPLE)).toBe(expected);
  });

  test("differs for another registry", () => {
    const other = privateKeyToAccount(`0x${"1".repeat(64)}`).address;
    expect(digestOf(TERMS_EXAMPLE, other)).not.toBe(digestOf(TERMS_EXAMPLE));
  });
});

test("the summary has amount, times and checks in the terms' order", () => {
  const terms = {
    ...TERMS_EXAMPLE,
    valueMicro: "100000000",
    startBy: "2026-11-27T10:00:00.000Z",
    deliverBy: "2026-11-28T10:00:00Z",
    criteria: ["It is polite.", "It names the cause."],
    requirements: [
      { check: "word-count" as const, max: 9 },
      { check: "contains" as const, phrases: ["a"] },
    ],
  };
  expect(summarize(terms)).toBe(
    "100 USDC upfront. Start by 2026-11-27T10:00:00Z. Deliver by 2026-11-28T10:00:00Z. 2 criteria. Checks: word-count, contains.",
  );
  const change = { valueMicro: "0", payment: "on-delivery" as const, criteria: ["It is polite."] };
  expect(summarize({ ...terms, ...change })).toMatch(/^0 USDC on delivery\. .* 1 criterion\. /);
  const small = { valueMicro: "1500", payment: "escrow" as const };
  expect(summarize({ ...terms, ...small })).toMatch(/^0\.0015 USDC in escrow\. /);
});

test("the documented example has the hash and deadline of its terms", () => {
  expect(AGREEMENT_EXAMPLE.termsHash).toBe(hashTerms(TERMS_EXAMPLE));
  expect(AGREEMENT_EXAMPLE.typedData.message).toMatchObject({
    termsHash: AGREEMENT_EXAMPLE.termsHash,
    deliverBy: String(Date.parse(TERMS_EXAMPLE.deliverBy) / 1000),
  });
});
