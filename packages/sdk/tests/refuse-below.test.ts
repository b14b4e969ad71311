import { createClient, type RefusalOptions, refuseBelow } from "@standing/sdk";
import { privateKeyToAccount } from "viem/accounts";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { buildDomain, toTypedData } from "@/server/reputation/statement/typed-data";

const SIGNER = privateKeyToAccount(`0x${"11".repeat(32)}`);
const GATE = "0x52908400098527886E0F7030069857D2E4169EE7";
const WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const OTHER = "0xde709f2102306220921060314715629080e2fb77";
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const NETWORK = {
  chainId: 8453,
  chainName: "Base",
  usdcAddress: USDC,
  statements: { gateAddress: GATE, signer: SIGNER.address, validSeconds: 86_400 },
};
const REQUIRED = { network: "eip155:8453", asset: USDC, amount: "2000000", payTo: WALLET };

/** What the service does; tests change it. */
let service: {
  network: object | null;
  score: number;
  tier: number;
  signer: typeof SIGNER;
  agreements?: () => Response;
};
/** Paths of the requests so far. */
let requests: string[];
beforeEach(() => {
  service = { network: NETWORK, score: 76.21, tier: 2, signer: SIGNER };
  requests = [];
});

async function sign(wallet: string) {
  const seconds = Math.floor(Date.now() / 1_000);
  const message = {
    wallet,
    scoreCenti: Math.round(service.score * 100),
    tier: service.tier,
    outcomes: 12,
    policy: `0x${"aa".repeat(32)}`,
    seq: 40,
    head: `0x${"bb".repeat(32)}`,
    issuedAt: seconds,
    expiresAt: seconds + 3_600,
  };
  const domain = buildDomain(8453, GATE);
  const signature = await service.signer.signTypedData(toTypedData(domain, message));
  return { domain, message, signature, signer: service.signer.address };
}

const client = createClient({
  url: "http://standing.test",
  fetch: async (input) => {
    const { pathname, search } = new URL((input as Request).url);
    requests.push(pathname + search);
    if (pathname.endsWith("/agreements")) return service.agreements?.() ?? Response.error();
    if (!service.network) return Response.json({ code: "internal-error" }, { status: 500 });
    if (pathname.endsWith("/network")) return Response.json(service.network);
    return Response.json(await sign(pathname.split("/")[4] ?? ""));
  },
});

/** Returns the buyer's reason to refuse; undefined if it pays. */
const refuse = async (options: RefusalOptions, change: object = {}) => {
  const selectedRequirements = { ...REQUIRED, ...change };
  return (await refuseBelow(client, options).buyer({ selectedRequirements }))?.reason;
};

describe("a payment", () => {
  test.each<[RefusalOptions]>([
    [{ tier: "TRUSTED" }],
    [{ tier: "UNRANKED" }],
    [{ score: 76.21 }],
    [{ score: 0 }],
    [{ score: 50, maxAtStake: 2 }],
  ])("continues if the wallet has %j", async (options) => {
    expect(await refuse(options)).toBeUndefined();
    expect(await refuse({ ...options, onError: "allow" })).toBeUndefined();
  });

  test.each<[RefusalOptions, string]>([
    [{ tier: "VERIFIED" }, "is TRUSTED with a score of 76.21, below VERIFIED."],
    [{ score: 76.22 }, "is TRUSTED with a score of 76.21, below 76.22."],
    [{ score: 50, maxAtStake: 1.999_999 }, "not known to be at most 1.999999 USDC."],
  ])("is refused if %j is asked for", async (options, reason) => {
    expect(await refuse(options)).toContain(reason);
    expect(await refuse({ ...options, onError: "allow" })).toContain(reason);
  });

  test.each([
    ["another network", { network: "eip155:137" }, "Only wallets on Base have a score."],
    ["a v1 network", { network: "base" }, "Only wallets on Base have a score."],
    ["no EVM wallet", { payTo: "11111111111111111111111111111111" }, "no wallet"],
    ["another currency", { asset: OTHER }, "not known to be at most 5 USDC"],
    ["an amount that is no integer", { amount: "1.5" }, "not known to be at most 5 USDC"],
    ["no amount", { amount: undefined }, "not known to be at most 5 USDC"],
  ])("to %s is refused even by `allow`: the other party chose it", async (_, change, reason) => {
    const options = { score: 0, maxAtStake: 5, onError: "allow" } as const;
    expect(await refuse(options, change)).toContain(reason);
  });

  test.each<[string, () => void]>([
    ["the service fails", () => (service.network = null)],
    ["the service signs no statements", () => (service.network = { ...NETWORK, statements: null })],
    [
      "another account signed",
      () => (service.signer = privateKeyToAccount(`0x${"22".repeat(32)}`)),
    ],
  ])("is refused, or allowed if asked for, while %s", async (_, fail) => {
    fail();
    expect(await refuse({ score: 50 })).toContain("is not available now");
    expect(await refuse({ score: 50, onError: "allow" })).toBeUndefined();
  });

  test("is refused if even the currency can't be looked up to limit it", async () => {
    service.network = null;
    const options = { score: 50, maxAtStake: 5, onError: "allow" } as const;
    expect(await refuse(options)).toContain("not known to be at most 5 USDC");
  });
});

const respond = (code: string, status: number) =>
  Response.json({ type: "about:blank", title: code, status, code }, { status });

describe("the seller's hook", () => {
  const check = (result: { isValid: boolean; payer?: string }) =>
    refuseBelow(client, { tier: "ELITE" }).seller({ requirements: REQUIRED, result });

  test("checks the payer that the facilitator found", async () => {
    const refusal = await check({ isValid: true, payer: OTHER });
    expect(refusal).toEqual({
      abort: true,
      reason: expect.stringContaining(`${OTHER} is TRUSTED`),
    });
  });

  test("refuses a payment that an agreement of the seller has, unless it has no key", async () => {
    const payload = { authorization: { nonce: `0x${"AB".repeat(32)}` } };
    const sell = (onError?: "allow") =>
      refuseBelow(client, { score: 50, ...(onError && { onError }) }).seller({
        paymentPayload: { payload },
        requirements: REQUIRED,
        result: { isValid: true, payer: OTHER },
      });
    service.agreements = () => Response.json({ content: [{ agreementId: "a1" }] });
    expect((await sell("allow"))?.reason).toContain("agreement a1");
    service.agreements = () => Response.json({ content: [] });
    expect(await sell()).toBeUndefined();
    service.agreements = () => respond("unauthenticated", 401);
    expect(await sell()).toBeUndefined();
    service.agreements = () => respond("internal-error", 500);
    expect((await sell())?.reason).toContain("not available now");
    expect(await sell("allow")).toBeUndefined();
    expect(requests).toContain(`/api/v1/agreements?digest=0x${"ab".repeat(32)}&limit=1`);
  });

  test("refuses a payment without a payer", async () => {
    expect(await check({ isValid: true })).toMatchObject({ abort: true });
  });

  test("leaves an invalid payment to x402", async () => {
    expect(await check({ isValid: false })).toBeUndefined();
    expect(requests).toEqual([]);
  });
});

describe("a statement", () => {
  const pay = (hooks: ReturnType<typeof refuseBelow>, payTo = WALLET) =>
    hooks.buyer({ selectedRequirements: { ...REQUIRED, payTo } });

  test("is read once for concurrent payments, in any letter case, until it expires", async () => {
    const now = vi.spyOn(Date, "now");
    const start = Date.now();
    const hooks = refuseBelow(client, { tier: "TRUSTED" });
    await Promise.all([pay(hooks), pay(hooks, WALLET.toLowerCase())]);
    service.tier = 0;
    now.mockReturnValue(start + 3_590_000);
    expect(await pay(hooks)).toBeUndefined();
    expect(requests).toHaveLength(2);

    now.mockReturnValue(start + 3_601_000);
    expect(await pay(hooks)).toMatchObject({ abort: true });
    expect(requests).toHaveLength(4);
  });

  test("that was not available is read again", async () => {
    const hooks = refuseBelow(client, { tier: "TRUSTED" });
    service.network = null;
    expect(await pay(hooks)).toMatchObject({ abort: true });
    service.network = NETWORK;
    expect(await pay(hooks)).toBeUndefined();
  });

  test("of one wallet is not taken for another's", async () => {
    const hooks = refuseBelow(client, { tier: "TRUSTED" });
    expect(await pay(hooks)).toBeUndefined();
    service.tier = 0;
    expect(await pay(hooks, OTHER)).toMatchObject({ abort: true });
  });
});

test.each([
  {},
  { tier: "trusted" },
  { tier: "ELITE", score: 1 },
  { score: 101 },
  { score: Number.NaN },
])("the limit %j is a mistake of the program", (options) => {
  expect(() => refuseBelow(client, options as never)).toThrow(TypeError);
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY])("so is maxAtStake %d", (maxAtStake) => {
  expect(() => refuseBelow(client, { score: 1, maxAtStake })).toThrow(TypeError);
});
