import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { getAddress } from "viem";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { createCallerFactory } from "@/server/lib/trpc";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { type AuthenticatedAgent, authenticate } from "./authenticate";
import { revokeKey, rotateKey } from "./keys";
import { agentsRouter } from "./router";
import { agents, apiKeys } from "./tables";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);
const core = createTestCore(database);

let clients = 0;
function as(apiKey: string | null, idempotencyKey: string | null = null) {
  const ip = `198.51.100.${clients++}`;
  const { context } = createTestContext(core, { ip, apiKey, idempotencyKey });
  return createCallerFactory(agentsRouter)(context);
}

const newWallet = () => getAddress(`0x${randomBytes(20).toString("hex")}`);

async function registerAgent(agentAddress = newWallet()): Promise<string> {
  const { apiKey } = await as(null).register({ agentAddress, name: "Agent" });
  return apiKey ?? "";
}

const UNAUTHENTICATED = { cause: { code: "unauthenticated" } };
const NOT_FOUND = { cause: { code: "not-found" } };

let key = "";
let keyId = "";
let wallet = newWallet();
beforeEach(async () => {
  wallet = newWallet();
  key = await registerAgent(wallet);
  keyId = (await as(key).keys.list())[0]?.keyId ?? "";
});

/** Returns the agent as in a request authenticated by `key`. */
async function readAgent(): Promise<AuthenticatedAgent> {
  const agent = await authenticate(db, key);
  if (!agent) throw new Error("the key is not valid");
  return agent;
}

async function endOverlap(id: string): Promise<void> {
  await db
    .update(apiKeys)
    .set({ expiresAt: sql`now() - interval '1 ms'` })
    .where(eq(apiKeys.id, id));
}

describe("listing", () => {
  it("returns the last four characters and the times of each key, newest first", async () => {
    const second = await as(key).keys.rotate();
    await as(second.apiKey).keys.list();
    expect(await as(key).keys.list()).toEqual([
      {
        keyId: second.keyId,
        name: "",
        lastFour: second.apiKey.slice(-4),
        createdAt: second.createdAt,
        lastUsedAt: expect.any(String),
        expiresAt: null,
        revokedAt: null,
        current: false,
      },
      {
        keyId,
        name: "",
        lastFour: key.slice(-4),
        createdAt: expect.any(String),
        lastUsedAt: expect.any(String),
        expiresAt: second.previousKeysExpireAt,
        revokedAt: null,
        current: true,
      },
    ]);
  });

  it("does not show another agent's keys", async () => {
    expect(await as(await registerAgent()).keys.list()).toHaveLength(1);
  });
});

describe("rotating", () => {
  it("keeps the old key valid for 24 hours", async () => {
    const { apiKey, previousKeysExpireAt } = await as(key).keys.rotate();
    const left = Date.parse(previousKeysExpireAt) - Date.now();
    expect(left).toBeGreaterThan(DAY_MS - MINUTE_MS);
    expect(left).toBeLessThanOrEqual(DAY_MS + 1_000);
    await as(key).keys.list();
    await as(apiKey).keys.list();
    await endOverlap(keyId);
    await expect(as(key).keys.list()).rejects.toMatchObject(UNAUTHENTICATED);
    await as(apiKey).keys.list();
  });

  it("never extends a key that is already expiring", async () => {
    await as(key).keys.rotate();
    await db
      .update(apiKeys)
      .set({ expiresAt: sql`now() + interval '1 hour'` })
      .where(eq(apiKeys.id, keyId));
    await as(key).keys.rotate();
    const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, keyId));
    expect(row?.expiresAt?.getTime()).toBeLessThan(Date.now() + 2 * HOUR_MS);
  });

  it("fails for an agent that was taken over in the meantime", async () => {
    const asked = await readAgent();
    await db.delete(agents).where(eq(agents.wallet, wallet));
    await expect(rotateKey(core, asked)).rejects.toMatchObject(UNAUTHENTICATED.cause);
  });

  it("stops at ten live keys, even if many rotate at once", async () => {
    const all = await Promise.allSettled(Array.from({ length: 14 }, () => as(key).keys.rotate()));
    expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(9);
    for (const one of all) {
      if (one.status === "rejected") expect(one.reason.cause).toMatchObject({ code: "conflict" });
    }
    await as(key).keys.revoke({ keyId });
    expect((await db.select().from(apiKeys)).length).toBeGreaterThan(9);
  });

  it("creates one key for one Idempotency-Key, which no other key can read", async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => as(key, "a").keys.rotate()));
    expect(new Set(all.map((created) => JSON.stringify(created))).size).toBe(1);
    const rotated = all[0]?.apiKey ?? "";
    expect(await as(key).keys.list()).toHaveLength(2);
    await expect(as(rotated, "a").keys.rotate()).rejects.toMatchObject({
      cause: { code: "idempotency-key-reused" },
    });
  });

  it("keeps a bounded number of ended keys", async () => {
    let current = key;
    for (let i = 0; i < 25; i++) {
      const { apiKey } = await as(current).keys.rotate();
      const old = (await as(apiKey).keys.list()).filter((one) => !one.current && !one.revokedAt);
      for (const { keyId } of old) await as(apiKey).keys.revoke({ keyId });
      current = apiKey;
    }
    const keys = await as(current).keys.list();
    // The live key, the kept ones, and the one that ended since.
    expect(keys).toHaveLength(1 + 20 + 1);
    expect(keys[0]?.current).toBe(true);
  });
});

describe("revoking", () => {
  it("revokes a key at once, including the caller's own and the last one", async () => {
    await as(key).keys.revoke({ keyId });
    await expect(as(key).keys.list()).rejects.toMatchObject(UNAUTHENTICATED);
  });

  it("changes nothing for a key that has already ended", async () => {
    const { apiKey } = await as(key).keys.rotate();
    await as(apiKey).keys.revoke({ keyId });
    const ended = (await as(apiKey).keys.list()).find((one) => one.keyId === keyId);
    await as(apiKey).keys.revoke({ keyId });
    expect((await as(apiKey).keys.list()).find((one) => one.keyId === keyId)).toEqual(ended);
    expect(ended?.revokedAt).not.toBeNull();
  });

  it("fails for a key that was itself revoked in the meantime", async () => {
    const asked = await readAgent();
    const { apiKey, keyId: other } = await as(key).keys.rotate();
    await as(apiKey).keys.revoke({ keyId });
    await expect(revokeKey(core, asked, other)).rejects.toMatchObject(UNAUTHENTICATED.cause);
    await as(apiKey).keys.list();
  });

  it("returns the same error for another agent's key and an unknown one", async () => {
    const stranger = await registerAgent();
    const foreign = await as(stranger)
      .keys.revoke({ keyId })
      .catch((error) => error.cause);
    const unknown = await as(stranger)
      .keys.revoke({ keyId: "0197a3f2-6d1c-7b44-9d0e-5a8f3c2b1e70" })
      .catch((error) => error.cause);
    expect(foreign).toMatchObject(NOT_FOUND.cause);
    expect(foreign.detail).toBe(unknown.detail);
    await as(key).keys.list();
  });
});
