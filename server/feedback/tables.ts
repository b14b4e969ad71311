import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { chainTransactions } from "@/server/chain/tables";
import { createdAt, hash32, id, timestamptz, wallet } from "@/server/db/columns";
import { outcomes } from "@/server/outcomes/tables";

/**
 * Feedback about an outcome that this service gives in the ERC-8004 reputation registry; one an
 * outcome. `owed` → `signed` → `given`; if the verdict is reversed later: `revoking` → `revoked`.
 * `dropped`: nothing is given, for example because the link ended before.
 */
export const givenFeedback = pgTable(
  "given_feedback",
  {
    id: id(),
    outcomeId: uuid()
      .notNull()
      .unique()
      .references(() => outcomes.id),
    erc8004AgentId: text().notNull(),
    /** The feedback file, byte for byte as it is served and hashed. */
    file: text().notNull(),
    /** keccak256 of the file. */
    fileHash: hash32().notNull(),
    status: text()
      .$type<"owed" | "signed" | "given" | "revoking" | "revoked" | "dropped">()
      .notNull()
      .default("owed"),
    /** Not given before this time. */
    dueAt: timestamptz().notNull(),
    transactionId: uuid().references(() => chainTransactions.id),
    /** Position among this service's feedback for that agent, from 1; set once it is given. */
    feedbackIndex: bigint({ mode: "bigint" }),
    revocationId: uuid().references(() => chainTransactions.id),
    createdAt: createdAt(),
  },
  (t) => [
    index("given_feedback_open").on(t.dueAt).where(sql`status in ('owed', 'signed', 'revoking')`),
  ],
);

/** Feedback of others about linked agents, as the registry's logs in finalized blocks say. */
export const foreignFeedback = pgTable(
  "foreign_feedback",
  {
    erc8004AgentId: text().notNull(),
    client: wallet().notNull(),
    feedbackIndex: bigint({ mode: "bigint" }).notNull(),
    /** Decimal; divided by 10^valueDecimals. */
    value: text().notNull(),
    valueDecimals: integer().notNull(),
    tag1: text().notNull(),
    tag2: text().notNull(),
    isRevoked: boolean().notNull().default(false),
    block: bigint({ mode: "bigint" }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.erc8004AgentId, t.client, t.feedbackIndex] })],
);
