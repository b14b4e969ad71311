import { agreements, type StandingClient } from "@standing/sdk";
import canonicalize from "canonicalize";
import fc from "fast-check";
import { hashTypedData, recoverTypedDataAddress, sha256, stringToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test, vi } from "vitest";
import { toTermsTypedData } from "@/server/agreements/hash-terms";
import { termsSchema } from "@/server/agreements/schema";
import { toUnixSeconds } from "@/server/agreements/typed-data";

const REQUESTER = privateKeyToAccount(`0x${"11".repeat(32)}`);
const CONTRACTOR = privateKeyToAccount(`0x${"22".repeat(32)}`);
const REGISTRY = "0x27b1fdb04752bbc536007a920d24acb045561c26";
const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const NETWORK = {
  chainId: 8453,
  registryAddress: REGISTRY,
  usdc: { address: USDC, name: "USDC", version: "2", decimals: 6 },
};

const JOB: agreements.AgreementJob = {
  requester: REQUESTER.address,
  contractor: CONTRACTOR.address,
  task: "Summarise the incident report in at most 200 words.",
  category: "ops",
  valueUsdc: 12.5,
  payment: "upfront",
  deliverBy: "2026-12-01T12:00:00.000Z",
  requirements: [{ check: "word-count", max: 200 }],
};

/** Returns a client of a service that keeps what is posted to it. */
function createFakeService(recommendation = { action: "hire", summary: "Hire up to 50 USDC." }) {
  const posted: { path: string; body: Record<string, unknown> }[] = [];
  const client = {
    get: async (path: string) => (path === "/network" ? NETWORK : { recommendation }),
    post: async (path: string, { body }: { body: Record<string, unknown> }) => {
      posted.push({ path, body });
      return {};
    },
  } as unknown as StandingClient;
  return { client, posted };
}

const hash = (terms: object) => sha256(stringToBytes(canonicalize(terms) ?? ""));

/** Returns a proposed agreement as the service shows it. */
async function proposed() {
  const { client } = createFakeService();
  const { terms, termsHash } = await agreements.draft(client, JOB);
  const signatures = { requester: null, contractor: "0x1b" };
  const state = { status: "PROPOSED", signatures, paidAt: null, cancellationRequestedBy: null };
  return { agreementId: "a", terms, termsHash, ...state } as agreements.Agreement;
}

describe("a draft", () => {
  test("has the terms that the service accepts, and the typed data that it checks", async () => {
    const { client } = createFakeService();
    const { requester, contractor } = JOB;
    const { terms, termsHash, typedData } = await agreements.draft(client, {
      ...JOB,
      requester: requester.toLowerCase(),
      contractor: contractor.toLowerCase(),
    });
    expect(termsSchema.parse(terms)).toEqual(terms);
    expect(terms).toMatchObject({
      requester,
      contractor,
      valueMicro: "12500000",
      deliverBy: "2026-12-01T12:00:00Z",
      delivery: "content",
      criteria: [],
    });
    expect(typedData).toEqual(toTermsTypedData(REGISTRY, terms, termsHash));
  });

  test("hashes whatever the terms contain as RFC 8785 does", async () => {
    const { client } = createFakeService();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), fc.jsonValue(), async (task, schema) => {
        const requirements = [{ check: "json", schema } as never];
        const { terms, termsHash } = await agreements.draft(client, { ...JOB, task, requirements });
        expect(termsHash).toBe(hash(terms));
      }),
      { numRuns: 40 },
    );
  });

  test("has another nonce each time", async () => {
    const { client } = createFakeService();
    const [one, other] = [await agreements.draft(client, JOB), await agreements.draft(client, JOB)];
    expect(one.terms.nonce).not.toBe(other.terms.nonce);
  });
});

test("upfront terms reserve their value of the contractor's limit until they start", async () => {
  const { client } = createFakeService();
  const { terms } = await agreements.draft(client, JOB);
  client.get = (async () => ({ limit: { limitUsdc: 200 } })) as never;
  expect(await agreements.readReservation(client, terms)).toEqual({
    reservedUsdc: 12.5,
    limitUsdc: 200,
    until: terms.startBy,
  });
  const later = { ...terms, payment: "on-delivery" as const };
  expect(await agreements.readReservation(client, later)).toMatchObject({ reservedUsdc: 0 });
});

/** Returns who signed the terms. */
function recoverSigner(terms: agreements.AgreementTerms, signature: unknown) {
  const typedData = toTermsTypedData(REGISTRY, terms, hash(terms));
  return recoverTypedDataAddress({ ...typedData, signature } as never);
}

test("a proposal carries the signature of exactly its terms", async () => {
  const { client, posted } = createFakeService();
  await agreements.propose(client, REQUESTER, JOB);
  const { terms, signature } = posted[0]?.body ?? {};
  expect(await recoverSigner(terms as agreements.AgreementTerms, signature)).toBe(
    REQUESTER.address,
  );
});

describe("accepting", () => {
  test("signs the terms that were read", async () => {
    const { client, posted } = createFakeService();
    const agreement = await proposed();
    await agreements.accept(client, CONTRACTOR, agreement);
    const signer = await recoverSigner(agreement.terms, posted[0]?.body.signature);
    expect(signer).toBe(CONTRACTOR.address);
  });

  test("signs nothing if the service names the hash of other terms", async () => {
    const { client, posted } = createFakeService();
    const signer = { ...CONTRACTOR, signTypedData: vi.fn() };
    const agreement = await proposed();
    for (const change of [
      { task: "Summarise it in 10 words." },
      { valueMicro: "1" },
      { requirements: [] },
      { added: true },
    ]) {
      const changed = { ...agreement, terms: { ...agreement.terms, ...change } };
      for (const call of [agreements.accept, agreements.signPayment]) {
        await expect(call(client, signer, changed as never)).rejects.toThrow(
          agreements.AgreementError,
        );
      }
    }
    expect(signer.signTypedData).not.toHaveBeenCalled();
    expect(posted).toEqual([]);
  });
});

test("a signed payment is bound to one agreement, its amount and its deadline", async () => {
  const { client } = createFakeService();
  const agreement = await proposed();
  const { signature, ...message } = await agreements.signPayment(client, REQUESTER, agreement);
  const { terms, termsHash } = agreement;
  expect(message).toEqual({
    from: REQUESTER.address,
    to: CONTRACTOR.address,
    value: "12500000",
    validAfter: "0",
    validBefore: String(toUnixSeconds(terms.startBy)),
    nonce: hashTypedData(toTermsTypedData(REGISTRY, terms, termsHash) as never),
  });
  const address = (name: string) => ({ name, type: "address" });
  const number = (name: string) => ({ name, type: "uint256" });
  const signer = await recoverTypedDataAddress({
    domain: { name: "USDC", version: "2", chainId: 8453, verifyingContract: USDC },
    types: {
      TransferWithAuthorization: [
        address("from"),
        address("to"),
        number("value"),
        number("validAfter"),
        number("validBefore"),
        { name: "nonce", type: "bytes32" },
      ],
    },
    primaryType: "TransferWithAuthorization",
    message,
    signature,
  } as never);
  expect(signer).toBe(REQUESTER.address);
});

test("no payment is signed for terms that are not upfront, not in force, or not signed by the contractor", async () => {
  const { client } = createFakeService();
  const agreement = await proposed();
  const withPayment = (payment: "on-delivery" | "escrow", status: string) => {
    const terms = { ...agreement.terms, payment };
    return { status, terms, termsHash: hash(terms) };
  };
  const signer = { ...REQUESTER, signTypedData: vi.fn() };
  for (const change of [
    { signatures: { requester: "0x1b", contractor: null } },
    { status: "EXPIRED" },
    { status: "CANCELLED" },
    { paidAt: "2026-11-27T10:00:00.000Z" },
    { cancellationRequestedBy: "requester" },
    ...(["on-delivery", "escrow"] as const).flatMap((payment) =>
      ["AGREED", "DELIVERED"].map((status) => withPayment(payment, status)),
    ),
  ]) {
    const changed = { ...agreement, ...change } as agreements.Agreement;
    const error = await agreements.signPayment(client, signer, changed).catch((e) => e);
    expect(error).toBeInstanceOf(agreements.AgreementError);
    expect(error.message).toMatch(/^Don't pay/);
  }
  expect(signer.signTypedData).not.toHaveBeenCalled();
});

test("no payment is signed beyond the limit, unless at one's own risk", async () => {
  const summary = "Use escrow: its record covers 10 of the 12.5 USDC.";
  const { client } = createFakeService({ action: "use-escrow", summary });
  const get = vi.spyOn(client, "get");
  const agreement = await proposed();
  const signer = { ...REQUESTER, signTypedData: vi.fn(REQUESTER.signTypedData) };
  await expect(agreements.signPayment(client, signer, agreement)).rejects.toThrow(summary);
  expect(get).toHaveBeenCalledWith("/agents/{walletAddress}/check", {
    params: {
      path: { walletAddress: CONTRACTOR.address },
      query: { valueUsdc: 12.5, agreementId: agreement.agreementId },
    },
  });
  expect(signer.signTypedData).not.toHaveBeenCalled();
  await agreements.signPayment(client, signer, agreement, { atOwnRisk: true });
  expect(signer.signTypedData).toHaveBeenCalledOnce();
});

test("a refund is the payment in the other direction, with the same nonce", async () => {
  const { client } = createFakeService();
  const agreement = await proposed();
  const payment = await agreements.signPayment(client, REQUESTER, agreement);
  const paid = { ...agreement, paidAt: "2026-11-27T10:00:00.000Z" };
  const refund = await agreements.signRefund(client, CONTRACTOR, paid);
  const { from, to, value, nonce } = payment;
  expect(refund).toMatchObject({ from: to, to: from, value, nonce });
  const more = { valueMicro: "12600000" };
  expect((await agreements.signRefund(client, CONTRACTOR, paid, more)).value).toBe("12600000");
  // Either would use the nonce for good, and return nothing that counts.
  const less = { valueMicro: "12499999" };
  for (const [refused, options] of [
    [agreement, {}],
    [paid, less],
  ] as const) {
    const error = await agreements.signRefund(client, CONTRACTOR, refused, options).catch((e) => e);
    expect(error).toBeInstanceOf(agreements.AgreementError);
    expect(error.message).toMatch(/^Don't sign this refund/);
  }
});

test("no payment is signed for a USDC whose name or version is unknown, unless they are given", async () => {
  const { client } = createFakeService();
  const agreement = await proposed();
  const usdc = { ...NETWORK.usdc, version: null };
  const recommendation = { action: "hire" };
  client.get = (async () => ({ ...NETWORK, usdc, recommendation })) as never;
  await expect(agreements.signPayment(client, REQUESTER, agreement)).rejects.toThrow(
    agreements.AgreementError,
  );
  const domain = { name: "USD Coin", version: "2" };
  await agreements.signPayment(client, REQUESTER, agreement, { domain });
});
