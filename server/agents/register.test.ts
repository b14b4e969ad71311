import { eq } from "drizzle-orm";
import { type LocalAccount, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, describe, expect, it } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { outcomes } from "@/server/outcomes/tables";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { webhooks } from "@/server/webhooks/tables";
import { agentsRouter } from "./router";
import type { RegisterInput, Registration, WalletVerification } from "./schema";
import { agents, apiKeys, takeovers } from "./tables";

const database = await createTestDatabase();
const { db } = database;
afterAll(database.close);
const core = createTestCore(database);

let clients = 0;
/** Returns a caller with its own IP address, so that tests do not share rate limits. */
function call(request: Parameters<typeof createTestContext>[1] = {}) {
  const ip = `198.51.100.${clients++}`;
  return createCallerFactory(agentsRouter)(createTestContext(core, { ip, ...request }).context);
}

const newAccount = () => privateKeyToAccount(generatePrivateKey());

async function registerAgent(
  account: LocalAccount,
  { proven = false, ...fields }: Partial<RegisterInput> & { proven?: boolean } = {},
  apiKey: string | null = null,
): Promise<Registration | WalletVerification> {
  const walletProof = proven ? await signProof(account, await call().nonce()) : undefined;
  return call({ apiKey }).register({
    agentAddress: account.address,
    name: "Agent",
    walletProof,
    ...fields,
  });
}

async function findAgent(account: LocalAccount) {
  const [agent] = await db.select().from(agents).where(eq(agents.wallet, account.address));
  return agent;
}

/** Returns whether the key is still valid. */
async function isKeyValid(apiKey: string | null): Promise<boolean> {
  const answer = call({ apiKey }).keys.list();
  return answer.then(
    () => true,
    (error) => {
      expect(error.cause).toMatchObject({ code: "unauthenticated" });
      return false;
    },
  );
}

const refusal = (code: string, detail = "") => ({
  cause: { code, detail: expect.stringContaining(detail) },
});

describe("registering a wallet for the first time", () => {
  it("works without a proof, and the key is valid", async () => {
    const account = newAccount();
    const answer = await registerAgent(account, {
      agentAddress: account.address.toLowerCase() as typeof account.address,
      name: "  Ada  ",
      description: "Counts.",
      categories: ["finance", "ops", "finance"],
      ownerEmail: "ada@example.com",
    });
    expect(answer).toEqual({
      agentId: expect.any(String),
      apiKey: expect.stringMatching(/^rep_[0-9A-Za-z]{49}$/),
      walletAddress: account.address,
      walletVerified: false,
      takeover: false,
    });
    expect(await findAgent(account)).toMatchObject({
      name: "Ada",
      description: "Counts.",
      categories: ["finance", "ops"],
      ownerEmail: "ada@example.com",
      walletVerifiedAt: null,
    });
    expect(await isKeyValid(answer.apiKey)).toBe(true);
  });

  it("stores nothing that reveals the key", async () => {
    const { apiKey } = await registerAgent(newAccount());
    const stored = JSON.stringify(await db.select().from(apiKeys));
    expect(stored).not.toContain(apiKey?.slice(4, 47));
  });

  it("verifies the wallet with a valid proof", async () => {
    const account = newAccount();
    const answer = await registerAgent(account, { proven: true });
    expect(answer).toMatchObject({ walletVerified: true, takeover: false });
    expect((await findAgent(account))?.walletVerifiedAt).toBeInstanceOf(Date);
    expect(core.published).toEqual([]);
  });

  it("lets one of two simultaneous registrations of a wallet succeed, in any letter case", async () => {
    const account = newAccount();
    const lower = account.address.toLowerCase() as typeof account.address;
    const all = await Promise.allSettled([
      registerAgent(account),
      registerAgent(account, { agentAddress: lower }),
      registerAgent(account),
    ]);
    expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    for (const one of all) {
      if (one.status === "rejected") {
        expect(one.reason).toMatchObject(refusal("wallet-already-registered"));
      }
    }
  });
});

describe("registering a wallet again", () => {
  it("is a conflict without a proof, even with the agent's key", async () => {
    const account = newAccount();
    const { apiKey } = await registerAgent(account);
    await expect(registerAgent(account)).rejects.toMatchObject(
      refusal("wallet-already-registered"),
    );
    await expect(registerAgent(account, {}, apiKey)).rejects.toMatchObject(
      refusal("wallet-already-registered"),
    );
    expect(await isKeyValid(apiKey)).toBe(true);
  });

  it("only verifies the wallet, with a proof and the current key", async () => {
    const account = newAccount();
    const first = await registerAgent(account, { name: "First" });
    const again = await registerAgent(account, { name: "Second", proven: true }, first.apiKey);
    expect(again).toEqual({
      agentId: first.agentId,
      apiKey: null,
      walletAddress: account.address,
      walletVerified: true,
      takeover: false,
    });
    expect(await isKeyValid(first.apiKey)).toBe(true);
    const proven = await findAgent(account);
    expect(proven).toMatchObject({ name: "First", walletVerifiedAt: expect.any(Date) });

    await registerAgent(account, { proven: true }, first.apiKey);
    expect((await findAgent(account))?.walletVerifiedAt).toEqual(proven?.walletVerifiedAt);
    expect(await isKeyValid(first.apiKey)).toBe(true);
  });

  it("gives the owner of a verified wallet a new key and revokes the old ones", async () => {
    const account = newAccount();
    const first = await registerAgent(account, { name: "First", proven: true });
    const rotated = await call({ apiKey: first.apiKey }).keys.rotate();
    const again = await registerAgent(account, { name: "Second", proven: true });
    expect(again).toMatchObject({
      agentId: first.agentId,
      apiKey: expect.any(String),
      takeover: false,
      walletVerified: true,
    });
    expect(await isKeyValid(first.apiKey)).toBe(false);
    expect(await isKeyValid(rotated.apiKey)).toBe(false);
    expect(await isKeyValid(again.apiKey)).toBe(true);
    expect((await findAgent(account))?.name).toBe("First");
  });

  it("refuses an invalid key and ignores another agent's key", async () => {
    const account = newAccount();
    const squatter = await registerAgent(account);
    const other = await registerAgent(newAccount());
    await expect(registerAgent(account, { proven: true }, "rep_wrong")).rejects.toMatchObject(
      refusal("unauthenticated"),
    );
    const owner = await registerAgent(account, { proven: true }, other.apiKey);
    expect(owner.takeover).toBe(true);
    expect(await isKeyValid(squatter.apiKey)).toBe(false);
  });
});

describe("a placeholder from a rebuild", () => {
  const insertPlaceholder = (account: LocalAccount) =>
    db.insert(agents).values({ wallet: account.address, name: "0x…", rebuilt: true });

  it("goes to its owner with a proof, without a takeover", async () => {
    const account = newAccount();
    await insertPlaceholder(account);
    const owner = await registerAgent(account, { proven: true, name: "Ada" });
    expect(owner).toMatchObject({ takeover: false, walletVerified: true });
    expect(await isKeyValid(owner.apiKey)).toBe(true);
    expect(await findAgent(account)).toMatchObject({ name: "Ada", rebuilt: false });
    const rows = await db.select().from(takeovers).where(eq(takeovers.wallet, account.address));
    expect(rows).toEqual([]);
  });

  it("cannot be registered without a proof", async () => {
    const account = newAccount();
    await insertPlaceholder(account);
    await expect(registerAgent(account)).rejects.toMatchObject(
      refusal("wallet-already-registered"),
    );
    expect(await findAgent(account)).toMatchObject({ rebuilt: true });
  });
});

describe("a takeover", () => {
  it("deletes all data of the unverified registration", async () => {
    const account = newAccount();
    const squatter = await registerAgent(account, { name: "Squatter", categories: ["ops"] });
    const squatterKeys = [
      squatter.apiKey,
      (await call({ apiKey: squatter.apiKey }).keys.rotate()).apiKey,
    ];
    await db.insert(webhooks).values({
      agentId: squatter.agentId,
      url: "https://example.com/hook",
      events: ["score.updated"],
      sealedSecret: Buffer.of(1),
    });
    const hash = `0x${"0".repeat(64)}`;
    const [submitted] = await db
      .insert(outcomes)
      .values({
        contractor: account.address,
        requester: zeroAddress,
        taskDescription: "Task",
        taskCategory: "ops",
        valueMicro: 1n,
        submittedBy: "contractor",
        proven: false,
        submitterAgentId: squatter.agentId,
        salt: Buffer.alloc(16),
        taskHash: hash,
        deliverableHash: hash,
        inputHash: hash,
        idempotencyKey: "once",
        storedAnswer: "{}",
      })
      .returning();

    const owner = await registerAgent(account, { name: "Owner", proven: true });

    expect(owner).toMatchObject({ takeover: true, walletVerified: true });
    expect(owner.agentId).not.toBe(squatter.agentId);
    for (const key of squatterKeys) expect(await isKeyValid(key)).toBe(false);
    expect(await isKeyValid(owner.apiKey)).toBe(true);
    expect(await findAgent(account)).toMatchObject({
      id: owner.agentId,
      name: "Owner",
      categories: [],
    });
    expect(await db.select().from(webhooks)).toEqual([]);
    const [outcome] = await db
      .select()
      .from(outcomes)
      .where(eq(outcomes.id, submitted?.id ?? ""));
    expect(outcome?.submitterAgentId).toBeNull();

    const rows = await db.select().from(takeovers).where(eq(takeovers.wallet, account.address));
    expect(rows).toHaveLength(1);
    const takeoverId = rows[0]?.id;
    expect(core.published.filter((event) => event.data.takeoverId === takeoverId)).toEqual([
      {
        id: `agent-taken-over:${takeoverId}`,
        name: "agent/taken-over",
        data: { takeoverId },
      },
    ]);
  });

  it("happens once, however many proofs arrive at the same time", async () => {
    const account = newAccount();
    await registerAgent(account);
    const all = await Promise.all([
      registerAgent(account, { proven: true }),
      registerAgent(account, { proven: true }),
    ]);
    expect(all.filter((one) => one.takeover)).toHaveLength(1);
    expect(new Set(all.map((one) => one.agentId)).size).toBe(1);
    const rows = await db.select().from(takeovers).where(eq(takeovers.wallet, account.address));
    expect(rows).toHaveLength(1);
    const working = await Promise.all(all.map((one) => isKeyValid(one.apiKey)));
    expect(working.filter(Boolean)).toHaveLength(1);
  });

  it("is rolled back if publishing the event fails", async () => {
    const account = newAccount();
    const squatter = await registerAgent(account);
    const walletProof = await signProof(account, await call().nonce());
    const input = { agentAddress: account.address, name: "Owner", walletProof };
    const failing = createTestCore(database, {
      publish: async () => {
        throw new Error("no transport");
      },
    });
    const { context } = createTestContext(failing, { ip: "203.0.113.9" });
    await expect(createCallerFactory(agentsRouter)(context).register(input)).rejects.toThrow();
    expect((await findAgent(account))?.id).toBe(squatter.agentId);
    expect(await isKeyValid(squatter.apiKey)).toBe(true);
    expect(await call().register(input)).toMatchObject({ takeover: true });
  });
});

describe("a wallet proof", () => {
  it("is accepted once even if several requests arrive at the same time", async () => {
    const account = newAccount();
    const walletProof = await signProof(account, await call().nonce());
    const input = { agentAddress: account.address, name: "Agent", walletProof };
    const all = await Promise.allSettled([1, 2, 3].map(() => call().register(input)));
    expect(all.filter((one) => one.status === "fulfilled")).toHaveLength(1);
    for (const one of all) {
      if (one.status === "rejected") {
        expect(one.reason).toMatchObject(refusal("wallet-proof-invalid", "nonce"));
      }
    }
  });

  it("is not consumed if it is invalid", async () => {
    const account = newAccount();
    const nonce = await call().nonce();
    const wrong = await signProof(account, nonce, { statement: nonce.statements.signIn });
    const right = await signProof(account, nonce);
    const input = { agentAddress: account.address, name: "Agent" };
    await expect(call().register({ ...input, walletProof: wrong })).rejects.toMatchObject(
      refusal("wallet-proof-invalid", "statement"),
    );
    expect(await call().register({ ...input, walletProof: right })).toMatchObject({
      walletVerified: true,
    });
  });
});
