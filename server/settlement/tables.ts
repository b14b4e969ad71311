import { sql } from "drizzle-orm";
import { index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { NewRecord } from "@/server/chain/encode";
import { chainTransactions } from "@/server/chain/tables";
import { createdAt, id, moment } from "@/server/db/columns";

/**
 * A ledger record on its way to the chain: made when its transaction is signed, so the record's
 * content (with the time it carries) is fixed before it is broadcast. One for each subject.
 */
export const recordings = pgTable(
  "recordings",
  {
    id: id(),
    kind: text().$type<NewRecord["type"]>().notNull(),
    /** Outcome, dispute, refund, anchor or takeover id. */
    subjectId: uuid().notNull(),
    record: jsonb().$type<NewRecord>().notNull(),
    transactionId: uuid()
      .notNull()
      .references(() => chainTransactions.id),
    /** Place within the transaction's batch. */
    position: integer().notNull(),
    createdAt: createdAt(),
    settledAt: moment(),
  },
  (t) => [
    unique("recordings_subject").on(t.kind, t.subjectId),
    index("recordings_transaction").on(t.transactionId),
    // Looked for every minute, among everything that was ever recorded.
    index("recordings_unsettled").on(t.createdAt).where(sql`settled_at is null`),
  ],
);
