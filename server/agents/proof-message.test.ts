import fc from "fast-check";
import { createSiweMessage } from "viem/siwe";
import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "@/server/lib/time";
import { parseProofMessage } from "./proof-message";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const NOW = Date.UTC(2026, 10, 21, 12);
const TERMS = {
  domain: "localhost:3000",
  uri: "http://localhost:3000",
  chainId: 31_337,
  statement: "Register this wallet.",
};
const NONCE = "0123456789abcdef0123456789abcdef";

type Fields = Partial<Parameters<typeof createSiweMessage>[0]>;

function message(fields: Fields = {}): string {
  const { domain, uri, chainId, statement } = TERMS;
  const issuedAt = new Date(NOW);
  const usual = { domain, uri, chainId, statement, issuedAt, nonce: NONCE, version: "1" } as const;
  return createSiweMessage({ address: WALLET, ...usual, ...fields });
}

const read = (text: string) => parseProofMessage(text, WALLET, TERMS, NOW);
const refusal = (reason: string) =>
  expect.objectContaining({
    code: "wallet-proof-invalid",
    detail: expect.stringContaining(reason),
  });

const later = (ms: number) => new Date(NOW + ms);

describe("parseProofMessage", () => {
  it.each<[string, Fields]>([
    ["with the required fields only", {}],
    ["with a scheme", { scheme: "http" }],
    ["with a trailing slash", { uri: "http://localhost:3000/" }],
    [
      "with every optional field",
      {
        expirationTime: later(1),
        notBefore: later(0),
        requestId: "any",
        resources: ["https://example.com/a", "https://example.com/b"],
      },
    ],
    ["from a clock that is a little ahead", { issuedAt: later(MINUTE_MS) }],
    ["from a clock that is behind", { issuedAt: later(-600_000) }],
  ])("accepts a message %s", (_, fields) => {
    expect(read(message(fields))).toBe(NONCE);
  });

  it("accepts an address in lower case and times without milliseconds", () => {
    const text = message().replace(WALLET, WALLET.toLowerCase()).replace(".000Z", "+00:00");
    expect(read(text)).toBe(NONCE);
  });

  it.each<[string, Fields, string]>([
    ["another wallet", { address: "0x8617E340B3D01FA5F11F306F4090FD50E238070D" }, "is for 0x8617"],
    ["another domain", { domain: "example.com" }, "domain is example.com"],
    ["another port", { domain: "localhost:3001" }, "domain is localhost:3001"],
    ["a domain that ends in ours", { domain: "evil.localhost.com" }, "domain"],
    ["another scheme", { scheme: "https" }, "domain is https://localhost:3000"],
    ["another URI", { uri: "http://localhost:3000/login" }, "URI"],
    ["another chain", { chainId: 8453 }, "chain id is 8453"],
    ["another statement", { statement: "Sign in." }, "statement must be: Register this wallet."],
    ["no statement", { statement: undefined }, "statement"],
    ["a time in the future", { issuedAt: later(60_001) }, "future"],
    ["an expiry that is now", { expirationTime: later(0) }, "expired"],
    ["a start in the future", { notBefore: later(1) }, "not valid yet"],
  ])("refuses %s", (_, fields, reason) => {
    expect(() => read(message(fields))).toThrow(refusal(reason));
  });

  it.each([
    ["another version", /Version: 1/, "Version: 2", "version"],
    ["an invalid issue time", /Issued At: .*/, "Issued At: yesterday", "RFC 3339"],
    ["a local time", /Issued At: .*/, "Issued At: 2026-11-21T12:00:00", "RFC 3339"],
    ["no nonce", /Nonce: .*\n/, "", "required fields"],
    ["no address", /0x.*/, "0x1", "required fields"],
    ["an invalid expiry", /$/, "\nExpiration Time: never", "Expiration Time"],
    ["an invalid start", /$/, "\nNot Before: soon", "Not Before"],
    ["lines after the end", /$/, "\nand more", "not part of ERC-4361"],
    ["lines in between", /\n\nURI/, "\n\nWe also ask for:\nURI", "not part of ERC-4361"],
    [
      "fields in another order",
      /$/,
      "\nRequest ID: a\nNot Before: 2026-11-21T11:00:00Z",
      "wrong order",
    ],
    ["text before the domain", /^/, "evil.com asks: ", "required fields"],
  ])("refuses %s", (_, find, put, reason) => {
    expect(() => read(message().replace(find, put))).toThrow(refusal(reason));
  });

  it("returns the nonce or throws that error, whatever it is given", () => {
    const line = fc.constantFrom(...message().split("\n"), "", "URI: ", "Nonce: 1", "\0", "é");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), fc.string(), (lines, rest) => {
        try {
          expect(read(lines.join("\n") + rest)).toBe(NONCE);
        } catch (error) {
          expect(error).toEqual(refusal(""));
        }
      }),
    );
  });
});
