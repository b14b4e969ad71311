import { eq, sql } from "drizzle-orm";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { createCallerFactory } from "@/server/lib/trpc";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase } from "@/server/testing/database";
import { updateProfile } from "./account";
import type { AuthenticatedAgent } from "./authenticate";
import { createKey } from "./keys";
import { agentsRouter } from "./router";
import { findAgentByWallet, findSession } from "./session";
import { agents, sessions } from "./tables";

const database = await createTestDatabase();
afterAll(database.close);
const core = createTestCore(database);
const PROFILE = {
  name: "Ledger Reader",
  description: "Reads ledgers.",
  categories: ["finance" as const],
  links: {},
  ownerEmail: "owner@example.com",
};
const UNAUTHENTICATED = { cause: { code: "unauthenticated" } };

let account: ReturnType<typeof privateKeyToAccount>;
beforeEach(() => {
  account = privateKeyToAccount(generatePrivateKey());
});

let client = 0;
/** Returns a browser with its cookie, each with its own IP address. */
function browser(session: string | null = null, env: Partial<typeof core.env> = {}) {
  client += 1;
  const { context, headers } = createTestContext(
    { ...core, env: { ...core.env, ...env } },
    { session, transport: "trpc", ip: `192.0.2.${client}` },
  );
  return { api: createCallerFactory(agentsRouter)(context), headers };
}

async function signedProof(purpose: "signIn" | "register", signer = account) {
  const { api } = browser();
  const nonce = await api.nonce();
  return signProof(signer, nonce, { statement: nonce.statements[purpose] });
}

/** Signs in and returns the token in the browser's cookie. */
async function signIn(signer = account): Promise<string> {
  const { api, headers } = browser();
  const walletProof = await signedProof("signIn", signer);
  await api.account.signIn({ walletAddress: signer.address, walletProof });
  return /^[^=]+=([^;]+);/.exec(headers["set-cookie"] ?? "")?.[1] ?? "";
}

/** Returns the agent of a signed-in browser, as its requests carry it. */
async function signedInAgent(token: string): Promise<AuthenticatedAgent> {
  const session = await findSession(core.db, token);
  const agent = session && (await findAgentByWallet(core.db, session.wallet));
  if (!agent) throw new Error("no agent is signed in");
  const { id, wallet, name } = agent;
  return { id, wallet, name, walletVerified: true, keyId: null, sessionId: session.id };
}

describe("signing in", () => {
  test("sets a cookie that scripts and other sites cannot use", async () => {
    const { api, headers } = browser();
    const walletProof = await signedProof("signIn");
    await api.account.signIn({ walletAddress: account.address, walletProof });
    expect(headers["set-cookie"]).toMatch(
      /^standing_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Expires=.* GMT$/,
    );
    const secure = browser(null, { PUBLIC_URL: "https://standing.example" });
    const nonce = await secure.api.nonce();
    const proof = await signProof(account, nonce, { statement: nonce.statements.signIn });
    await secure.api.account.signIn({ walletAddress: account.address, walletProof: proof });
    expect(secure.headers["set-cookie"]).toMatch(/^__Host-standing_session=.*; Secure; /);
  });

  test("accepts a signature for this purpose, by that wallet, once", async () => {
    const { api } = browser();
    const invalid = { cause: { code: "wallet-proof-invalid" } };
    const walletAddress = account.address;
    const forRegistering = await signedProof("register");
    await expect(
      api.account.signIn({ walletAddress, walletProof: forRegistering }),
    ).rejects.toMatchObject(invalid);
    const another = privateKeyToAccount(generatePrivateKey());
    const walletProof = await signedProof("signIn");
    await expect(
      api.account.signIn({ walletAddress: another.address, walletProof }),
    ).rejects.toMatchObject(invalid);
    await api.account.signIn({ walletAddress, walletProof });
    await expect(api.account.signIn({ walletAddress, walletProof })).rejects.toMatchObject(invalid);
  });

  test("stores only the hash of the token", async () => {
    const token = await signIn();
    const rows = await core.db.execute(sql`select row_to_json(s)::text as row from sessions s`);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("a session", () => {
  test("ends when signed out or expired, and needs its token", async () => {
    const token = await signIn();
    expect(await browser(token).api.account.me()).toMatchObject({
      walletAddress: account.address,
      agent: null,
    });
    for (const wrong of [null, "", "x".repeat(43), `${token}x`]) {
      await expect(browser(wrong).api.account.me()).rejects.toMatchObject(UNAUTHENTICATED);
    }
    const { api, headers } = browser(token);
    await api.account.signOut();
    expect(headers["set-cookie"]).toMatch(/^standing_session=; .*Expires=Thu, 01 Jan 1970/);
    await expect(browser(token).api.account.me()).rejects.toMatchObject(UNAUTHENTICATED);

    const late = await signIn();
    await core.db.update(sessions).set({ expiresAt: sql`now() - interval '1 second'` });
    await expect(browser(late).api.account.me()).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test("registers its wallet as verified, and then acts for the agent", async () => {
    const { api } = browser(await signIn());
    await expect(api.keys.list()).rejects.toMatchObject(UNAUTHENTICATED);
    const registered = await api.account.register(PROFILE);
    expect(registered).toMatchObject({ walletVerified: true, takeover: false });
    const [first] = await api.keys.list();
    expect(first).toMatchObject({ lastFour: registered.apiKey?.slice(-4), current: false });
    await api.keys.create({ name: "Backup" });
    expect(await api.keys.list()).toMatchObject([
      { name: "Backup", expiresAt: null },
      { name: "", expiresAt: null },
    ]);
    const change = { name: "Renamed", links: { website: "https://a.example" }, ownerEmail: null };
    await api.account.update({ ...PROFILE, ...change });
    expect((await api.account.me()).agent).toMatchObject(change);
    const links = { website: "javascript:alert(1)" };
    await expect(api.account.update({ ...PROFILE, links })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
    await expect(api.account.register(PROFILE)).rejects.toMatchObject({
      cause: { code: "wallet-already-registered" },
    });
  });

  test("is limited per wallet and per address when registering", async () => {
    const ip = "192.0.2.200";
    const from = (session: string) =>
      createCallerFactory(agentsRouter)(
        createTestContext(core, { session, transport: "trpc", ip }).context,
      );
    for (let owner = 0; owner < 4; owner++) {
      const token = await signIn(privateKeyToAccount(generatePrivateKey()));
      await from(token).account.register(PROFILE);
    }
    const { register } = from(await signIn()).account;
    await register(PROFILE);
    for (let again = 0; again < 2; again++) await expect(register(PROFILE)).rejects.toThrow();
    await expect(register(PROFILE)).rejects.toMatchObject({ cause: { code: "rate-limited" } });
  });

  test("does not act for an unverified registration", async () => {
    await browser().api.register({ agentAddress: account.address, name: "Squatter" });
    const [squatter] = await core.db
      .select()
      .from(agents)
      .where(eq(agents.wallet, account.address));
    await core.db.update(agents).set({ ownerEmail: "squatter@example.com" });
    const { api } = browser(await signIn());
    const { agent } = await api.account.me();
    expect(agent).toMatchObject({ walletVerified: false, name: "Squatter", ownerEmail: null });
    await expect(api.keys.create()).rejects.toMatchObject(UNAUTHENTICATED);
    await expect(api.account.update(PROFILE)).rejects.toMatchObject(UNAUTHENTICATED);

    const elsewhere = await signIn();
    expect(await api.account.register(PROFILE)).toMatchObject({ takeover: true });
    const [owner] = await core.db.select().from(agents).where(eq(agents.wallet, account.address));
    expect(owner?.id).not.toBe(squatter?.id);
    // The session that took over stays signed in; every other one is ended.
    expect((await api.account.me()).agent?.name).toBe(PROFILE.name);
    await expect(browser(elsewhere).api.account.me()).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test("ends in every browser when the owner replaces a lost key", async () => {
    const stolen = await signIn();
    await browser(stolen).api.account.register(PROFILE);
    const asking = await signedInAgent(stolen);
    const walletProof = await signedProof("register");
    const recovered = await browser().api.register({
      agentAddress: account.address,
      name: "Recovered",
      walletProof,
    });
    expect(recovered).toMatchObject({ takeover: false, apiKey: expect.any(String) });
    await expect(browser(stolen).api.account.me()).rejects.toMatchObject(UNAUTHENTICATED);
    await expect(browser(stolen).api.keys.create()).rejects.toMatchObject(UNAUTHENTICATED);

    // Its requests in progress do not write anything either.
    const refused = UNAUTHENTICATED.cause;
    await expect(createKey(core, asking)).rejects.toMatchObject(refused);
    await expect(updateProfile(core, asking, { ...PROFILE, name: "Thief" })).rejects.toMatchObject(
      refused,
    );
    const { api } = browser(await signIn());
    const live = (await api.keys.list()).filter(({ revokedAt }) => revokedAt === null);
    expect(live.map(({ lastFour }) => lastFour)).toEqual([recovered.apiKey?.slice(-4)]);
    expect((await api.account.me()).agent?.name).toBe(PROFILE.name);
  });

  test("sees and changes only its own wallet's agent", async () => {
    const other = privateKeyToAccount(generatePrivateKey());
    await browser(await signIn()).api.account.register(PROFILE);
    const theirs = browser(await signIn(other)).api;
    await theirs.account.register({ ...PROFILE, name: "Other" });
    const [key] = await browser(await signIn()).api.keys.list();
    await expect(theirs.keys.revoke({ keyId: key?.keyId ?? "" })).rejects.toMatchObject({
      cause: { code: "not-found" },
    });
  });
});
