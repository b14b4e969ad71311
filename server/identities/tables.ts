import { bigint, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { timestamptz, wallet } from "@/server/db/columns";
import type { StoredFile } from "./schema";

/** An agent in the ERC-8004 identity registry, as its logs in finalized blocks say. */
export const identities = pgTable(
  "identities",
  {
    /** Decimal; a uint256 on chain. */
    erc8004AgentId: text().primaryKey(),
    owner: wallet().notNull(),
    /** The wallet that acts for the agent; null if a transfer or its owner cleared it. */
    agentWallet: wallet(),
    registrationUri: text().notNull(),
    registeredBlock: bigint({ mode: "bigint" }).notNull(),
    /** Block of the latest log that changed this row. */
    changedBlock: bigint({ mode: "bigint" }).notNull(),
  },
  (t) => [index("identities_owner").on(t.owner), index("identities_wallet").on(t.agentWallet)],
);

/** The identity that an agent's proven wallet claims as its own; each at most once. */
export const identityLinks = pgTable("identity_links", {
  wallet: wallet().primaryKey(),
  erc8004AgentId: text().notNull().unique(),
  /** What gave it to the wallet. */
  proof: text().$type<"owner" | "agent-wallet" | "operator">().notNull(),
  /** Block at which that was seen last. */
  checkedBlock: bigint({ mode: "bigint" }).notNull(),
  checkedAt: timestamptz().notNull(),
  /** What its registration file said when it was read; null until then. */
  file: jsonb().$type<StoredFile>(),
  /** Database time before the read. The file is due if the link was checked since. */
  fileReadAt: timestamptz(),
});

/** Links that no longer held when they were checked again; one a wallet, replaced by a new link. */
export const lostIdentityLinks = pgTable("lost_identity_links", {
  wallet: wallet().primaryKey(),
  erc8004AgentId: text().notNull(),
  /** A sentence for the owner. */
  reason: text().notNull(),
  lostAt: timestamptz().notNull(),
});
