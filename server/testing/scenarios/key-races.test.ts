import { eq, sql } from "drizzle-orm";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { agents } from "@/server/agents/tables";
import { outcomes } from "@/server/outcomes/tables";
import { signProof } from "@/server/testing/chain/wallet-proofs";
import { waitFor } from "@/server/testing/engine/engine";
import { type CallResult, startTestService, type TestService } from "@/server/testing/service";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";

let service: TestService;
beforeAll(async () => {
  // Enough connections for every request that waits for another.
  service = await startTestService({ env: { TRUSTED_PROXIES: "1", DATABASE_POOL: "12" } });
});
afterAll(() => service.close());

vi.setConfig({ testTimeout: 120_000 });

let clients = 0;
const from = () => ({ "X-Forwarded-For": `198.51.100.${clients++ % 256}` });

interface Owner {
  account: PrivateKeyAccount;
  agentId: string;
  key: string;
}

async function register(
  account: PrivateKeyAccount,
  isProven: boolean,
  key?: string,
): Promise<CallResult> {
  const nonce = (await service.call("POST", "/auth/nonce", { headers: from() })).body;
  const walletProof = isProven ? await signProof(account, nonce) : undefined;
  return service.call("POST", "/agents/register", {
    key,
    headers: from(),
    body: { agentAddress: account.address, name: "An agent", walletProof },
  });
}

async function owner(isProven = true): Promise<Owner> {
  const account = privateKeyToAccount(generatePrivateKey());
  const { body } = await register(account, isProven);
  return { account, agentId: body.agentId, key: body.apiKey };
}

const rotate = (key: string) => service.call("POST", "/agents/me/keys", { key });
const listed = (key: string) => service.call("GET", "/agents/me/keys", { key });
const revoke = (key: string, keyId: string) =>
  service.call("DELETE", `/agents/me/keys/${keyId}`, { key });
const idOf = async (key: string): Promise<string> =>
  (await listed(key)).body.find((one: { current: boolean }) => one.current).keyId;

/** Counts the live keys stored for a wallet's agent. */
async function liveKeys({ account }: Owner): Promise<number> {
  const [row] = await service.database.db.sql<{ live: number }[]>`
    select count(*)::int as live from api_keys join agents on agents.id = agent_id
    where wallet = ${account.address} and revoked_at is null and (expires_at is null or expires_at > now())`;
  return row?.live ?? 0;
}

/**
 * Holds a lock on the agent's row while the requests start one after the other; each must wait for the
 * lock or finish before the next starts. Returns their statuses.
 */
async function runInOrder(
  agentId: string,
  requests: (() => Promise<CallResult>)[],
): Promise<number[]> {
  const waiting = async () => {
    const [row] = await service.database.db.sql<{ n: number }[]>`
      select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"agents"%'`;
    return row?.n ?? 0;
  };
  const started: Promise<CallResult>[] = [];
  let answered = 0;
  await service.database.db.transaction(async (tx) => {
    await tx.select().from(agents).where(eq(agents.id, agentId)).for("update");
    for (const send of requests) {
      started.push(send().finally(() => (answered += 1)));
      await waitFor(async () => answered + (await waiting()) === started.length);
    }
  });
  return (await Promise.all(started)).map(({ status }) => status);
}

describe("an owner who lost the key and proves the wallet", () => {
  test("invalidates a thief's concurrent rotation in either order", async () => {
    for (const order of [0, 1]) {
      const robbed = await owner();
      const rotating = () => rotate(robbed.key);
      const recovering = () => register(robbed.account, true);
      const both = order === 0 ? [rotating, recovering] : [recovering, rotating];
      const statuses = await runInOrder(robbed.agentId, both);
      expect(statuses).toEqual(order === 0 ? [200, 201] : [201, 401]);
      expect(await liveKeys(robbed)).toBe(1);
    }
  });

  test("ends up with the only key, despite many concurrent rotations", async () => {
    const robbed = await owner();
    const thieves = Array.from({ length: 6 }, () => rotate(robbed.key));
    const recovered = await register(robbed.account, true);
    const stolen = (await Promise.all(thieves)).map(({ body }) => body.apiKey);
    expect(recovered.status).toBe(201);
    for (const key of [robbed.key, ...stolen.filter(Boolean)]) {
      expect((await listed(key)).status).toBe(401);
    }
    expect(await liveKeys(robbed)).toBe(1);
    expect((await listed(recovered.body.apiKey)).status).toBe(200);
  });

  test("gets a key for each proof, of which only the last is valid", async () => {
    const robbed = await owner();
    const all = await Promise.all([1, 2, 3].map(() => register(robbed.account, true)));
    expect(all.map(({ status }) => status)).toEqual([201, 201, 201]);
    const working = await Promise.all(all.map(({ body }) => listed(body.apiKey)));
    expect(working.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await liveKeys(robbed)).toBe(1);
  });
});

describe("a takeover", () => {
  test("invalidates a squatter's concurrent rotation in either order", async () => {
    for (const order of [0, 1]) {
      const squatted = await owner(false);
      const rotating = () => rotate(squatted.key);
      const taking = () => register(squatted.account, true);
      const both = order === 0 ? [rotating, taking] : [taking, rotating];
      const statuses = await runInOrder(squatted.agentId, both);
      expect(statuses).toEqual(order === 0 ? [200, 201] : [201, 401]);
      expect(await liveKeys(squatted)).toBe(1);
      expect((await listed(squatted.key)).status).toBe(401);
    }
  });

  test("is not undone by a concurrent registration of the same wallet", async () => {
    const squatted = await owner(false);
    const all = await Promise.all([
      register(squatted.account, true),
      register(squatted.account, false),
      register(squatted.account, false),
    ]);
    expect(all.map(({ status }) => status)).toEqual([201, 409, 409]);
    expect(await liveKeys(squatted)).toBe(1);
    expect((await listed(all[0]?.body.apiKey)).status).toBe(200);
  });
});

describe("concurrent rotations", () => {
  test("each create a key that the owner can list and revoke", async () => {
    const busy = await owner();
    const made = await Promise.all([rotate(busy.key), rotate(busy.key), rotate(busy.key)]);
    expect(made.map(({ status }) => status)).toEqual([200, 200, 200]);
    const [last] = made.map(({ body }) => body.apiKey);
    const seen: string[] = (await listed(last)).body.map((one: { keyId: string }) => one.keyId);
    expect(seen).toHaveLength(4);
    for (const { body } of made) expect(seen).toContain(body.keyId);
    const own = await idOf(last);
    for (const keyId of seen.filter((one) => one !== own)) {
      expect((await revoke(last, keyId)).status).toBe(204);
    }
    expect((await revoke(last, own)).status).toBe(204);
    expect(await liveKeys(busy)).toBe(0);
  });

  test("do not make requests fail while the old key remains valid for a day", async () => {
    const busy = await owner();
    const [rotated, ...uses] = await Promise.all([
      rotate(busy.key),
      ...Array.from({ length: 8 }, () => listed(busy.key)),
    ]);
    expect(rotated.status).toBe(200);
    expect(uses.map(({ status }) => status)).toEqual(Array(8).fill(200));
  });
});

describe("a key that is revoked while its request is in progress", () => {
  /** Returns the status of a request whose key is revoked between its check and its write. */
  async function sendWithRevokedKey(
    robbed: Owner,
    send: () => Promise<CallResult>,
  ): Promise<number | undefined> {
    const further = (await rotate(robbed.key)).body.apiKey;
    const stolen = await idOf(robbed.key);
    const [revoked, status] = await runInOrder(robbed.agentId, [
      () => revoke(further, stolen),
      send,
    ]);
    expect(revoked).toBe(204);
    return status;
  }

  test("creates no other key", async () => {
    const robbed = await owner();
    expect(await sendWithRevokedKey(robbed, () => rotate(robbed.key))).toBe(401);
    expect(await liveKeys(robbed)).toBe(1);
  });

  test("proves no wallet", async () => {
    const robbed = await owner(false);
    const request = () => register(robbed.account, true, robbed.key);
    expect(await sendWithRevokedKey(robbed, request)).toBe(401);
    const { db } = service.database;
    const [agent] = await db.select().from(agents).where(eq(agents.id, robbed.agentId));
    expect(agent).toMatchObject({ walletVerifiedAt: null });
  });

  test("neither deletes nor calls a webhook", async () => {
    const robbed = await owner();
    const body = { url: "http://127.0.0.1:1024/hook", events: ["outcome.resolved"] };
    const made = await service.call("POST", "/webhooks", { key: robbed.key, body });
    const hook = `/webhooks/${made.body.webhookId}`;
    const pinged = await service.call("POST", `${hook}/ping`, { key: robbed.key });
    const again = `${hook}/deliveries/${pinged.body.deliveryId}/redeliver`;
    for (const [method, path] of [
      ["POST", `${hook}/ping`],
      ["POST", again],
      ["DELETE", hook],
    ] as const) {
      const { key } = robbed;
      expect(await sendWithRevokedKey(robbed, () => service.call(method, path, { key }))).toBe(401);
      robbed.key = (await register(robbed.account, true)).body.apiKey;
    }
    const { db } = service.database;
    const deliveries = await db
      .select({ run: webhookDeliveries.run })
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, made.body.webhookId));
    expect(deliveries).toEqual([{ run: 1 }]);
  });

  test("creates no webhook", async () => {
    const robbed = await owner();
    const body = { url: "http://127.0.0.1:1024/hook", events: ["outcome.resolved"] };
    const request = () => service.call("POST", "/webhooks", { key: robbed.key, body });
    expect(await sendWithRevokedKey(robbed, request)).toBe(401);
    const { db } = service.database;
    expect(await db.select().from(webhooks).where(eq(webhooks.agentId, robbed.agentId))).toEqual(
      [],
    );
  });

  test("submits no outcome", async () => {
    const robbed = await owner();
    const body = {
      contractorAgentAddress: robbed.account.address,
      requesterAgentAddress: `0x${"2".repeat(40)}`,
      taskDescription: "Name three rivers of Europe.",
      taskCategory: "research",
      deliverableContent: "The Rhine, the Loire and the Vistula.",
      valueUsdc: 1,
    };
    const request = () => service.call("POST", "/outcome", { key: robbed.key, body });
    expect(await sendWithRevokedKey(robbed, request)).toBe(401);
    const mine = sql`lower(${outcomes.contractor}) = lower(${robbed.account.address})`;
    expect(await service.database.db.select().from(outcomes).where(mine)).toEqual([]);
  });
});
