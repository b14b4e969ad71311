import { sql } from "drizzle-orm";
import { runPlanned } from "@/server/explorer/run-sql";
import { profileInput } from "@/server/explorer/schema";
import type { Database } from "@/server/lib/context";
import { AppError } from "@/server/lib/errors";
import type { Tier, Verdict } from "@/server/lib/schema";
import { createParser, publicProcedure } from "@/server/lib/trpc";
import { toPublishedScore } from "@/server/reputation/score/public-reputation";
import { type Feed, type FeedEntry, feed } from "./schema";

const MAX_ENTRIES = 50;
/** Changes of the score that are searched for a change of the tier. */
const SEARCHED_CHANGES = 500;

/**
 * Returns the newest outcomes, disputes and tier changes of a wallet. Null if it is neither
 * registered nor a party of a recorded outcome.
 */
export async function readFeed(db: Database, wallet: string): Promise<Feed | null> {
  const [[agent], ...entries] = await Promise.all([
    runPlanned<{ name: string; registeredAt: string | Date }>(
      db,
      sql`select name, created_at as "registeredAt" from agents where wallet = ${wallet}`,
    ),
    readOutcomes(db, wallet),
    readDisputes(db, wallet),
    readTierChanges(db, wallet),
  ]);
  const newest = entries
    .flat()
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .slice(0, MAX_ENTRIES);
  const updatedAt = newest[0]?.at ?? (agent && toIso(agent.registeredAt));
  if (updatedAt === undefined) return null;
  return { walletAddress: wallet, name: agent?.name ?? null, updatedAt, entries: newest };
}

type Time = string | Date;
const toIso = (time: Time) => new Date(time).toISOString();

type Party = Pick<Extract<FeedEntry, { kind: "outcome" }>, "role" | "title" | "category" | "other">;

/** The other party of a row `own`. */
const OTHER = sql`json_build_object('walletAddress', own.other, 'name', agents.name) as other`;

/** Reads the newest of each role along its index, because a wallet can have many. */
async function readOutcomes(db: Database, wallet: string): Promise<FeedEntry[]> {
  const select = (role: string, other: string) => sql`
    (select id, submitted_at, ${role} as role, ${sql.identifier(other)} as other from outcomes
     where ${sql.identifier(role)} = ${wallet} and status = 'RESOLVED'
     order by submitted_at desc limit ${MAX_ENTRIES})`;
  const rows = await runPlanned<
    Party & { id: string; at: Time; verdict: Verdict; assessed: boolean; valueUsdc: number }
  >(
    db,
    sql`select own.id, own.role, ${OTHER},
        title, task_category as category, verdict, assessed, value_micro::float8 / 1000000 as "valueUsdc",
        resolved_at as at
      from (
        select * from (${select("contractor", "requester")}
          union all ${select("requester", "contractor")}) as newest
        order by submitted_at desc limit ${MAX_ENTRIES}
      ) as own
      join outcomes using (id) left join agents on agents.wallet = own.other`,
  );
  return rows.map(({ id, at, verdict, assessed, valueUsdc, ...party }) => ({
    kind: "outcome",
    at: toIso(at),
    outcomeId: id,
    ...party,
    verdict,
    assessed,
    valueUsdc,
  }));
}

/** An open dispute is one entry, a resolved one is two. */
async function readDisputes(db: Database, wallet: string): Promise<FeedEntry[]> {
  const select = (role: string, other: string) => sql`
    (select id, ${role} as role, ${sql.identifier(other)} as other from disputes
     where ${sql.identifier(role)} = ${wallet} order by opened_at desc limit ${MAX_ENTRIES})`;
  const rows = await runPlanned<
    Party & {
      id: string;
      openedAt: Time;
      resolvedAt: Time | null;
      recordedVerdict: Verdict;
      finalVerdict: Verdict | null;
    }
  >(
    db,
    sql`select own.id, own.role, ${OTHER},
        title, outcomes.task_category as category, disputes.opened_at as "openedAt",
        disputes.resolved_at as "resolvedAt", disputes.recorded_verdict as "recordedVerdict",
        disputes.final_verdict as "finalVerdict"
      from (${select("contractor", "requester")}
        union all ${select("requester", "contractor")}) as own
      join disputes using (id) join outcomes on outcomes.id = disputes.outcome_id
      left join agents on agents.wallet = own.other`,
  );
  return rows.flatMap(({ id, openedAt, resolvedAt, recordedVerdict, finalVerdict, ...party }) => {
    const shared = { disputeId: id, ...party, recordedVerdict };
    const opened: FeedEntry = {
      ...shared,
      kind: "dispute-opened",
      at: toIso(openedAt),
      finalVerdict: null,
    };
    // The verdict is public once its record is confirmed.
    if (resolvedAt === null) return [opened];
    return [opened, { ...shared, kind: "dispute-resolved", at: toIso(resolvedAt), finalVerdict }];
  });
}

async function readTierChanges(db: Database, wallet: string): Promise<FeedEntry[]> {
  const rows = await runPlanned<{
    version: number;
    at: Time;
    from: Tier;
    to: Tier;
    scoreE4: number;
  }>(
    db,
    sql`select version, at, previous as "from", tier as "to", score_e_4 as "scoreE4" from (
        select version, at, tier, score_e_4, lag(tier) over (order by version) as previous from (
          select version, at, tier, score_e_4 from reputation_history
          where wallet = ${wallet} order by version desc limit ${SEARCHED_CHANGES}
        ) as newest
      ) as changes
      where previous <> tier order by version desc limit ${MAX_ENTRIES}`,
  );
  return rows.map(({ version, at, from, to, scoreE4 }) => ({
    kind: "tier",
    at: toIso(at),
    version,
    from,
    to,
    score: toPublishedScore(scoreE4),
  }));
}

/** For the Atom feed of a profile, which is a page of the site, not of the REST API. */
export const feedProcedure = publicProcedure
  .input(createParser(profileInput))
  .output(feed)
  .query(async ({ ctx, input }) => {
    const found = await readFeed(ctx.db, input.walletAddress);
    if (!found) throw new AppError("not-found", "No record names this wallet.");
    return found;
  });
