import pLimit from "p-limit";
import type postgres from "postgres";
import { computeScore } from "@/server/reputation/score/score";
import type { Agent } from "./agent";
import { collectChain } from "./collect-chain";
import type { Environment } from "./environment";
import type { ChainFacts, Facts, PublishedFacts, Rows } from "./facts";
import type { History } from "./history";
import type { ServiceProcess } from "./service-process";

const CONCURRENT_READS = 6;
const TIMEOUT_MS = 60_000;

/** Collects the facts from the history, the database, the chain, the receivers and all processes. */
export async function collect(
  environment: Environment,
  agents: Agent[],
  history: History,
  isPatient: boolean,
): Promise<Facts> {
  const rows = await environment.sql(collectRows);
  const chain = await collectChain(environment.chain.chain);
  const wallets = agents.map(({ address }) => address);
  const published = [];
  for (const app of environment.apps)
    published.push(await collectPublished(app, { rows, chain, wallets }));
  return {
    calls: history.calls,
    rows,
    chain,
    receivers: agents.map(({ address, webhook, receiver }) => ({
      wallet: address,
      webhookId: webhook.webhookId,
      secret: webhook.secret,
      received: receiver.received,
    })),
    published,
    isPatient,
  };
}

/** Reads the public API of one process. */
async function collectPublished(
  { name, url }: ServiceProcess,
  { rows, chain, wallets }: { rows: Rows; chain: ChainFacts; wallets: string[] },
): Promise<PublishedFacts> {
  const limit = pLimit(CONCURRENT_READS);
  const read = (path: string) =>
    fetch(`${url}/api/v1${path}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const readEach = async (resource: string, ids: string[]) => {
    const entries = ids.map((id) =>
      limit(async (): Promise<[string, Record<string, unknown>]> => {
        const response = await read(`/${resource}/${id}`);
        return [id, response.ok ? await response.json() : { status: response.status }];
      }),
    );
    return Object.fromEntries(await Promise.all(entries));
  };
  const lines = (await (await read("/ledger")).text()).trim().split("\n");
  const reputations = await readEach("reputation", wallets);
  return {
    app: name,
    outcomes: await readEach(
      "outcome",
      rows.outcomes.map(({ id }) => id),
    ),
    reputations,
    recomputed: Object.fromEntries(
      wallets.map((wallet) => {
        const day = Date.parse(String(reputations[wallet]?.scoreDay)) / 1_000;
        const { scoreE4, ...score } = computeScore(chain.records, wallet, day);
        return [wallet, { ...score, score: Math.floor(scoreE4 / 100) / 100 }];
      }),
    ),
    ledger: lines.filter(Boolean).map((line) => JSON.parse(line)),
  };
}

/** Reads the rows by plain SQL in one snapshot. The connection converts column names to camel case. */
const collectRows = (sql: postgres.Sql): Promise<Rows> =>
  sql.begin("isolation level repeatable read", async (tx) => ({
    outcomes: await tx<Rows["outcomes"]>`
      select id, idempotency_key, contractor, requester, status, verdict, confidence_ppm,
        case submitted_by when 'contractor' then contractor else requester end as submitter,
        final_verdict, on_chain_tx, record_index
      from outcomes order by id`,
    disputes: await tx<Rows["disputes"]>`
      select id, outcome_id, contractor, requester, opened_by, recorded_verdict, status, verdict,
        final_verdict, on_chain_tx
      from disputes order by id`,
    sides: await tx<Rows["sides"]>`
      select dispute_id, party, transfer_id from dispute_sides order by id`,
    payouts: await tx<Rows["payouts"]>`
      select id, "to", amount_micro as micro, status, tx_hash from payouts order by id`,
    transfers: await tx<Rows["transfers"]>`
      select id, tx_hash, purpose, "from", "to", amount_micro as micro,
        gone_at is not null as is_reorged
      from used_transfers order by id`,
    deliveries: await tx<Rows["deliveries"]>`
      select id, webhook_id, event_id, event, payload, status,
        round(extract(epoch from next_attempt_at) * 1000)::float8 as next_attempt_at
      from webhook_deliveries order by id`,
    attempts: await tx<Rows["attempts"]>`
      select delivery_id, attempt, round(extract(epoch from at) * 1000)::float8 as at, latency_ms
      from webhook_attempts order by delivery_id, run, attempt`,
    scores: await tx<Rows["scores"]>`
      select wallet, version::int, score_e_4, previous_score_e_4, tier
      from reputation_history order by wallet, version`,
    totals: await tx<Rows["totals"]>`
      select wallet, version::int, totals from reputations order by wallet`,
    evidence: await tx<Rows["evidence"]>`
      select wallet, requester, category, backing, reported, day, good::text, bad::text, outcomes,
        counted, successes, disputed
      from evidence`,
    ledger: await tx<Rows["ledger"]>`select seq::int, tx_hash from ledger_records order by seq`,
    takeovers: await tx<Rows["takeovers"]>`select wallet from takeovers order by id`,
    anchors: await tx<Rows["anchors"]>`
      select wallet, seq::int, revoke_asked_at is not null as is_revoked, revoked_seq::int
      from anchors order by id`,
  }));
