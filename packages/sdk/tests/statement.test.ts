import {
  type SignedStatement,
  StatementError,
  type TrustedStatement,
  verifyStatement,
} from "@standing/sdk";
import { privateKeyToAccount } from "viem/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { buildDomain, toTypedData } from "@/server/reputation/statement/typed-data";

const ACCOUNT = privateKeyToAccount(`0x${"11".repeat(32)}`);
const GATE = "0x52908400098527886E0F7030069857D2E4169EE7";
const WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";
const TRUSTED = { chainId: 31_337, gateAddress: GATE, signer: ACCOUNT.address, wallet: WALLET };
const NOW = new Date("2026-11-22T12:00:00Z");
const SECONDS = NOW.getTime() / 1_000;

let signed: SignedStatement;
beforeAll(async () => {
  const domain = buildDomain(31_337, GATE);
  const message = {
    wallet: WALLET,
    scoreCenti: 7_621,
    tier: 2,
    outcomes: 12,
    policy: `0x${"aa".repeat(32)}`,
    seq: 40,
    head: `0x${"bb".repeat(32)}`,
    issuedAt: SECONDS - 60,
    expiresAt: SECONDS + 60,
  };
  const typedData = toTypedData(domain, message);
  const signature = await ACCOUNT.signTypedData(typedData);
  signed = {
    domain,
    types: { ScoreStatement: [...typedData.types.ScoreStatement] },
    primaryType: "ScoreStatement",
    message,
    signature,
    signer: ACCOUNT.address,
  };
});

const verify = (change: Partial<TrustedStatement> = {}, now = NOW, statement = signed) =>
  verifyStatement(statement, { ...TRUSTED, ...change }, now);

describe("a signed statement", () => {
  test("is genuine as the service signs it", async () => {
    expect(await verify()).toEqual(signed.message);
    expect(await verify({ wallet: WALLET.toLowerCase() })).toEqual(signed.message);
  });

  test("counts only for the chain, contract, signer and wallet that the reader trusts", async () => {
    for (const change of [{ chainId: 8453 }, { gateAddress: WALLET }, { signer: WALLET }]) {
      await expect(verify(change)).rejects.toThrow(StatementError);
    }
    await expect(verify({ wallet: GATE })).rejects.toThrow(`not ${GATE}`);
  });

  test("is worthless once any field was changed", async () => {
    for (const [field, value] of Object.entries(signed.message)) {
      if (field === "wallet") continue;
      const changed = typeof value === "number" ? value + 1 : value.replace(/..$/, "00");
      const message = { ...signed.message, [field]: changed };
      await expect(verify({}, NOW, { ...signed, message }), field).rejects.toThrow("not signed by");
    }
  });

  test("ends at its expiry", async () => {
    const end = SECONDS + 60;
    expect(await verify({}, new Date(end * 1_000 - 1))).toEqual(signed.message);
    await expect(verify({}, new Date(end * 1_000))).rejects.toThrow("expired at 2026-11-22T12:01");
  });

  test("with a field of another form is refused, even if it encodes to the signed value", async () => {
    const { message } = signed;
    for (const change of [
      { scoreCenti: "7621" },
      { scoreCenti: [7_621] },
      { tier: "0x2" },
      { seq: null },
      { seq: 2 ** 53 },
      { issuedAt: 1.5 },
      { expiresAt: "never" },
      { wallet: 7 },
      { head: "0x12" },
    ]) {
      const changed = { ...signed, message: { ...message, ...change } } as never;
      const [field] = Object.keys(change);
      await expect(verify({}, NOW, changed), JSON.stringify(change)).rejects.toThrow(
        new StatementError(`Its field ${field} is missing or malformed.`),
      );
    }
  });

  test("that is no statement is refused as one, and what is not signed is left out", async () => {
    const { domain } = signed;
    for (const other of [null, [], {}, { domain: null }, { domain }, { domain, message: null }]) {
      await expect(verify({}, NOW, other as never)).rejects.toThrow(StatementError);
    }
    const extended = { ...signed, message: { ...signed.message, anchored: true } };
    expect(await verify({}, NOW, extended)).toEqual(signed.message);
  });

  test("with a malformed signature is refused, not an internal error", async () => {
    const malformed = { ...signed, signature: "0x12" };
    await expect(verify({}, NOW, malformed)).rejects.toThrow(StatementError);
  });
});
