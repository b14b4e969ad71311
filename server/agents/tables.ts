import { sql } from "drizzle-orm";
import { boolean, index, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { bytes, createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import type { AgentLinks } from "./schema";

/**
 * A registered agent. A takeover (the owner proves a wallet that another party registered) deletes
 * the row and inserts a new one. Keys, webhooks and idempotency keys cascade with the row, so
 * no data of the squatter survives.
 */
export const agents = pgTable(
  "agents",
  {
    id: id(),
    wallet: wallet().notNull().unique(),
    name: text().notNull(),
    description: text().notNull().default(""),
    categories: text().array().notNull().default(sql`'{}'`),
    links: jsonb().$type<AgentLinks>().notNull().default({}),
    ownerEmail: text(),
    /** Set once a wallet proof (ERC-4361) is accepted. */
    walletVerifiedAt: timestamptz(),
    /** Created by `npm run demo -- --history`, as is everything that it did. */
    simulated: boolean().notNull().default(false),
    /**
     * Known only from the chain: a placeholder for a registration that was lost with a database.
     */
    rebuilt: boolean().notNull().default(false),
    /** Name and description, case folded, separated by a unit separator (U+001F). */
    searchText: text()
      .notNull()
      .generatedAlwaysAs(sql`casefold((name || E'\\x1f' || description) collate "pg_c_utf8")`),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    // Every page asks whether there are any.
    index("agents_simulated").on(t.simulated).where(sql`simulated`),
    index("agents_suffixes")
      .using("gin", sql`explorer_suffixes(search_text)`)
      .with({ fastupdate: false }),
    index("agents_wallet_prefix").on(sql`lower(wallet) text_pattern_ops`),
  ],
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
    /** The owner's note to tell the key apart. */
    name: text().notNull().default(""),
    lastFour: text().notNull(),
    createdAt: createdAt(),
    lastUsedAt: timestamptz(),
    /** Set by rotation: the old key stays valid for 24 hours. */
    expiresAt: timestamptz(),
    revokedAt: timestamptz(),
  },
  (t) => [index().on(t.agentId)],
);

/** A browser signed in with a wallet. Only the SHA-256 of the cookie's token is stored. */
export const sessions = pgTable(
  "sessions",
  {
    id: id(),
    wallet: wallet().notNull(),
    hash: bytes().notNull().unique(),
    createdAt: createdAt(),
    expiresAt: timestamptz().notNull(),
  },
  (t) => [index("sessions_wallet").on(t.wallet), index("sessions_expiry").on(t.expiresAt)],
);

/** Used nonces of wallet proofs, kept until ten minutes after they expire. */
export const authNonces = pgTable(
  "auth_nonces",
  {
    nonce: text().primaryKey(),
    expiresAt: timestamptz().notNull(),
    usedAt: timestamptz(),
  },
  (t) => [index("auth_nonces_expiry").on(t.expiresAt)],
);

/** Responses of operations that created something, for repetitions of the request; see `createOnce`. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    operation: text().notNull(),
    key: text().notNull(),
    inputHash: hash32().notNull(),
    /** JSON, sealed with SECRET_KEY (`lib/seal.ts`), bound to the other columns of the key. */
    sealedResponse: bytes().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.operation, t.key] }),
    index("idempotency_keys_newest").on(t.agentId, t.createdAt),
    index("idempotency_keys_age").on(t.createdAt),
  ],
);

/** A verified owner replaced an unverified registration; recorded on chain as `takeover`. */
export const takeovers = pgTable("takeovers", {
  id: id(),
  wallet: wallet().notNull(),
  at: timestamptz().notNull(),
  /** False if the squatter had submitted nothing, so that no record is needed. */
  recordNeeded: boolean().notNull().default(true),
});
