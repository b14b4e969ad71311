import { and, eq, gt, inArray, lt, ne, not, notExists, or, sql } from "drizzle-orm";
import type { Core, Sql } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { getPublicUrl } from "@/server/lib/env";
import { DAY_MS } from "@/server/lib/time";
import { outcomes } from "@/server/outcomes/tables";
import { buildFeedbackFile, type FeedbackFacts } from "./feedback-file";
import { findSubjects, selectValue, whereCounted } from "./find-subjects";
import { feedbackFiles, givenFeedback } from "./tables";

/** Older outcomes give no feedback, so that a new link or setting publishes no long history. */
const RECENT_MS = 90 * DAY_MS;
const BATCH_SIZE = 100;

/**
 * Stores the feedback that is due now: about outcomes of the last 90 days, after the dispute window if
 * `ERC8004_PUBLISH` says so. Each outcome and value once. Does nothing if feedback is not published.
 */
export async function oweFeedback(
  core: Pick<Core, "db" | "chain" | "env">,
  now: Date,
): Promise<void> {
  const { db, chain, env } = core;
  const { feedbackAddress } = chain;
  if (env.ERC8004_PUBLISH === "off" || !feedbackAddress) return;
  const window = env.ERC8004_PUBLISH === "after-window" ? env.DISPUTE_WINDOW : 0;
  const isSame = and(
    eq(givenFeedback.outcomeId, outcomes.id),
    eq(givenFeedback.value, selectValue),
  );
  const isDue = and(
    gt(outcomes.submittedAt, new Date(now.getTime() - RECENT_MS)),
    lt(outcomes.resolvedAt, new Date(now.getTime() - window)),
    // The lost database may have given feedback about it.
    eq(outcomes.rebuilt, false),
    notExists(db.select({ id: givenFeedback.id }).from(givenFeedback).where(isSame)),
  );
  for (const { outcomeId, ...subject } of await findSubjects(core, isDue, BATCH_SIZE)) {
    const facts = { ...subject, outcomeId, client: feedbackAddress, publicUrl: getPublicUrl(env) };
    await db.transaction(async (tx) => {
      const { hash: fileHash } = await storeFile(tx, facts);
      const { value, agentId: erc8004AgentId } = subject;
      await tx
        .insert(givenFeedback)
        .values({ outcomeId, value, erc8004AgentId, fileHash })
        .onConflictDoNothing();
    });
  }
}

/** Stores the feedback file unless it is stored. Returns it with its hash. */
export async function storeFile(db: Sql, facts: FeedbackFacts) {
  const { file, hash } = buildFeedbackFile(facts);
  const { outcomeId } = facts;
  await db.insert(feedbackFiles).values({ hash, outcomeId, file }).onConflictDoNothing();
  return { file, hash };
}

/**
 * Takes back feedback whose outcome no longer counts or got another verdict: drops what was not signed
 * yet, and leaves the rest to be revoked.
 */
export async function withdrawFeedback({ db }: Pick<Core, "db">, now: Date): Promise<void> {
  const { status } = givenFeedback;
  const isWrong = or(not(whereCounted(db) ?? sql`true`), ne(givenFeedback.value, selectValue));
  await db
    .update(givenFeedback)
    .set({
      status: sql`case ${status} when 'owed' then 'dropped' else 'revoking' end`,
      dueSince: databaseNow,
    })
    .from(outcomes)
    .where(
      and(
        eq(outcomes.id, givenFeedback.outcomeId),
        inArray(status, ["owed", "given"]),
        gt(givenFeedback.dueSince, new Date(now.getTime() - RECENT_MS)),
        isWrong,
      ),
    );
}
