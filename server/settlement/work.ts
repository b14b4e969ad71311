import { and, eq, sql } from "drizzle-orm";
import { chainTransactions } from "@/server/chain/tables";
import type { Sender } from "@/server/chain/transactions/sender";
import type { Core } from "@/server/lib/context";
import { MINUTE_MS } from "@/server/lib/time";
import { selectWaiting, type Work } from "@/server/lib/work";
import { outcomes } from "@/server/outcomes/tables";
import { advanceEscrows } from "./advance-escrows";
import { whereRecordAwaitsEscrow } from "./kinds/outcome";
import { RECORD_KINDS } from "./record-kinds";
import { settleStalled } from "./settle-stalled";
import { UNSETTLED_STALLED_MS, whereUnsettled } from "./settle-transaction";
import { recordings } from "./tables";

interface Parts {
  core: Core;
  sender: Sender;
}

export const unsignedRecords: Work<Parts> = {
  name: "records",
  waiting: {
    description:
      "verdicts, refunds, superseded marks, takeovers and anchors without a signed record",
    stalledAfterMs: 2 * MINUTE_MS,
    select: () =>
      sql.join(
        Object.values(RECORD_KINDS).map(({ pending: { table, since, where } }) =>
          selectWaiting(table, { since, where }),
        ),
        sql` union all `,
      ),
  },
  sweep: ({ core, sender }, { now, isAsked }) =>
    settleStalled(core, sender, now, isAsked ? 0 : UNSETTLED_STALLED_MS),
};

/** They are resent with higher fees. */
export const openTransactions: Work = {
  name: "transactions",
  waiting: {
    description: "signed transactions that are not in a block",
    stalledAfterMs: 5 * MINUTE_MS,
    select: () =>
      selectWaiting(chainTransactions, {
        since: chainTransactions.createdAt,
        where: eq(chainTransactions.status, "signed"),
      }),
  },
  doneBy: unsignedRecords.name,
};

export const unsettledRecords: Work = {
  name: "settlements",
  waiting: {
    description: "signed records that are not settled",
    stalledAfterMs: UNSETTLED_STALLED_MS,
    select: () => selectWaiting(recordings, { since: recordings.createdAt, where: whereUnsettled }),
  },
  doneBy: unsignedRecords.name,
};

export const openEscrows: Work<Parts> = {
  name: "escrows",
  waiting: {
    description:
      "verdicts whose record waits for the job of their escrow, an hour if nothing was submitted",
    stalledAfterMs: 61 * MINUTE_MS,
    select: () =>
      selectWaiting(outcomes, { since: outcomes.judgedAt, where: whereRecordAwaitsEscrow }),
  },
  async sweep({ core, sender }, { isAsked }) {
    // One call decides for all outcomes that were judged before it.
    if (isAsked && !(await isEscrowAwaited(core))) return;
    await advanceEscrows(core, sender);
  },
};

/** Returns whether the record of an outcome that was just judged waits for its job. */
async function isEscrowAwaited({ db }: Pick<Core, "db">): Promise<boolean> {
  const isNew = sql`${outcomes.judgedAt} > now() - interval '1 minute'`;
  return (await db.$count(outcomes, and(whereRecordAwaitsEscrow, isNew))) > 0;
}
