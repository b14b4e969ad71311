import { sql } from "drizzle-orm";
import { boolean, index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, id, moment, wallet } from "@/server/db/columns";

/**
 * A registered agent. A takeover (the owner proves a wallet that somebody else registered)
 * deletes the row and inserts a new one: keys, webhooks and idempotency keys hang on the row, so
 * nothing of the squatter's can survive by being forgotten.
 */
export const agents = pgTable(
  "agents",
  {
    id: id(),
    wallet: wallet().notNull().unique(),
    name: text().notNull(),
    description: text().notNull().default(""),
    categories: text().array().notNull().default(sql`'{}'`),
    ownerEmail: text(),
    /** Set once a wallet proof (ERC-4361) held. */
    walletVerifiedAt: moment(),
    /** Made up by `npm run demo -- --history`, as everything that it did. */
    simulated: boolean().notNull().default(false),
    /** Known from the chain alone: stands in for a registration that was lost with a database. */
    rebuilt: boolean().notNull().default(false),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  // Whether there is any is asked for every page.
  (t) => [index("agents_simulated").on(t.simulated).where(sql`simulated`)],
);

export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** SHA-256 of the whole key. The key itself is never stored. */
    hash: bytes().notNull().unique(),
    lastFour: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: moment(),
    /** Set by rotation: the old key goes on for 24 hours. */
    expiresAt: moment(),
    revokedAt: moment(),
  },
  (t) => [index().on(t.agentId)],
);

/** A browser signed in with a wallet. The cookie's token is kept as its SHA-256 only. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    wallet: wallet().notNull(),
    hash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: moment().notNull(),
  },
  (t) => [index("sessions_wallet").on(t.wallet), index("sessions_expiry").on(t.expiresAt)],
);

/** Nonces of wallet proofs that were used, kept until they could not be used anyway. */
export const authNonces = pgTable(
  "auth_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (t) => [index("auth_nonces_expiry").on(t.expiresAt)],
);

/** A proven owner replaced an unproven registration; goes on chain as a `takeover` record. */
export const takeovers = pgTable("takeovers", {
  id: id(),
  wallet: wallet().notNull(),
  at: moment().notNull(),
  /** False where the squatter had submitted nothing and no record is needed. */
  recordNeeded: boolean().notNull().default(true),
});
