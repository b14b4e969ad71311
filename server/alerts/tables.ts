import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { agents } from "@/server/agents/tables";
import { bytes, createdAt, id, timestamptz, wallet } from "@/server/db/columns";
import { webhooks } from "@/server/webhooks/tables";

/**
 * The e-mail address of an agent's owner. The address itself is the `mailto:` URL of a webhook, whose
 * deliveries are the mails and whose secret is the token of the links in them.
 */
export const emailAddresses = pgTable("email_addresses", {
  webhookId: uuid()
    .primaryKey()
    .references(() => webhooks.id, { onDelete: "cascade" }),
  /** The agent of the webhook, which is deleted with it. */
  agentId: uuid().notNull().unique(),
  /** Until it is set, the address gets nothing but the request to confirm it. */
  confirmedAt: timestamptz(),
  createdAt: createdAt(),
});

/** A mail that asked to confirm an address; kept for a day, to limit them. */
export const confirmationMails = pgTable(
  "confirmation_mails",
  {
    id: id(),
    /** Wallet of the agent whose owner gave the address. */
    wallet: wallet().notNull(),
    /** Keyed hash of the inbox. */
    inbox: bytes().notNull(),
    /** Keyed hash of the address of the client that asked; null if an earlier version sent the mail. */
    client: bytes(),
    createdAt: createdAt(),
  },
  (t) => [index("confirmation_mails_age").on(t.createdAt)],
);

/** An agent on the watch list of another agent's owner, with what the owner knows. */
export const watchedAgents = pgTable(
  "watched_agents",
  {
    agentId: uuid()
      .notNull()
      .references(() => agents.id, { onDelete: "cascade" }),
    /** The wallet that is watched, registered or not. */
    wallet: wallet().notNull(),
    /** Its tier, then the kinds of its risks, sorted; empty until the next check finds them. */
    known: text().array().notNull(),
    checkedAt: createdAt(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.agentId, t.wallet] }),
    index("watched_agents_wallet").on(t.wallet),
    index("watched_agents_checked").on(t.checkedAt),
  ],
);
