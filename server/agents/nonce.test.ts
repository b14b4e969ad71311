import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { testContext, testCore } from "@/server/testing/core";
import { testDatabase } from "@/server/testing/database";
import { consumeNonce, createNonce, isUsableNonce } from "./nonce";
import { authNonces } from "./tables";

const database = await testDatabase();
const { db } = database;
afterAll(database.close);
const { context } = testContext(testCore(database));
beforeEach(() => db.delete(authNonces));

const consume = (nonce: string) => db.transaction((tx) => consumeNonce(tx, nonce));

async function expire(nonce: string, by: string): Promise<void> {
  await db
    .update(authNonces)
    .set({ expiresAt: sql`now() - ${by}::interval` })
    .where(eq(authNonces.nonce, nonce));
}

describe("createNonce", () => {
  it("says everything that the message must say", async () => {
    const before = Date.now();
    const answer = await createNonce(context);
    expect(answer).toEqual({
      nonce: expect.stringMatching(/^[0-9a-f]{32}$/),
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

  it("binds to PUBLIC_URL where it is set, not to what the request says", async () => {
    const core = testCore(database, { env: { PUBLIC_URL: "https://standing.example/" } });
    const { context } = testContext(core, { origin: "http://evil.example" });
    expect(await createNonce(context)).toMatchObject({
      domain: "standing.example",
      uri: "https://standing.example",
    });
  });

  it("is never the same", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => createNonce(context)));
    expect(new Set(all.map(({ nonce }) => nonce)).size).toBe(20);
  });

  it("forgets expired ones, used or not, and keeps the others", async () => {
    const dead = [await createNonce(context), await createNonce(context)];
    await consume(dead[0]?.nonce ?? "");
    const alive = await createNonce(context);
    const used = await createNonce(context);
    await consume(used.nonce);
    for (const { nonce } of dead) await expire(nonce, "1 ms");
    const { nonce } = await createNonce(context);
    const kept = (await db.select().from(authNonces)).map((row) => row.nonce);
    expect(kept.toSorted()).toEqual([alive.nonce, used.nonce, nonce].toSorted());
  });

  it("hands out no more once a great many wait to be used", async () => {
    await db.execute(sql`
      insert into ${authNonces} (nonce, expires_at)
      select 'waiting-' || n, now() + interval '1 minute' from generate_series(1, 199999) n`);
    await createNonce(context);
    await expect(createNonce(context)).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe("consumeNonce", () => {
  it("gives a nonce to one of many", async () => {
    const { nonce } = await createNonce(context);
    expect(await isUsableNonce(db, nonce)).toBe(true);
    const all = await Promise.all(Array.from({ length: 8 }, () => consume(nonce)));
    expect(all.filter(Boolean)).toHaveLength(1);
    expect(await isUsableNonce(db, nonce)).toBe(false);
  });

  it("leaves it unused where the transaction fails", async () => {
    const { nonce } = await createNonce(context);
    const failing = db.transaction(async (tx) => {
      expect(await consumeNonce(tx, nonce)).toBe(true);
      throw new Error("later");
    });
    await expect(failing).rejects.toThrow("later");
    expect(await consume(nonce)).toBe(true);
  });

  it("takes no unknown and no expired one", async () => {
    expect(await consume("unknown")).toBe(false);
    const { nonce } = await createNonce(context);
    await expire(nonce, "1 ms");
    expect(await isUsableNonce(db, nonce)).toBe(false);
    expect(await consume(nonce)).toBe(false);
  });
});
