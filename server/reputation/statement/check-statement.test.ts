import { readFileSync } from "node:fs";
import fc from "fast-check";
import { privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { POLICY } from "@/server/reputation/policy";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { compareStatements, findFaults } from "./check-statement";
import { EXAMPLE_STATEMENT } from "./router";
import { type ScoreStatement, type SignedStatement, signedStatement } from "./schema";
import { buildDomain, POLICY_HASH, toTypedData } from "./typed-data";

const account = privateKeyToAccount(`0x${"55".repeat(32)}`);
const DOMAIN = buildDomain(31_337, "0x52908400098527886E0F7030069857D2E4169EE7");
const NOW = Date.parse("2026-11-21T12:00:00Z") / 1000;

async function sign(change: Partial<ScoreStatement> = {}): Promise<SignedStatement> {
  const message = {
    wallet: createWallet(1),
    scoreCenti: 7_621,
    tier: 2,
    outcomes: 12,
    policy: POLICY_HASH,
    seq: 15,
    head: `0x${"ab".repeat(32)}`,
    issuedAt: NOW,
    expiresAt: NOW + 60,
    ...change,
  };
  const { types, primaryType } = toTypedData(DOMAIN, message);
  return {
    domain: DOMAIN,
    types: { ScoreStatement: [...types.ScoreStatement] },
    primaryType,
    message,
    signature: await account.signTypedData(toTypedData(DOMAIN, message)),
    signer: account.address,
  };
}

test("a statement is valid from its issue until its expiry", async () => {
  const signed = await sign();
  expect(await findFaults(signed, NOW)).toEqual([]);
  expect(await findFaults(signed, NOW + 59)).toEqual([]);
  expect(await findFaults(signed, NOW + 60)).toEqual(["It expired at 2026-11-21T12:01:00.000Z."]);
});

test("a signature belongs to its fields, its domain and its signer", async () => {
  const signed = await sign();
  const other = createWallet(2);
  const changes: Partial<SignedStatement>[] = [
    { signer: other },
    { signature: `0x${"00".repeat(65)}` },
    { domain: { ...DOMAIN, chainId: 1 } },
    { domain: { ...DOMAIN, verifyingContract: other } },
    { message: { ...signed.message, wallet: other } },
    { message: { ...signed.message, seq: 16 } },
  ];
  for (const change of changes) {
    const faults = await findFaults({ ...signed, ...change }, NOW);
    expect(faults).toEqual([expect.stringMatching(/^The signature is not that of 0x/)]);
  }
});

test.each([
  [{ tier: 3 }, /^Tier 3 is not that of 76.21 points and 12 outcomes\.$/],
  [{ tier: 0, scoreCenti: 0 }, /^Tier 0 is not that of 0 points and 12 outcomes\.$/],
  [{ expiresAt: NOW, issuedAt: NOW + 1 }, /^It expires before it was issued\.$/],
  [{ policy: `0x${"12".repeat(32)}`, tier: 4 }, /^Its policy 0x12.* is not that of qc-4, 0x/],
])("a signed contradiction is a fault: %j", async (change, fault) => {
  const [first] = await findFaults(await sign(change), NOW - 10);
  expect(first).toMatch(fault);
});

test("a comparison finds every field that the ledger decides, and no other", async () => {
  const { message } = await sign();
  const fields = { scoreCenti: 1, tier: 1, outcomes: 1, head: `0x${"cd".repeat(32)}` };
  fc.assert(
    fc.property(fc.subarray(Object.entries(fields)), (changes) => {
      const faults = compareStatements(message, { ...message, ...Object.fromEntries(changes) });
      expect(faults.map((fault) => fault.split(" ")[0])).toEqual(changes.map(([field]) => field));
    }),
  );
});

test("the documented example is a valid statement", async () => {
  expect(signedStatement.parse(EXAMPLE_STATEMENT)).toEqual(EXAMPLE_STATEMENT);
  const { domain, message, signature } = EXAMPLE_STATEMENT;
  expect(signature).toBe(await account.signTypedData(toTypedData(domain, message)));
  expect(await findFaults(EXAMPLE_STATEMENT, message.issuedAt)).toEqual([]);
});

test("docs/chain.md names the hash of the policy", () => {
  const text = readFileSync("docs/chain.md", "utf8");
  expect(text).toContain(`For \`${POLICY.name}\`: \`${POLICY_HASH}\``);
});
