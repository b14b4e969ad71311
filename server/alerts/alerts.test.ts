import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { agents } from "@/server/agents/tables";
import { agreements } from "@/server/agreements/tables";
import { disputes } from "@/server/disputes/tables";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/server/lib/time";
import { toAppError } from "@/server/lib/to-app-error";
import { createCallerFactory } from "@/server/lib/trpc";
import { requeueOverdue } from "@/server/operations/requeue";
import { outcomes } from "@/server/outcomes/tables";
import { formatUtcDay } from "@/server/reputation/score/public-reputation";
import { reputations } from "@/server/reputation/tables";
import { createTestContext, createTestCore } from "@/server/testing/core";
import { createTestDatabase, deleteAllRows } from "@/server/testing/database";
import { createTestAgent, type TestAgent } from "@/server/testing/fixtures/agent";
import { buildRecordedRow } from "@/server/testing/fixtures/outcome";
import { createWallet } from "@/server/testing/fixtures/sample-ledger";
import { startMailServer } from "@/server/testing/http/mail-server";
import { attemptDelivery } from "@/server/webhooks/deliver";
import { webhooksRouter } from "@/server/webhooks/router";
import { webhookDeliveries, webhooks } from "@/server/webhooks/tables";
import { dueDeliveries, pruneMails } from "@/server/webhooks/work";
import { pruneAddresses } from "./address";
import { mailDeadlines } from "./deadlines";
import { alertsRouter } from "./router";
import { MAX_PER_KIND } from "./store-mails";
import { confirmationMails, watchedAgents } from "./tables";
import { mailChanges } from "./watch-list";

const database = await createTestDatabase();
const mailServer = await startMailServer();
const { db } = database;
const core = createTestCore(database, {
  env: { SMTP_URL: mailServer.url, MAIL_FROM: "Standing <alerts@standing.example>" },
});
afterAll(async () => {
  await mailServer.close();
  await database.close();
});
beforeEach(async () => {
  await deleteAllRows(database);
  mailServer.mails.length = 0;
});

const createCaller = createCallerFactory(alertsRouter);
const as = (apiKey: string | null, ip = "192.0.2.1") =>
  createCaller(createTestContext(core, { apiKey, ip }).context);
const stranger = as(null);
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => "accepted",
    (error) => toAppError(error).code,
  );

async function createOwner() {
  const agent = await createTestAgent(core, { isVerified: true });
  return { agent, api: as(agent.apiKey) };
}

/** Makes the due attempt of every pending delivery. Returns when the next one of each is due. */
async function sendDue(at?: Date): Promise<(Date | null)[]> {
  const pending = await db
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.status, "pending"))
    .orderBy(webhookDeliveries.id);
  const next: (Date | null)[] = [];
  for (const { id, run } of pending) {
    const clock = at && (() => at);
    next.push(await attemptDelivery(core, { deliveryId: id, run }, clock));
  }
  return next;
}

/** Returns id and token of the first link of a mail with an action. */
function readLink(action: string, mail = mailServer.mails.at(-1)) {
  const [, query] = mail?.text.match(new RegExp(`/email\\?action=${action}&(\\S+)`)) ?? [];
  return Object.fromEntries(new URLSearchParams(query)) as { id: string; token: string };
}

/** Creates an owner with a confirmed address. */
async function createReachable(address = "owner@example.com") {
  const owner = await createOwner();
  await owner.api.setAddress({ address });
  await sendDue();
  await stranger.confirmAddress(readLink("confirm"));
  mailServer.mails.length = 0;
  return owner;
}

const expireConfirmations = () =>
  db.execute(sql`update confirmation_mails set created_at = now() - interval '25 hours'`);

describe("an address", () => {
  test("gets one mail, which confirms it", async () => {
    const { agent, api } = await createOwner();
    await api.setAddress({ address: "owner@example.com" });
    expect(await api.get()).toMatchObject({
      sendsMail: true,
      email: { address: "owner@example.com", state: "unconfirmed" },
    });
    await sendDue();
    const [mail] = mailServer.mails;
    expect(mail).toMatchObject({ from: "alerts@standing.example", to: ["owner@example.com"] });
    expect(mail?.headers).toMatchObject({
      subject: "Confirm your address for alerts",
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
      "auto-submitted": "auto-generated",
    });
    expect(mail?.headers["list-unsubscribe"]).toContain("/email/unsubscribe?id=");
    expect(mail?.text).toContain(agent.wallet);

    const link = readLink("confirm");
    expect(await refusal(stranger.confirmAddress({ ...link, token: "x".repeat(43) }))).toBe(
      "not-found",
    );
    await stranger.confirmAddress(link);
    await stranger.confirmAddress(link);
    expect((await api.get()).email?.state).toBe("confirmed");
    expect(await sendDue()).toEqual([]);
  });

  test("is stored without the token of its links", async () => {
    const { api } = await createOwner();
    await api.setAddress({ address: "owner@example.com" });
    await sendDue();
    const { token } = readLink("confirm");
    const rows = await db.execute(
      sql`select w::text, d::text from webhooks w join webhook_deliveries d on d.webhook_id = w.id`,
    );
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token).toString("hex"));
  });

  test("cannot be confirmed after a day, and is deleted then", async () => {
    const { api } = await createOwner();
    await api.setAddress({ address: "owner@example.com" });
    await sendDue();
    await db.execute(sql`update email_addresses set created_at = now() - interval '25 hours'`);
    expect(await refusal(stranger.confirmAddress(readLink("confirm")))).toBe("not-found");
    await pruneAddresses(db, new Date());
    expect((await api.get()).email).toBeNull();
    expect(await db.$count(webhooks)).toBe(0);
  });

  test("that another one replaces cannot be confirmed any more", async () => {
    const { api } = await createOwner();
    await api.setAddress({ address: "old@example.com" });
    await sendDue();
    const old = readLink("confirm");
    await api.setAddress({ address: "new@example.com" });
    expect(await refusal(stranger.confirmAddress(old))).toBe("not-found");
    expect((await api.get()).email).toEqual({ address: "new@example.com", state: "unconfirmed" });
  });

  test("of a stranger gets three requests a day at most, from all accounts together", async () => {
    const spellings = ["victim@example.com", "Victim+1@example.com", "v.ictim+2@EXAMPLE.com"];
    for (const address of spellings) await (await createOwner()).api.setAddress({ address });
    const { api } = await createOwner();
    expect(await refusal(api.setAddress({ address: "vic.tim@example.com" }))).toBe("rate-limited");
    expect((await api.get()).email).toBeNull();
    await expireConfirmations();
    expect(await refusal(api.setAddress({ address: "vic.tim@example.com" }))).toBe("accepted");
  });

  test("can be changed five times a day", async () => {
    const { api } = await createOwner();
    const set = (n: number) => refusal(api.setAddress({ address: `owner${n}@example.com` }));
    for (let n = 1; n <= 5; n += 1) expect(await set(n)).toBe("accepted");
    expect(await set(6)).toBe("rate-limited");
    await expireConfirmations();
    expect(await set(6)).toBe("accepted");
  });

  test("can be asked for twenty times a day from a network, and a thousand times in total", async () => {
    const { agent, api } = await createOwner();
    const other = as(agent.apiKey, "2001:db8::1");
    await api.setAddress({ address: "a@example.com" });
    const [asked] = await db.select().from(confirmationMails);
    const fill = (count: number, client: Buffer | null) =>
      db.insert(confirmationMails).values(
        Array.from({ length: count }, (_, n) => ({
          wallet: createWallet(n),
          inbox: Buffer.alloc(32, n),
          client,
          createdAt: inMinutes(-60 * 23),
        })),
      );
    await fill(19, asked?.client ?? null);
    const refused = await api.setAddress({ address: "b@example.com" }).then(
      () => null,
      (error) => toAppError(error),
    );
    expect(refused?.code).toBe("rate-limited");
    // The 20th newest is 23 hours old.
    expect(Math.round(Number(refused?.headers["Retry-After"]) / 600)).toBe(6);
    await fill(979, null);
    await other.setAddress({ address: "b@example.com" });
    expect(await refusal(other.setAddress({ address: "c@example.com" }))).toBe("rate-limited");
  });

  test("ends by one click, with everything that waits", async () => {
    const { api } = await createReachable();
    await api.watch({ walletAddress: createWallet(9) });
    await api.setAddress({ address: "owner@example.com" });
    await sendDue();
    const link = readLink("unsubscribe");
    expect(await refusal(stranger.unsubscribe({ ...link, token: "wrong" }))).toBe("not-found");
    await stranger.unsubscribe(link);
    expect(await api.get()).toMatchObject({ email: null, watched: [{ name: null }] });
    expect(await refusal(stranger.unsubscribe(link))).toBe("not-found");
  });

  test("ends with its agent, and when its owner removes it", async () => {
    const { agent } = await createReachable("one@example.com");
    const { api } = await createReachable("two@example.com");
    await db.delete(agents).where(eq(agents.id, agent.id));
    expect(await db.$count(webhooks)).toBe(1);
    await api.removeAddress();
    expect([await db.$count(webhooks), (await api.get()).email]).toEqual([0, null]);
  });

  test("is neither listed nor changed as a webhook", async () => {
    const { agent } = await createReachable();
    const api = createCallerFactory(webhooksRouter)(
      createTestContext(core, { apiKey: agent.apiKey }).context,
    );
    const [row] = await db.select().from(webhooks);
    expect(await api.list()).toEqual([]);
    for (const call of [api.get, api.ping, api.remove, api.rotate]) {
      expect(await refusal(call({ webhookId: row?.id ?? "" }))).toBe("not-found");
    }
  });

  test("needs a signed-in or keyed owner with a verified wallet", async () => {
    const unverified = as((await createTestAgent(core)).apiKey);
    expect(await refusal(stranger.get())).toBe("unauthenticated");
    expect(await refusal(unverified.get())).toBe("forbidden");
    expect(await refusal(unverified.setAddress({ address: "a@example.com" }))).toBe("forbidden");
  });

  test("is not accepted by a service that sends no mail", async () => {
    const { agent } = await createOwner();
    const env = { SMTP_URL: undefined, MAIL_FROM: undefined };
    const silent = createTestContext(createTestCore(database, { env }), { apiKey: agent.apiKey });
    const api = createCaller(silent.context);
    expect(await api.get()).toEqual({ sendsMail: false, email: null, watched: [] });
    expect(await refusal(api.setAddress({ address: "owner@example.com" }))).toBe("conflict");
  });
});

describe("a mail", () => {
  test("is sent again after a temporary failure, once, with the same id", async () => {
    const { api } = await createOwner();
    mailServer.refuseNext(451);
    await api.setAddress({ address: "owner@example.com" });
    const next = await sendDue();
    expect(next).toEqual([expect.any(Date)]);
    expect(await sendDue()).toEqual(next);
    expect(mailServer.mails).toEqual([]);
    const [delivery] = await db.select().from(webhookDeliveries);
    const later = new Date(Date.now() + DAY_MS);
    expect(await sendDue(later)).toEqual([null]);
    expect(await sendDue(later)).toEqual([]);
    expect(mailServer.mails).toHaveLength(1);
    expect(mailServer.mails[0]?.headers["message-id"]).toContain(delivery?.eventId);
  });

  test("that a mailbox refuses for good is the last one", async () => {
    const { api } = await createOwner();
    mailServer.refuseNext(550);
    await api.setAddress({ address: "closed@example.com" });
    expect(await sendDue()).toEqual([null]);
    expect((await api.get()).email?.state).toBe("refused");
  });

  test.each([
    ["MAIL FROM", "refused"],
    ["RCPT TO", "5.7.1 Client host blocked"],
  ] as const)("that is refused for its sender at %s is sent again", async (step, text) => {
    const { api } = await createOwner();
    mailServer.refuseNext(550, step, text);
    await api.setAddress({ address: "owner@example.com" });
    await sendDue();
    expect((await api.get()).email?.state).toBe("unconfirmed");
    await sendDue(new Date(Date.now() + DAY_MS));
    expect(mailServer.mails).toHaveLength(1);
  });

  test("that fails for days leaves its address on", async () => {
    const { api } = await createReachable();
    await db.update(webhooks).set({ failingSince: new Date(Date.now() - 9 * DAY_MS) });
    await api.watch({ walletAddress: WATCHED });
    await setTier("NEWCOMER", 300_000);
    expect(await mailChanges(core, inMinutes(1))).toBe(1);
    let day = 0;
    let next: (Date | null)[];
    do {
      mailServer.refuseNext(451);
      day += 1;
      next = await sendDue(new Date(Date.now() + day * DAY_MS));
    } while (next[0] && day < 20);
    expect(next).toEqual([null]);
    expect((await db.select().from(webhooks)).map(({ status }) => status)).toEqual(["active"]);
  });

  test("is deleted a week after it was sent", async () => {
    await createReachable();
    const prune = (days: number) => pruneMails(db, new Date(Date.now() + days * DAY_MS));
    expect([await prune(6), await prune(8)]).toEqual([0, 1]);
  });

  test("that was stored before a crash is published again", async () => {
    const { api } = await createOwner();
    await api.setAddress({ address: "owner@example.com" });
    core.published.length = 0;
    expect(await requeueOverdue(core, dueDeliveries, new Date(Date.now() + HOUR_MS))).toBe(1);
    expect(core.published).toMatchObject([{ name: "webhook/delivery-due" }]);
  });
});

const WATCHED = createWallet(7);

async function setTier(tier: "TRUSTED" | "NEWCOMER", scoreE4: number) {
  const row = {
    wallet: WATCHED,
    scoreE4,
    tier,
    totalOutcomes: 3,
    confirmedOutcomes: 3,
    successRateE4: 10_000,
    disputeRateE4: 0,
    categoryScoresE4: {},
    breakdown: {
      quality: 1,
      confidence: 0.8,
      good: 12,
      tenureCapacity: 20,
      claimed: [0, 0] as [number, number],
      paid: [12, 0] as [number, number],
      anchored: [0, 0] as [number, number],
    },
    version: 1,
    scoreDay: formatUtcDay(new Date()),
    lastUpdated: new Date(),
  };
  await db
    .insert(reputations)
    .values(row)
    .onConflictDoUpdate({ target: reputations.wallet, set: { tier, scoreE4 } });
}

/** Puts a hundred agents on a watch list, which were checked a while ago. */
const fillList = ({ id: agentId }: TestAgent) =>
  db.insert(watchedAgents).values(
    Array.from({ length: 100 }, (_, n) => ({
      agentId,
      wallet: createWallet(200 + n),
      known: ["UNRANKED"],
      checkedAt: inMinutes(-9),
    })),
  );

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS);

describe("a watched agent", () => {
  test("causes one mail when its tier changes", async () => {
    await setTier("TRUSTED", 750_000);
    const { api } = await createReachable();
    await api.watch({ walletAddress: WATCHED });
    await api.watch({ walletAddress: WATCHED });
    expect(await mailChanges(core, inMinutes(1))).toBe(0);
    await setTier("NEWCOMER", 300_000);
    expect(await mailChanges(core, inMinutes(2))).toBe(1);
    expect(await mailChanges(core, inMinutes(3))).toBe(0);
    await sendDue();
    expect(mailServer.mails).toHaveLength(1);
    expect(mailServer.mails[0]?.text).toContain("Tier: Newcomer, before Trusted");
    expect((await api.get()).watched).toMatchObject([{ walletAddress: WATCHED, tier: "NEWCOMER" }]);
  });

  test("causes one mail for all risks that it gets", async () => {
    const { api } = await createReachable();
    await api.watch({ walletAddress: WATCHED });
    for (let hour = 1; hour <= 4; hour += 1) {
      await db.insert(outcomes).values(
        buildRecordedRow({
          contractor: WATCHED,
          requester: createWallet(100 + hour),
          verdict: "FAILURE",
          paidMicro: 5_000_000n,
          confidencePpm: 900_000,
          submittedAt: inMinutes(-60 * hour),
          resolvedAt: inMinutes(-60 * hour),
        }),
      );
    }
    expect(await mailChanges(core, inMinutes(1))).toBe(1);
    expect(await mailChanges(core, inMinutes(2))).toBe(0);
    await sendDue();
    expect(mailServer.mails[0]?.text).toMatch(/Risks: .*failures/);
  });

  test("causes no mail to an address that is not confirmed, nor later for what happened before", async () => {
    await setTier("TRUSTED", 750_000);
    const { api } = await createOwner();
    await api.watch({ walletAddress: WATCHED });
    await api.setAddress({ address: "owner@example.com" });
    await setTier("NEWCOMER", 300_000);
    expect(await mailChanges(core, inMinutes(1))).toBe(0);
    await sendDue();
    await stranger.confirmAddress(readLink("confirm"));
    expect(await mailChanges(core, inMinutes(2))).toBe(0);
    await setTier("TRUSTED", 750_000);
    expect(await mailChanges(core, inMinutes(3))).toBe(1);
  });

  test("does not wait for those that owners without an address watch", async () => {
    await setTier("TRUSTED", 750_000);
    await fillList((await createOwner()).agent);
    const { api } = await createReachable();
    await api.watch({ walletAddress: WATCHED });
    await setTier("NEWCOMER", 300_000);
    expect(await mailChanges(core, inMinutes(1))).toBe(1);
  });

  test("is not compared with its past by a watcher who added it since", async () => {
    await setTier("TRUSTED", 750_000);
    const [one, two] = [await createReachable(), await createReachable("two@example.com")];
    await one.api.watch({ walletAddress: WATCHED });
    await two.api.watch({ walletAddress: WATCHED });
    await setTier("NEWCOMER", 300_000);
    await db
      .update(watchedAgents)
      .set({ createdAt: inMinutes(2) })
      .where(eq(watchedAgents.agentId, two.agent.id));
    expect(await mailChanges(core, inMinutes(1))).toBe(1);
  });

  test("over the daily limit, causes its mail on the next day", async () => {
    await setTier("TRUSTED", 750_000);
    const { api } = await createReachable();
    await api.watch({ walletAddress: WATCHED });
    await fillDay("change");
    await setTier("NEWCOMER", 300_000);
    expect(await mailChanges(core, inMinutes(1))).toBe(0);
    await db.execute(sql`update webhook_deliveries set created_at = now() - interval '25 hours'`);
    expect(await mailChanges(core, inMinutes(2))).toBe(1);
  });

  test("leaves the list when its watcher says so, and only that watcher's", async () => {
    const [one, two] = [await createOwner(), await createOwner()];
    await one.api.watch({ walletAddress: WATCHED });
    await two.api.watch({ walletAddress: WATCHED });
    await one.api.unwatch({ walletAddress: WATCHED });
    expect([(await one.api.get()).watched, (await two.api.get()).watched.length]).toEqual([[], 1]);
  });

  test("is refused beyond a hundred", async () => {
    const { agent, api } = await createOwner();
    await fillList(agent);
    expect(await refusal(api.watch({ walletAddress: WATCHED }))).toBe("too-many-watches");
  });
});

/** Stores as many mails of a kind as an address gets in a day. */
async function fillDay(kind: string) {
  const [row] = await db.select().from(webhooks);
  await db.insert(webhookDeliveries).values(
    Array.from({ length: MAX_PER_KIND }, () => ({
      webhookId: row?.id ?? "",
      eventId: randomUUID(),
      event: `mail.${kind}`,
      payload: "{}",
      status: "delivered" as const,
    })),
  );
}

async function openDispute({ wallet }: TestAgent, expiresAt: Date) {
  const parties = { contractor: createWallet(50), requester: wallet };
  const [outcome] = await db.insert(outcomes).values(buildRecordedRow(parties)).returning();
  await db.insert(disputes).values({
    ...parties,
    outcomeId: outcome?.id ?? "",
    openedBy: "contractor",
    recordedVerdict: "FAILURE",
    salt: Buffer.alloc(16),
    expiresAt,
  });
}

async function agree(row: Partial<typeof agreements.$inferInsert>) {
  const id = randomUUID();
  await db.insert(agreements).values({
    id,
    terms: { payment: "on-delivery" } as typeof agreements.$inferInsert.terms,
    termsHash: `0x${id.replaceAll("-", "").repeat(2)}`,
    digest: `0x${id.replaceAll("-", "").repeat(2)}`,
    requester: createWallet(51),
    contractor: createWallet(52),
    valueMicro: 1n,
    deliverBy: inMinutes(60 * 48),
    startBy: inMinutes(60),
    proposedBy: "requester",
    ...row,
  });
  return id;
}

describe("a deadline", () => {
  test("of a dispute, a proposal and a job is mailed once to whose turn it is", async () => {
    const { agent } = await createReachable();
    const { agent: other } = await createReachable("other@example.com");
    await openDispute(agent, inMinutes(60));
    const proposal = await agree({ contractor: agent.wallet, requester: other.wallet });
    const job = await agree({
      contractor: agent.wallet,
      status: "AGREED",
      deliverBy: inMinutes(90),
    });
    expect(await mailDeadlines(core, new Date())).toBe(1);
    expect(await mailDeadlines(core, inMinutes(1))).toBe(0);
    await sendDue();
    expect(mailServer.mails.map(({ to }) => to)).toEqual(Array(3).fill(["owner@example.com"]));
    const texts = mailServer.mails.map(({ text }) => text).join("\n");
    for (const part of [
      "/dashboard/disputes?dispute=",
      `/agreements/${proposal}`,
      `/agreements/${job}`,
    ]) {
      expect(texts).toContain(part);
    }
  });

  test("of a job is mailed once its money is there, if the terms need it before", async () => {
    const { agent } = await createReachable();
    for (const payment of ["upfront", "escrow"]) {
      const terms = { payment } as typeof agreements.$inferInsert.terms;
      const job = { contractor: agent.wallet, status: "AGREED", terms } as const;
      const deliverBy = inMinutes(90);
      const id = await agree({ ...job, deliverBy });
      expect(await mailDeadlines(core, new Date())).toBe(0);
      await db.update(agreements).set({ paidAt: new Date() }).where(eq(agreements.id, id));
      expect(await mailDeadlines(core, new Date())).toBe(1);
      // Nothing is owed for a job without a price.
      await agree({ ...job, deliverBy, valueMicro: 0n });
      expect(await mailDeadlines(core, new Date())).toBe(1);
    }
  });

  test("is mailed a day before, and not after it", async () => {
    const { agent } = await createReachable();
    await openDispute(agent, inMinutes(60 * 30));
    expect(await mailDeadlines(core, new Date())).toBe(0);
    expect(await mailDeadlines(core, inMinutes(60 * 31))).toBe(0);
    expect(await mailDeadlines(core, inMinutes(60 * 7))).toBe(1);
  });

  test("of a dispute or a job has room, however many agreements strangers propose", async () => {
    const { agent } = await createReachable();
    for (let n = 0; n < 30; n += 1) await agree({ contractor: agent.wallet });
    expect(await mailDeadlines(core, new Date())).toBe(1);
    await sendDue();
    expect(mailServer.mails).toHaveLength(MAX_PER_KIND);
    mailServer.mails.length = 0;
    await openDispute(agent, inMinutes(60 * 20));
    await agree({ contractor: agent.wallet, status: "AGREED", deliverBy: inMinutes(60 * 20) });
    expect(await mailDeadlines(core, new Date())).toBe(1);
    await sendDue();
    expect(mailServer.mails.map(({ headers }) => headers.subject).sort()).toEqual([
      expect.stringMatching(/^Answer a dispute before /),
      expect.stringMatching(/^Deliver under an agreement before /),
    ]);
    expect(mailServer.mails[0]?.text).toMatch(`You own ${agent.wallet}. `);
  });

  test("over the daily limit waits", async () => {
    const { agent } = await createReachable();
    await fillDay("dispute");
    await openDispute(agent, inMinutes(60));
    expect(await mailDeadlines(core, new Date())).toBe(0);
    await db.execute(sql`update webhook_deliveries set created_at = now() - interval '25 hours'`);
    expect(await mailDeadlines(core, new Date())).toBe(1);
  });
});
