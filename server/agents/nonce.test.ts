import { randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "@/server/lib/time";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { consumeNonce, createNonce, isUsableNonce } from "./nonce";
import { authNonces } from "./tables";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);
const core = createTestCore(database);
const { context } = createTestContext(core);
beforeEach(() => db.delete(authNonces));

const consume = (nonce: string) => db.transaction((tx) => consumeNonce(tx, nonce));
const readStored = async () =>
  (await db.select().from(authNonces)).map(({ nonce }) => nonce).toSorted();
const createOldNonce = (minutesAgo: number) =>
  createNonce(context, Date.now() - minutesAgo * MINUTE_MS).nonce;

async function expire(nonce: string, by: string): Promise<void> {
  await db
    .update(authNonces)
    .set({ expiresAt: sql`now() - ${by}::interval` })
    .where(eq(authNonces.nonce, nonce));
}

describe("createNonce", () => {
  it("returns every field of the message", () => {
    const before = Date.now();
    const answer = createNonce(context);
    expect(answer).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{64}$/),
      domain: "localhost:3000",
      uri: "http://localhost:3000",
      chainId: 31_337,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      statements: { register: expect.any(String), signIn: expect.any(String) },
    });
    expect(answer.statements.register).not.toBe(answer.statements.signIn);
    const life = Date.parse(answer.expiresAt) - before;
    expect(life).toBeGreaterThan(590_000);
    expect(life).toBeLessThan(620_000);
  });

  it("binds to PUBLIC_URL if set, not to the request's host", () => {
    const core = createTestCore(database, { env: { PUBLIC_URL: "https://standing.example" } });
    const { context } = createTestContext(core, { origin: "http://evil.example" });
    expect(createNonce(context)).toMatchObject({
      domain: "standing.example",
      uri: "https://standing.example",
    });
  });

  it("is unique", () => {
    const all = Array.from({ length: 20 }, () => createNonce(context).nonce);
    expect(new Set(all).size).toBe(20);
  });

  it("stores nothing for unused nonces", async () => {
    for (let asked = 0; asked < 1_000; asked++) createNonce(context);
    expect(await readStored()).toEqual([]);
  });
});

describe("isUsableNonce", () => {
  it("accepts nonces of every process with the same secret, and no others", async () => {
    const { nonce } = createNonce(context);
    const other = createTestCore(database);
    expect(await isUsableNonce(other, nonce)).toBe(true);
    const stranger = createTestCore(database, { env: { SECRET_KEY: "1".repeat(64) } });
    expect(await isUsableNonce(stranger, nonce)).toBe(false);
  });

  it("refuses a modified or invented nonce", async () => {
    const { nonce } = createNonce(context);
    for (let at = 0; at < nonce.length; at++) {
      const changed = nonce.slice(0, at) + (nonce[at] === "f" ? "e" : "f") + nonce.slice(at + 1);
      expect(await isUsableNonce(core, changed)).toBe(false);
    }
    for (const forged of [
      randomBytes(32).toString("hex"),
      "f".repeat(64),
      `${nonce}00`,
      "unknown",
    ]) {
      expect(await isUsableNonce(core, forged)).toBe(false);
    }
    expect(await isUsableNonce(core, nonce.toUpperCase())).toBe(false);
  });

  it("refuses an expired nonce", async () => {
    expect(await isUsableNonce(core, createOldNonce(9))).toBe(true);
    expect(await isUsableNonce(core, createOldNonce(10))).toBe(false);
  });
});

describe("consumeNonce", () => {
  it("lets one of many concurrent requests consume a nonce", async () => {
    const { nonce } = createNonce(context);
    expect(await isUsableNonce(core, nonce)).toBe(true);
    const all = await Promise.all(Array.from({ length: 8 }, () => consume(nonce)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await isUsableNonce(core, nonce)).toBe(false);
  });

  it("leaves it unused if the transaction fails", async () => {
    const { nonce } = createNonce(context);
    const failing = db.transaction(async (tx) => {
      expect(await consumeNonce(tx, nonce)).toBe(true);
      throw new Error("later");
    });
    await expect(failing).rejects.toThrow("later");
    expect(await consume(nonce)).toBe(true);
  });

  it("refuses a nonce that expired after it was checked", async () => {
    expect(await consume(createOldNonce(10))).toBe(false);
    expect(await readStored()).toEqual([]);
  });

  it("refuses a nonce that expired during the transaction", async () => {
    const { nonce } = createNonce(context, Date.now() - 10 * MINUTE_MS + 1_500);
    const late = db.transaction(async (tx) => {
      await tx.execute(sql`select pg_sleep(1.6)`);
      return consumeNonce(tx, nonce);
    });
    expect(await late).toBe(false);
  });

  it("deletes used nonces only after they expire", async () => {
    const [old, ended, alive, last] = [
      createOldNonce(0),
      createOldNonce(0),
      createOldNonce(0),
      createOldNonce(0),
    ];
    for (const nonce of [old, ended, alive]) expect(await consume(nonce)).toBe(true);
    await expire(old, "11 minutes");
    await expire(ended, "9 minutes");
    await consume(last);
    expect(await readStored()).toEqual([ended, alive, last].toSorted());
  });
});
