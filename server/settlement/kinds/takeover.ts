import { and, eq, isNull, lte, not, or, sql } from "drizzle-orm";
import { takeovers } from "@/server/agents/tables";
import type { Transaction } from "@/server/lib/context";
import { outcomes } from "@/server/outcomes/tables";
import { ledgerRecords } from "@/server/reputation/tables";
import { insertPlaceholderAgent } from "./rebuild";
import {
  insertLedgerRecords,
  lockRequesters,
  type RecordKind,
  rescore,
  select,
  whereUnrecorded,
} from "./record-kind";

/** Matches submissions of the registration that a takeover ended; none are added afterwards. */
const whereEndedByTakeover = and(
  isNull(outcomes.submitterAgentId),
  or(
    and(eq(outcomes.submittedBy, "contractor"), eq(outcomes.contractor, takeovers.wallet)),
    and(eq(outcomes.submittedBy, "requester"), eq(outcomes.requester, takeovers.wallet)),
  ),
);

const hasSubmissions = sql`exists (select from ${outcomes} where ${whereEndedByTakeover})`;

const pending = {
  table: takeovers,
  since: takeovers.at,
  where: and(eq(takeovers.recordNeeded, true), whereUnrecorded("takeover", takeovers.id)),
};

/** The end of an unproven registration: its submissions no longer count in any score. */
export const takeoverKind: RecordKind<"takeover"> = {
  pending,
  /**
   * Takeovers are recorded once all submissions of the registration that they ended are. Their time is
   * after the last of those records, since the score drops what resolved before a takeover.
   */
  async find(tx, selection) {
    await clearEmptyTakeovers(tx);
    const lastResolved = sql<
      number | null
    >`(select max(extract(epoch from ${outcomes.resolvedAt}))::float8 from ${outcomes} where ${whereEndedByTakeover})`;
    const isComplete = sql`not exists (select from ${outcomes} where ${eq(outcomes.status, "EVALUATING")} and ${whereEndedByTakeover})`;
    const { where, order } = select(pending, selection);
    const rows = await tx
      .select({ id: takeovers.id, wallet: takeovers.wallet, lastResolved })
      .from(takeovers)
      // One that was stored after `clearEmptyTakeovers` looked may have no submissions.
      .where(and(where, hasSubmissions, isComplete))
      .orderBy(order)
      .limit(selection.limit);
    return rows.map(({ id, wallet, lastResolved }) => {
      const at = Math.max(selection.now, Math.floor(lastResolved ?? 0) + 1);
      return { subjectId: id, record: { type: "takeover", wallet, at } };
    });
  },
  async settle(core, tx, [{ record, place, now }]) {
    // A concurrent settlement of this wallet's outcome either sees the record or is seen below.
    await lockRequesters.exclusive(tx, record.wallet);
    await insertLedgerRecords(tx, [{ record, place }]);
    const wallets = await findAffectedContractors(tx, record.wallet);
    await rescore(core, tx, wallets, { cause: "takeover", seq: place.seq, now });
  },
  async import(core, tx, confirmed) {
    const { record, now } = confirmed;
    await insertPlaceholderAgent(tx, record.wallet, now);
    const ended = await tx
      .update(takeovers)
      .set({ recordNeeded: false })
      .where(and(eq(takeovers.wallet, record.wallet), lte(takeovers.at, now)))
      .returning({ id: takeovers.id });
    const ids = ended.map(({ id }) => id);
    await takeoverKind.settle(core, tx, [{ ...confirmed, subjectId: ids[0] ?? "" }]);
    return ids;
  },
};

/**
 * Clears `recordNeeded` of takeovers from registrations without submissions, which change no
 * score.
 */
async function clearEmptyTakeovers(tx: Transaction): Promise<void> {
  await tx
    .update(takeovers)
    .set({ recordNeeded: false })
    .where(and(eq(takeovers.recordNeeded, true), not(hasSubmissions)));
}

/** Returns the contractors in a fixed order, so that concurrent settlements cannot deadlock. */
async function findAffectedContractors(tx: Transaction, takenOver: string): Promise<string[]> {
  const { type, record, contractor, wallet } = ledgerRecords;
  const rows = await tx
    .selectDistinct({ contractor })
    .from(ledgerRecords)
    .where(
      and(
        eq(type, "outcome"),
        sql`(${contractor} = ${takenOver} or ${wallet} = ${takenOver})`,
        sql`${record}->>'proven' = 'false'`,
        sql`case ${record}->>'submittedBy' when 'contractor' then ${contractor} else ${wallet} end = ${takenOver}`,
      ),
    )
    .orderBy(contractor);
  return rows.flatMap((row) => row.contractor ?? []);
}
