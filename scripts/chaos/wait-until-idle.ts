import { setTimeout as pause } from "node:timers/promises";
import type postgres from "postgres";
import { MINUTE_MS } from "@/server/lib/time";
import type { Checked } from "./checker";
import type { Environment } from "./environment";

/** Covers the functions that requeue stalled work (after 15 minutes) and the last retry (after 12.5 minutes). */
const IDLE_TIMEOUT_MS = 25 * MINUTE_MS;
const POLL_MS = 3_000;
const REPORT_EVERY_MS = 30_000;

/**
 * Waits until no work is open. Resolves to descriptions of work still open at the time limit.
 */
export async function waitUntilIdle(
  environment: Environment,
  load: Promise<unknown>,
  isPatient: boolean,
  printLine: (line: string) => void,
): Promise<string[]> {
  let isLoadRunning = true;
  // Awaited only after the wait, so an early rejection must not count as unhandled.
  const loadEnded = load.finally(() => {
    isLoadRunning = false;
  });
  loadEnded.catch(() => {});
  const listAllOpen = async () => {
    const open = await environment
      .sql((sql) => listOpenWork(sql, isPatient))
      .catch((error: unknown) => [`the database: ${error}`]);
    if (!(await environment.isServing())) open.push("a process does not respond");
    if (isLoadRunning) open.push("an agent waits for a response");
    return open;
  };
  let open = await listAllOpen();
  let reportedAt = 0;
  for (const end = Date.now() + IDLE_TIMEOUT_MS; Date.now() < end && open.length > 0; ) {
    if (Date.now() - reportedAt > REPORT_EVERY_MS) {
      reportedAt = Date.now();
      printLine(`still open: ${open.join("; ")}`);
    }
    await pause(POLL_MS);
    open = await listAllOpen();
  }
  if (!isLoadRunning) await loadEnded;
  return open;
}

/** Returns the result of the wait as that of an invariant. */
export function checkIdle(open: string[]): Checked {
  return {
    invariant: {
      name: "all work finishes",
      promise: `after the last fault, all work finishes within ${IDLE_TIMEOUT_MS / MINUTE_MS} minutes`,
      check: () => ({ checked: 1, violations: [] }),
    },
    checked: 1,
    violations: open.map((description) => ({
      id: description.split(": ").at(-1) ?? description,
      description,
    })),
  };
}

/**
 * Describes the work that is still open, in one line per kind. Deliveries that wait
 * for their next attempt count as open only if `isPatient`, since their retry times are stored.
 */
async function listOpenWork(sql: postgres.Sql, isPatient: boolean): Promise<string[]> {
  const rows = await sql<{ kind: string; ids: string[] }[]>`
    select kind, array_agg(id) as ids from (
      select 'outcome without a verdict' as kind, id::text from outcomes where status <> 'RESOLVED'
      union all
      select 'dispute without a verdict', id::text from disputes where status <> 'RESOLVED'
      union all
      select 'refund without a record', id::text from refunds where refunded_at is null
      union all
      select 'superseded outcome without a record', id::text from outcomes
      where superseded_by is not null and superseded_tx is null
      union all
      select 'takeover without a record', t.id::text from takeovers t
      where record_needed and not exists (
        select from ledger_records l where l.type = 'takeover' and l.wallet = t.wallet)
      union all
      select 'anchor without a record', id::text from anchors
      where (seq is null and revoke_asked_at is null)
        or (seq is not null and revoke_asked_at is not null and revoked_seq is null)
      union all
      select 'unpaid payout', id::text from payouts where status in ('waiting', 'signed')
      union all
      select 'transaction without finality', id::text from chain_transactions
      where status in ('signed', 'confirmed')
      union all
      select 'stake without finality', id::text from used_transfers
      where purpose = 'stake' and final_at is null and gone_at is null
      union all
      select 'delivery in progress', d.id::text from webhook_deliveries d
      where d.status = 'pending' and (
        ${isPatient} or d.claimed_until is not null
        or not exists (select from webhook_attempts a where a.delivery_id = d.id)
        or d.next_attempt_at < now() - interval '90 s')
      union all
      select 'run of ' || function_id, r.id::text from engine_runs r
      where r.status = 'active' and (${isPatient} or r.function_id <> 'standing-deliver-webhook')
    ) as open group by kind order by kind`;
  return rows.map(({ kind, ids }) => `${ids.length} × ${kind}: ${ids.slice(0, 3).join(", ")}`);
}
