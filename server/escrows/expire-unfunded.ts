import { and, eq, isNull, lt, sql } from "drizzle-orm";
import { agreementEnded, createAgreementEvent } from "@/server/agreements/events";
import { agreements } from "@/server/agreements/tables";
import type { Core, Sql } from "@/server/lib/context";
import { databaseNow } from "@/server/lib/database";
import { SECOND_MS } from "@/server/lib/time";
import { escrowJobs } from "./tables";

/** Matches agreements in force whose job was not funded in time, as far as was read. */
const whereUnfunded = and(
  eq(agreements.status, "AGREED"),
  sql`${agreements.terms} ->> 'payment' = 'escrow'`,
  isNull(agreements.paidAt),
);

export const countOverdue = (db: Sql) =>
  db.$count(agreements, and(whereUnfunded, lt(agreements.startBy, databaseNow)));

export async function expireUnfunded(
  { db, chain, publish }: Pick<Core, "db" | "chain" | "publish">,
  confirmed: bigint,
): Promise<void> {
  const { timestamp } = await chain.client.getBlock({ blockNumber: confirmed });
  const readUntil = new Date(Number(timestamp) * SECOND_MS);
  const isUnread = sql`exists (
    select from ${escrowJobs}
    where ${escrowJobs.client} = ${agreements.requester} and ${escrowJobs.status} = 'unread'
  )`;
  await db.transaction(async (tx) => {
    const expired = await tx
      .update(agreements)
      .set({ status: "EXPIRED", endedAt: sql`${agreements.startBy}` })
      .where(and(whereUnfunded, lt(agreements.startBy, readUntil), sql`not ${isUnread}`))
      .returning({ id: agreements.id });
    const events = expired.map(({ id }) => createAgreementEvent(agreementEnded, id));
    await publish(tx, events);
  });
}
