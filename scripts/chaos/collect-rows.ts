import type postgres from "postgres";
import type { Rows } from "./facts";

/** Reads the checker's rows by plain SQL in one snapshot. */
export function collectRows(sql: postgres.Sql): Promise<Rows> {
  return sql.begin("isolation level repeatable read", async (tx) => {
    const read = async (query: postgres.PendingQuery<postgres.Row[]>) =>
      (await query).map((row) => row.fact) as never;
    return {
      outcomes: await read(tx`
        select json_build_object(
          'id', o.id, 'idempotencyKey', idempotency_key, 'contractor', contractor,
          'requester', requester, 'status', status, 'verdict', verdict, 'confidencePpm', confidence_ppm,
          'submitter', case submitted_by when 'contractor' then contractor else requester end,
          'finalVerdict', final_verdict, 'onChainTx', on_chain_tx, 'recordIndex', record_index,
          'disputeId', dispute_id) as fact
        from outcomes o order by id`),
      disputes: await read(tx`
        select json_build_object(
          'id', id, 'outcomeId', outcome_id, 'contractor', contractor, 'requester', requester,
          'openedBy', opened_by, 'recordedVerdict', recorded_verdict, 'status', status,
          'verdict', verdict, 'finalVerdict', final_verdict, 'onChainTx', on_chain_tx) as fact
        from disputes order by id`),
      sides: await read(tx`
        select json_build_object(
          'disputeId', dispute_id, 'party', party, 'transferId', transfer_id) as fact
        from dispute_sides order by id`),
      payouts: await read(tx`
        select json_build_object(
          'id', id, 'purpose', purpose, 'transferId', transfer_id, 'to', "to",
          'micro', amount_micro::text, 'status', status, 'txHash', tx_hash) as fact
        from payouts order by id`),
      transfers: await read(tx`
        select json_build_object(
          'id', id, 'txHash', tx_hash, 'purpose', purpose, 'from', "from", 'to', "to",
          'micro', amount_micro::text, 'isGone', gone_at is not null) as fact
        from used_transfers order by id`),
      deliveries: await read(tx`
        select json_build_object(
          'id', id, 'webhookId', webhook_id, 'eventId', event_id, 'event', event,
          'payload', payload, 'status', status, 'failure', failure,
          'nextAttemptAt', (extract(epoch from next_attempt_at) * 1000)::bigint,
          'claimedUntil', (extract(epoch from claimed_until) * 1000)::bigint) as fact
        from webhook_deliveries order by id`),
      attempts: await read(tx`
        select json_build_object(
          'deliveryId', delivery_id, 'attempt', attempt,
          'at', (extract(epoch from at) * 1000)::bigint,
          'latencyMs', latency_ms, 'status', status, 'error', error) as fact
        from webhook_attempts order by delivery_id, run, attempt`),
      scores: await read(tx`
        select json_build_object(
          'wallet', wallet, 'version', version, 'scoreE4', score_e_4,
          'previousScoreE4', previous_score_e_4, 'tier', tier) as fact
        from reputation_history order by wallet, version`),
      ledger: await read(tx`
        select json_build_object('seq', seq, 'txHash', tx_hash, 'logIndex', log_index) as fact
        from ledger_records order by seq`),
      refunds: await read(tx`
        select json_build_object(
          'id', id, 'outcomeId', outcome_id, 'transferId', transfer_id, 'txHash', tx_hash,
          'onChainTx', on_chain_tx) as fact
        from refunds order by id`),
      takeovers: await read(tx`
        select json_build_object('id', id, 'wallet', wallet) as fact from takeovers order by id`),
      anchors: await read(tx`
        select json_build_object(
          'id', id, 'wallet', wallet, 'seq', seq, 'isTakenBack', revoke_asked_at is not null,
          'revokedSeq', revoked_seq) as fact
        from anchors order by id`),
    };
  }) as Promise<Rows>;
}

/**
 * Describes the work that is still open; empty once all of it has finished. Deliveries that wait
 * for their next attempt count as open only if `isPatient`, since their retry times are stored.
 */
export async function openWork(sql: postgres.Sql, isPatient: boolean): Promise<string[]> {
  const rows = await sql<{ what: string; ids: string[] }[]>`
    select what, array_agg(id) as ids from (
      select 'outcome without a verdict' as what, id::text from outcomes where status <> 'RESOLVED'
      union all
      select 'dispute without a verdict', id::text from disputes where status <> 'RESOLVED'
      union all
      select 'refund without a record', id::text from refunds where refunded_at is null
      union all
      select 'takeover without a record', t.id::text from takeovers t
      where record_needed and not exists (
        select from ledger_records l where l.type = 'takeover' and l.wallet = t.wallet)
      union all
      select 'anchor without a record', id::text from anchors
      where (seq is null and revoke_asked_at is null)
        or (seq is not null and revoke_asked_at is not null and revoked_seq is null)
      union all
      select 'payout that is not paid', id::text from payouts where status in ('waiting', 'signed')
      union all
      select 'transaction that is not final', id::text from chain_transactions
      where status in ('signed', 'confirmed')
      union all
      select 'stake that nobody knows to be final', id::text from used_transfers
      where purpose = 'stake' and final_at is null and gone_at is null
      union all
      select 'delivery under way', d.id::text from webhook_deliveries d
      where d.status = 'pending' and (
        ${isPatient} or d.claimed_until is not null
        or not exists (select from webhook_attempts a where a.delivery_id = d.id)
        or d.next_attempt_at < now() - interval '90 s')
      union all
      select 'run of ' || function_id, r.id::text from engine_runs r
      where r.status in ('active', 'collecting') and (${isPatient} or r.function_id <> 'standing-deliver-webhook')
    ) as open group by what order by what`;
  return rows.map(({ what, ids }) => `${ids.length} × ${what}: ${ids.slice(0, 3).join(", ")}`);
}
