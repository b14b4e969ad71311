import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AppError } from "@/server/lib/errors";
import { HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { createCallerFactory, router } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { createTestAgent } from "@/server/testing/fixtures/agent";
import { generateApiKey, hashApiKey } from "./api-key";
import { keyedProcedure, optionalKeyProcedure } from "./procedures";
import { registerAgent } from "./register";
import { apiKeys } from "./tables";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER_WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);
const core = createTestCore(database);

const api = router({
  keyed: keyedProcedure.query(({ ctx }) => ctx.agent),
  optional: optionalKeyProcedure.query(({ ctx }) => ctx.agent),
});

const call = (request: Parameters<typeof createTestContext>[1] = {}) =>
  createCallerFactory(api)(createTestContext(core, request).context);

let agentId = "";
let apiKey = "";
beforeAll(async () => {
  const { context } = createTestContext(core);
  const registered = await registerAgent(context, null, { agentAddress: WALLET, name: "Ada" });
  agentId = registered.agentId;
  apiKey = registered.apiKey ?? "";
});

const agent = () => ({
  id: agentId,
  wallet: WALLET,
  walletVerified: false,
  name: "Ada",
  keyId: expect.any(String),
  sessionId: null,
});

async function keyWith(state: Partial<typeof apiKeys.$inferInsert>): Promise<string> {
  const { key, hash, lastFour } = generateApiKey(crypto.getRandomValues(new Uint8Array(32)));
  await db.insert(apiKeys).values({ agentId, hash, lastFour, ...state });
  return key;
}

const storedHash = (key: string) => hashApiKey(key) ?? Buffer.of();

describe("a keyed procedure", () => {
  it("identifies the agent by its key", async () => {
    expect(await call({ apiKey }).keyed()).toEqual(agent());
  });

  it("returns the same error for a missing, malformed, unknown, revoked or expired key", async () => {
    const past = new Date(Date.now() - MINUTE_MS);
    const refused = [
      null,
      "",
      "rep_malformed",
      generateApiKey(new Uint8Array(32)).key,
      await keyWith({ revokedAt: past }),
      await keyWith({ expiresAt: past }),
    ];
    const refusals: AppError[] = [];
    for (const key of refused) {
      await call({ apiKey: key })
        .keyed()
        .catch((error) => refusals.push(error.cause));
    }
    expect(refusals).toHaveLength(refused.length);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(AppError);
      expect(refusal.code).toBe("unauthenticated");
      expect(refusal.headers).toEqual({ "WWW-Authenticate": "ApiKey, Bearer" });
      expect(refusal.detail).toBe(refusals[0]?.detail);
    }
  });

  it("accepts an expiring key until it expires", async () => {
    const key = await keyWith({ expiresAt: new Date(Date.now() + HOUR_MS) });
    expect(await call({ apiKey: key }).keyed()).toEqual(agent());
  });

  it("accepts X-Wallet-Address in any letter case if it is the wallet of the key", async () => {
    for (const claimedWallet of [
      WALLET,
      WALLET.toLowerCase(),
      `0x${WALLET.slice(2).toUpperCase()}`,
    ]) {
      expect(await call({ apiKey, claimedWallet }).keyed()).toEqual(agent());
    }
    await expect(call({ apiKey, claimedWallet: OTHER_WALLET }).keyed()).rejects.toMatchObject({
      cause: { code: "wallet-mismatch" },
    });
    await expect(call({ apiKey, claimedWallet: "0xYourWallet" }).keyed()).rejects.toMatchObject({
      cause: {
        code: "invalid-request",
        errors: [{ pointer: "#/header/X-Wallet-Address", code: "invalid-format" }],
      },
    });
  });

  it("reveals nothing about a wallet without a key", async () => {
    await expect(call({ claimedWallet: OTHER_WALLET }).keyed()).rejects.toMatchObject({
      cause: { code: "unauthenticated" },
    });
  });

  it("records the last use of a key, to the minute", async () => {
    const key = await keyWith({});
    const lastUse = async () => {
      const hash = storedHash(key);
      const [row] = await db.select().from(apiKeys).where(eq(apiKeys.hash, hash));
      return row?.lastUsedAt ?? null;
    };
    expect(await lastUse()).toBeNull();
    await call({ apiKey: key }).keyed();
    const first = await lastUse();
    expect(first).not.toBeNull();
    await call({ apiKey: key }).keyed();
    expect(await lastUse()).toEqual(first);
    await db
      .update(apiKeys)
      .set({ lastUsedAt: sql`now() - interval '61 seconds'` })
      .where(eq(apiKeys.hash, storedHash(key)));
    await call({ apiKey: key }).keyed();
    expect((await lastUse())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? 0);
  });
});

describe("concurrent requests", () => {
  it("get each the agent of its own key", async () => {
    const others = await Promise.all([createTestAgent({ db }), createTestAgent({ db })]);
    const ended = await keyWith({ revokedAt: new Date() });
    const keys = [apiKey, ended, ...others.map((other) => other.apiKey), "rep_wrong", apiKey];
    const results = await Promise.allSettled(keys.map((key) => call({ apiKey: key }).keyed()));
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value?.wallet : null)),
    ).toEqual([WALLET, null, ...others.map(({ wallet }) => wallet), null, WALLET]);
  });

  it("don't wait for a key that is locked", async () => {
    const key = await keyWith({});
    await db.transaction(async (tx) => {
      await tx
        .select()
        .from(apiKeys)
        .where(eq(apiKeys.hash, storedHash(key)))
        .for("update");
      expect(await call({ apiKey: key }).keyed()).toMatchObject({ wallet: WALLET });
    });
  });
});

describe("a procedure with an optional key", () => {
  it("serves anonymous callers, and identifies an agent by its key", async () => {
    expect(await call().optional()).toBeNull();
    expect(await call({ claimedWallet: OTHER_WALLET }).optional()).toBeNull();
    expect(await call({ apiKey }).optional()).toEqual(agent());
  });

  it("refuses a key that is not valid, and a wallet that is not the key's", async () => {
    await expect(call({ apiKey: "rep_wrong" }).optional()).rejects.toMatchObject({
      cause: { code: "unauthenticated" },
    });
    await expect(call({ apiKey, claimedWallet: OTHER_WALLET }).optional()).rejects.toMatchObject({
      cause: { code: "wallet-mismatch" },
    });
  });
});
