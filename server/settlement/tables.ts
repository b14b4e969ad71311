import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { NewRecord } from "@/server/chain/registry/ledger";
import { chainTransactions } from "@/server/chain/tables";
import { createdAt, id, timestamptz } from "@/server/db/columns";

/**
 * A ledger record on its way to the chain, one per subject. Created when its transaction is
 * signed, so its content (including its time) is fixed before it is broadcast.
 */
export const recordings = pgTable(
  "recordings",
  {
    id: id(),
    kind: text().$type<NewRecord["type"]>().notNull(),
    /** Id of the outcome, also of a superseded one, or of the dispute, refund, anchor or takeover. */
    subjectId: uuid().notNull(),
    record: jsonb().$type<NewRecord>().notNull(),
    transactionId: uuid()
      .notNull()
      .references(() => chainTransactions.id),
    /** Position within the transaction's batch. */
    position: integer().notNull(),
    createdAt: createdAt(),
    settledAt: timestamptz(),
  },
  (t) => [
    unique("recordings_subject").on(t.kind, t.subjectId),
    index("recordings_transaction").on(t.transactionId),
    // Queried every minute, among all records ever made.
    index("recordings_unsettled").on(t.createdAt).where(sql`settled_at is null`),
  ],
);
