import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { chainTransactions } from "@/server/chain/tables";
import { createdAt, hash32, id, wallet } from "@/server/db/columns";
import { outcomes } from "@/server/outcomes/tables";

/** Files that feedback in the ERC-8004 reputation registry refers to, kept as long as it exists. */
export const feedbackFiles = pgTable("feedback_files", {
  /** keccak256 of the file, as in the registry. */
  hash: hash32().primaryKey(),
  outcomeId: uuid()
    .notNull()
    .references(() => outcomes.id),
  /** Byte for byte as it is served and hashed. */
  file: text().notNull(),
  createdAt: createdAt(),
});

/**
 * Feedback that this service gives; one an outcome and value. `owed` → `signed` → `given`; if the
 * outcome stops counting or its verdict is reversed, `revoking` → `revoked`. `dropped`: nothing more
 * is done, for example because the registry refuses it.
 */
export const givenFeedback = pgTable(
  "given_feedback",
  {
    id: id(),
    outcomeId: uuid()
      .notNull()
      .references(() => outcomes.id),
    /** 100 for a success, 0 for a failure. */
    value: integer().notNull(),
    erc8004AgentId: text().notNull(),
    fileHash: hash32()
      .notNull()
      .references(() => feedbackFiles.hash),
    status: text()
      .$type<"owed" | "signed" | "given" | "revoking" | "revoked" | "dropped">()
      .notNull()
      .default("owed"),
    transactionId: uuid().references(() => chainTransactions.id),
    revocationId: uuid().references(() => chainTransactions.id),
    /** Since when it is to be given or, later, to be revoked. */
    dueSince: createdAt(),
  },
  (t) => [
    unique("given_feedback_once").on(t.outcomeId, t.value),
    index("given_feedback_open")
      .on(t.dueSince)
      .where(sql`status in ('owed', 'signed', 'revoking')`),
    index("given_feedback_given").on(t.dueSince).where(sql`status = 'given'`),
  ],
);
export type GivenFeedback = typeof givenFeedback.$inferSelect;

/** All feedback in the reputation registry, as its logs in finalized blocks say. */
export const registryFeedback = pgTable(
  "registry_feedback",
  {
    erc8004AgentId: text().notNull(),
    /** Who gave it; also this service. */
    client: wallet().notNull(),
    /** Counts the client's feedback about that agent from 1. */
    feedbackIndex: bigint({ mode: "bigint" }).notNull(),
    fileHash: hash32().notNull(),
    isRevoked: boolean().notNull().default(false),
  },
  (t) => [primaryKey({ columns: [t.erc8004AgentId, t.client, t.feedbackIndex] })],
);
