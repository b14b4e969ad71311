import { and, asc, eq, inArray, isNotNull, lt, min } from "drizzle-orm";
import { type AuthenticatedAgent, lockAgent } from "@/server/agents/authenticate";
import { array } from "@/server/db/arrays";
import { readNames } from "@/server/explorer/queries";
import { readChecked } from "@/server/explorer/risk/read-checked";
import type { CheckedAgent } from "@/server/explorer/risk/recommend";
import type { Core, Database, Sql } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Tier } from "@/server/lib/schema";
import { quoteName } from "@/server/mail/render-mail";
import { TIER_LABELS } from "@/server/reputation/policy";
import { type Alerts, MAX_WATCHED } from "./schema";
import { storeMails } from "./store-mails";
import { emailAddresses, watchedAgents } from "./tables";

/** Wallets that one call checks. */
const CHECK_BATCH = 100;

/** What a watcher knows of an agent, as it is stored. */
const toKnown = ({ reputation, risk }: CheckedAgent): string[] => [
  reputation.tier,
  ...risk.flags.map((flag) => flag.risk).sort(),
];

/** Adds a wallet to the owner's watch list. Throws `too-many-watches` and the errors of `lockAgent`. */
export async function watchAgent(db: Database, agent: AuthenticatedAgent, wallet: string) {
  const getChecked = await readChecked(db, [wallet], new Date());
  await db.transaction(async (tx) => {
    await lockAgent(tx, agent, "update");
    if ((await tx.$count(watchedAgents, eq(watchedAgents.agentId, agent.id))) >= MAX_WATCHED) {
      throw new AppError("too-many-watches", `You can watch ${MAX_WATCHED} agents.`);
    }
    await tx
      .insert(watchedAgents)
      .values({ agentId: agent.id, wallet, known: toKnown(getChecked(wallet)) })
      .onConflictDoNothing();
  });
}

/** Returns the SQL condition for an entry of a watch list. */
const whereEntry = (agentId: string, wallet: string) =>
  and(eq(watchedAgents.agentId, agentId), eq(watchedAgents.wallet, wallet));

/** Removes a wallet from the owner's watch list. */
export async function unwatchAgent(db: Sql, agentId: string, wallet: string): Promise<void> {
  await db.delete(watchedAgents).where(whereEntry(agentId, wallet));
}

/** Makes an owner know the watched agents as the next check finds them, so nothing earlier is mailed. */
export async function forgetChanges(db: Sql, agentId: string): Promise<void> {
  await db.update(watchedAgents).set({ known: [] }).where(eq(watchedAgents.agentId, agentId));
}

/** Returns the watched agents as they are now, those added first at the start. */
export async function listWatched(db: Database, agentId: string): Promise<Alerts["watched"]> {
  const rows = await db
    .select({ wallet: watchedAgents.wallet })
    .from(watchedAgents)
    .where(eq(watchedAgents.agentId, agentId))
    .orderBy(asc(watchedAgents.createdAt), asc(watchedAgents.wallet));
  const { names, getChecked } = await readAgents(db, rows, new Date());
  return rows.map(({ wallet }) => {
    const { reputation, risk } = getChecked(wallet);
    const risks = risk.flags.map(({ title }) => title);
    return { walletAddress: wallet, name: names[wallet] ?? null, tier: reputation.tier, risks };
  });
}

async function readAgents(db: Database, rows: { wallet: string }[], now: Date) {
  const wallets = rows.map(({ wallet }) => wallet);
  const [names, getChecked] = [await readNames(db, wallets), await readChecked(db, wallets, now)];
  return { wallets, names, getChecked };
}

/**
 * Compares the wallets that were checked longest ago with what their watchers know, of watchers with a
 * confirmed address, and mails the changes, at most one mail to a watcher. Over the daily limit, a change stays to be mailed.
 */
export async function mailChanges(core: Pick<Core, "db" | "publish">, now: Date): Promise<number> {
  const oldest = await core.db
    .select({ wallet: watchedAgents.wallet })
    .from(watchedAgents)
    .innerJoin(emailAddresses, eq(emailAddresses.agentId, watchedAgents.agentId))
    .where(and(lt(watchedAgents.checkedAt, now), isNotNull(emailAddresses.confirmedAt)))
    .groupBy(watchedAgents.wallet)
    .orderBy(min(watchedAgents.checkedAt))
    .limit(CHECK_BATCH);
  if (oldest.length === 0) return 0;
  const { wallets, names, getChecked } = await readAgents(core.db, oldest, now);
  const describe = ({ wallet, known: [before] }: { wallet: string; known: string[] }) => {
    const { reputation, risk } = getChecked(wallet);
    const name =
      names[wallet] === undefined ? "" : `, named by its owner ${quoteName(names[wallet])}`;
    const tier = TIER_LABELS[reputation.tier];
    const isSame = before === reputation.tier;
    return [
      `Agent ${wallet}${name}`,
      `Tier: ${tier}${isSame ? "" : `, before ${TIER_LABELS[before as Tier]}`}`,
      `Risks: ${risk.flags.map(({ title }) => title).join("; ") || "none"}`,
      `/agents/${wallet}`,
      "",
    ];
  };
  return core.db.transaction(async (tx) => {
    const checked = await tx
      .update(watchedAgents)
      .set({ checkedAt: now })
      // An entry that was added since may know more than what was read.
      .where(and(inArray(watchedAgents.wallet, wallets), lt(watchedAgents.createdAt, now)))
      .returning();
    const differing = checked.filter(
      ({ wallet, known }) => known.join() !== toKnown(getChecked(wallet)).join(),
    );
    const changed = differing.filter(({ known }) => known.length > 0);
    const watchers = changed.map(({ agentId }) => agentId);
    const addresses = await tx.sql<{ agentId: string; webhookId: string }[]>`
      select email_addresses.agent_id as "agentId", webhook_id as "webhookId"
      from email_addresses join webhooks on webhooks.id = webhook_id
      where confirmed_at is not null and status = 'active'
        and email_addresses.agent_id = any(${array(tx.sql, "uuid", watchers)})`;
    const mails = addresses.map(({ agentId, webhookId }) => ({
      webhookId,
      kind: "change" as const,
      key: `mail.change:${webhookId}:${now.toISOString()}`,
      subject: "Changes of agents that you watch",
      lines: changed.filter((one) => one.agentId === agentId).flatMap(describe),
    }));
    const mailed = await storeMails(core, tx, mails, now);
    const waiting = addresses.filter(({ webhookId }) => !mailed.has(webhookId));
    for (const { agentId, wallet } of differing) {
      if (waiting.some((address) => address.agentId === agentId)) continue;
      const known = toKnown(getChecked(wallet));
      await tx.update(watchedAgents).set({ known }).where(whereEntry(agentId, wallet));
    }
    return mailed.size;
  });
}
