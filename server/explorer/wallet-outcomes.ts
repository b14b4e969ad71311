import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/server/lib/context";
import { createPage } from "@/server/lib/schema";
import { getPublicOutcomes } from "@/server/outcomes/queries";
import { addCountsFrom } from "@/server/reputation/queries";
import { runPlanned } from "./run-sql";
import type { Backing, OutcomesInput, OutcomesPage } from "./schema";

/**
 * Returns the outcomes with a wallet, registered or not, as contractor or requester, newest first.
 */
export async function readWalletOutcomes(
  db: Database,
  input: OutcomesInput,
): Promise<OutcomesPage> {
  const { page, size } = input;
  const offset = page * size;
  // Each half has its own limit, so that each is read along its index.
  const halves = selectByRole(input).map(
    (part) => sql`(${part} ${NEWEST_FIRST} limit ${offset + size})`,
  );
  const listed = await runPlanned<{ id: string; backing: Backing }>(
    db,
    sql`select id, ${BACKING} as backing from (
        select id from (${sql.join(halves, sql` union all `)}) as half
        ${NEWEST_FIRST} limit ${size} offset ${offset}
      ) as page join outcomes using (id)
      ${NEWEST_FIRST}`,
  );
  const isLast = listed.length < size && (listed.length > 0 || offset === 0);
  const total = isLast ? offset + listed.length : await countOutcomes(db, input);
  const backings = new Map(listed.map(({ id, backing }) => [id, backing]));
  const found = await readPublicOutcomes(db, [...backings.keys()]);
  const content = found.map((outcome) => ({
    ...outcome,
    backing: backings.get(outcome.outcomeId) ?? "claimed",
  }));
  return createPage(content, total, { page, size });
}

async function countOutcomes(db: Database, input: OutcomesInput): Promise<number> {
  const [row] = await runPlanned<{ total: number }>(
    db,
    sql`select count(*)::int as total from (${sql.join(selectByRole(input), sql` union all `)}) as half`,
  );
  return row?.total ?? 0;
}

const NEWEST_FIRST = sql`order by submitted_at desc nulls last, id desc`;

/** Whether `anchor`, of the requester, backs a row of `outcomes`; a pending one as of now. */
export const ANCHOR_BACKS = sql`(agreed or (submitted_by = 'requester' and proven))
  and anchor.seq is not null and anchor.revoked_seq is null
  and anchor."from" <= date_trunc('second', coalesce(resolved_at, now()))
  and (anchor.until is null or date_trunc('second', coalesce(resolved_at, now())) < anchor.until)`;

/** The rule of `getBacking` in SQL, over `outcomes`. */
export const BACKING = sql`case
  when exists (
    select from anchors as anchor where anchor.wallet = outcomes.requester and ${ANCHOR_BACKS}
  ) then 'anchored'
  when paid_micro > 0 then 'paid' else 'claimed' end`;

/** Splits by the wallet's role. A wallet can't be both parties, so the parts are disjoint. */
function selectByRole(input: OutcomesInput): SQL[] {
  const { walletAddress, role, category, status, verdict, backing } = input;
  const roles = role ? [role] : (["contractor", "requester"] as const);
  return roles.map(
    (party) => sql`select id, submitted_at from outcomes
      where ${sql.identifier(party)} = ${walletAddress}
        ${category ? sql`and task_category = ${category}` : sql``}
        ${status ? sql`and status = ${status}` : sql``}
        ${verdict ? sql`and status = 'RESOLVED' and verdict = ${verdict}` : sql``}
        ${backing ? sql`and ${BACKING} = ${backing}` : sql``}`,
  );
}

/** Returns outcomes in the order of `ids`. */
export async function readPublicOutcomes(db: Database, ids: string[]) {
  if (ids.length === 0) return [];
  const rows = await getPublicOutcomes(db, ids);
  const found = new Map(rows.map((outcome) => [outcome.outcomeId, outcome]));
  return addCountsFrom(
    db,
    ids.flatMap((id) => found.get(id) ?? []),
  );
}
