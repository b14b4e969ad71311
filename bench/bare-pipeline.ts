import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pLimit from "p-limit";
import postgres from "postgres";
import { type Hex, keccak256, TransactionReceiptNotFoundError } from "viem";
import type { Chain } from "@/server/chain/client";
import { decodeRecords } from "@/server/chain/registry/decode-records";
import { encodeRecords, MAX_BATCH } from "@/server/chain/registry/encode-records";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { returnNullFor } from "@/server/chain/transactions/confirm";
import { judgeSubject } from "@/server/judging/judge-subject";
import { toUtcDay } from "@/server/reputation/score/weigh-outcome";
import { builtinJudge } from "@/server/testing/model/offline-checks";
import { drawSubmission, JUDGED_CASE, type SeededAgent } from "./workload";

const CONNECTIONS = 8;
/** Outcomes that are stored at once, as many as are submitted to the service. */
const CONCURRENCY = 16;
const POLL_MS = 10;

/** Values for the columns that scoring would fill, of the same size. */
const BREAKDOWN = {
  quality: 0.976_190_4,
  confidence: 0.032_258_1,
  good: 0.5,
  tenureCapacity: 2.5,
  claimed: [0.5, 0],
  paid: [0, 0],
  anchored: [0, 0],
};
const SUMS = { claimed: ["500000000", "0"], paid: ["0", "0"], anchored: ["0", "0"] };
const TOTALS = {
  version: 1,
  day: 20_000,
  outcomes: 1,
  counted: 1,
  assessed: 1,
  passed: 1,
  successes: 1,
  disputed: 0,
  confirmedRequesters: 0,
  firstBackedDay: null,
  overall: SUMS,
};
const SCORE_CHANGE = {
  rule: "success-claims-full",
  facts: { valueUsdc: 25.5, backing: "claimed", isNewRequester: true, added: 0.5, outcomes: 1 },
  effectE4: 31_234,
  daysE4: 0,
  before: null,
  after: BREAKDOWN,
};

/** A program that stores, records and settles outcomes, as plainly as these can be done. */
type BareProgram = Awaited<ReturnType<typeof openBareProgram>>;

/** Opens a program on a database with the service's schema and the given agents. */
export async function openBareProgram(
  databaseUrl: string,
  { chain, agents }: { chain: Chain; agents: SeededAgent[] },
) {
  const commitments = { salt: randomBytes(16), taskHash: hash(), deliverableHash: hash() };
  return {
    sql: postgres(databaseUrl, { max: CONNECTIONS }),
    chain,
    agents,
    /** What the built-in judge says about the text of these benchmarks; stored with every outcome. */
    judgement: await judgeSubject(builtinJudge, {
      subjectId: randomUUID(),
      input: JUDGED_CASE,
      commitments,
    }),
    /** Number of outcomes so far. */
    stored: 0,
    /** Nonce of the next transaction. */
    nonce: 0,
  };
}

/**
 * Returns the outcomes per second of a program that stores, records and settles `count` of them: with
 * the same rows and the same calls of the contract as the service, but without HTTP, validation,
 * judging, scoring, or an engine and its rows. Each outcome is stored in a transaction of its own.
 * After each block, those stored since the last one are recorded, and those in the block are
 * settled, with one SQL transaction for each transaction of the chain.
 */
export async function measureBarePipeline(program: BareProgram, count: number): Promise<number> {
  const { client, recorder } = program.chain;
  const started = performance.now();
  program.nonce = await client.getTransactionCount({ address: recorder.address });
  const waiting: OutcomeRecord[] = [];
  const storing = pLimit(CONCURRENCY).map(Array.from({ length: count }), async () => {
    waiting.push(await storeOutcome(program));
  });
  let sent: Sent[] = [];
  for (let settled = 0; settled < count; ) {
    const [recorded, settlements] = await Promise.all([
      recordOutcomes(program, waiting.splice(0)),
      Promise.all(sent.map((transaction) => settleTransaction(program, transaction))),
    ]);
    for (const isSettled of settlements) settled += isSettled;
    sent = [...sent.filter((_, index) => settlements[index] === 0), ...recorded];
    await waitForBlock(program.chain);
  }
  await storing;
  return (count / (performance.now() - started)) * 1000;
}

async function waitForBlock({ client }: Chain): Promise<void> {
  const height = await client.getBlockNumber({ cacheTime: 0 });
  while ((await client.getBlockNumber({ cacheTime: 0 })) === height) await pause(POLL_MS);
}

/** Stores a judged outcome. Returns its record. */
async function storeOutcome(program: BareProgram): Promise<OutcomeRecord> {
  const { sql, agents, judgement } = program;
  const { headers = {}, body } = drawSubmission(agents, program.stored++);
  const input = JSON.parse(String(body));
  const id = randomUUID();
  const { verdict, confidencePpm, reasoning, judgeKind, judgeId, evidence, detail } = judgement;
  const judged = {
    verdict,
    confidence_ppm: confidencePpm,
    reasoning,
    judge_kind: judgeKind,
    judge_id: judgeId,
    evidence: toJson(sql, evidence),
    evidence_hash: judgement.evidenceHash,
  };
  const outcome = {
    id,
    contractor: input.contractorAgentAddress,
    requester: input.requesterAgentAddress,
    task_description: input.taskDescription,
    task_category: input.taskCategory,
    deliverable_content: input.deliverableContent,
    value_micro: input.valueUsdc * 1e6,
    submitted_by: "contractor",
    submitter_agent_id: headers["X-Agent-Id"],
    proven: false,
    salt: randomBytes(16),
    task_hash: hash(),
    deliverable_hash: hash(),
    idempotency_key: headers["Idempotency-Key"],
    input_hash: hash(),
    stored_answer: JSON.stringify({ outcomeId: id, status: "EVALUATING" }),
    judged_at: new Date(),
    ...judged,
  };
  const details = {
    subject_id: id,
    detail: toJson(sql, detail),
    duration_ms: judgement.durationMs,
    ...judged,
  };
  await sql.begin((tx) => [
    tx`
      insert into rate_limit_windows (bucket, hits)
      values (${`outcome:${outcome.contractor}`}, array[now()])
      on conflict (bucket) do update set hits = rate_limit_windows.hits || now()`,
    tx`insert into outcomes ${tx(outcome)}`,
    tx`insert into judgements ${tx(details)}`,
  ]);
  return {
    type: "outcome",
    id,
    contractor: outcome.contractor,
    requester: outcome.requester,
    category: outcome.task_category,
    valueMicro: outcome.value_micro,
    paidMicro: 0,
    submittedBy: "contractor",
    proven: false,
    agreed: false,
    verdict,
    confPpm: confidencePpm,
    resolvedAt: Math.floor(Date.now() / 1000),
    evidenceHash: judgement.evidenceHash,
  };
}

interface Sent {
  transactionId: string;
  hash: Hex;
}

/** Records outcomes with as few transactions as the contract allows. Returns them once they are sent. */
async function recordOutcomes(program: BareProgram, records: OutcomeRecord[]): Promise<Sent[]> {
  if (records.length === 0) return [];
  const fees = await program.chain.client.estimateFeesPerGas();
  const sent: Sent[] = [];
  while (records.length > 0) {
    const options = { nonce: program.nonce++, ...fees };
    sent.push(await recordBatch(program, records.splice(0, MAX_BATCH), options));
  }
  return sent;
}

async function recordBatch(
  { sql, chain }: BareProgram,
  records: OutcomeRecord[],
  options: { nonce: number; maxFeePerGas: bigint; maxPriorityFeePerGas: bigint },
): Promise<Sent> {
  const call = { to: chain.registryAddress, ...encodeRecords(records) };
  const raw = await chain.recorder.signTransaction({
    type: "eip1559",
    chainId: chain.id,
    ...call,
    ...options,
  });
  const sent = { transactionId: randomUUID(), hash: keccak256(raw) };
  const transaction = {
    id: sent.transactionId,
    chain_id: chain.id,
    signer: chain.recorder.address,
    nonce: options.nonce,
    purpose: "record",
    to: call.to,
    data: call.data,
    gas: String(call.gas),
  };
  const attempt = {
    hash: sent.hash,
    transaction_id: sent.transactionId,
    raw,
    max_fee_per_gas: String(options.maxFeePerGas),
    max_priority_fee_per_gas: String(options.maxPriorityFeePerGas),
  };
  const recordings = records.map((record, position) => ({
    kind: "outcome",
    subject_id: record.id,
    record: toJson(sql, record),
    transaction_id: sent.transactionId,
    position,
  }));
  await sql.begin((tx) => [
    tx`insert into chain_transactions ${tx(transaction)}`,
    tx`insert into chain_attempts ${tx(attempt)}`,
    tx`insert into recordings ${tx(recordings)}`,
  ]);
  await chain.client.sendRawTransaction({ serializedTransaction: raw });
  return sent;
}

/** Settles the outcomes of a transaction. Returns their number, 0 if it is in no block yet. */
async function settleTransaction(
  { sql, chain }: BareProgram,
  { transactionId, hash }: Sent,
): Promise<number> {
  const receipt = await chain.client
    .getTransactionReceipt({ hash })
    .catch(returnNullFor(TransactionReceiptNotFoundError));
  if (!receipt) return 0;
  const placed = decodeRecords(receipt.logs, chain.registryAddress).flatMap(({ record, place }) =>
    record.type === "outcome" ? [{ record, place }] : [],
  );
  if (placed.length === 0) throw new Error(`${hash} recorded nothing`);
  const ledger = placed.map(({ record, place }) => ({
    seq: place.seq,
    type: "outcome",
    record: toJson(sql, record),
    outcome_id: record.id,
    contractor: record.contractor,
    wallet: record.requester,
    tx_hash: hash,
    log_index: place.logIndex,
  }));
  const evidence = placed.map(({ record }) => ({
    wallet: record.contractor,
    requester: record.requester,
    category: record.category,
    backing: "claimed",
    reported: false,
    day: toUtcDay(record.resolvedAt),
    good: 50_000_000,
    bad: 0,
    outcomes: 1,
    counted: 1,
    assessed: 1,
    passed: 1,
    successes: 1,
    disputed: 0,
    earned: 0,
    lost: 0,
  }));
  const reputations = placed.map(({ record }) => ({
    wallet: record.contractor,
    score_e_4: 312_345,
    tier: "UNVERIFIED",
    total_outcomes: 1,
    confirmed_outcomes: 1,
    assessed_outcomes: 1,
    success_rate_e_4: 10_000,
    assessed_success_rate_e_4: 10_000,
    dispute_rate_e_4: 0,
    category_scores_e_4: toJson(sql, { [record.category]: 312_345 }),
    breakdown: toJson(sql, BREAKDOWN),
    version: 1,
    score_day: new Date(record.resolvedAt * 1000).toISOString().slice(0, 10),
    last_updated: new Date(record.resolvedAt * 1000),
    totals: toJson(sql, { ...TOTALS, categories: { [record.category]: SUMS } }),
  }));
  await sql.begin((tx) => [
    tx`
      update chain_transactions set status = 'confirmed', hash = ${hash},
        block_number = ${String(receipt.blockNumber)}, block_hash = ${receipt.blockHash},
        confirmed_at = now()
      where id = ${transactionId}`,
    tx`
      update outcomes set status = 'RESOLVED', resolved_at = now(), final_verdict = verdict,
        assessed = true, on_chain_tx = ${hash}, record_index = position
      from recordings
      where transaction_id = ${transactionId} and outcomes.id = subject_id`,
    tx`insert into ledger_records ${tx(ledger)}`,
    tx`
      insert into evidence ${tx(evidence)}
      on conflict (wallet, requester, category, backing, reported, day) do update set
        good = evidence.good + excluded.good, outcomes = evidence.outcomes + excluded.outcomes,
        counted = evidence.counted + excluded.counted, assessed = evidence.assessed + excluded.assessed,
        passed = evidence.passed + excluded.passed,
        successes = evidence.successes + excluded.successes`,
    // No agent is twice in a batch, since all submit in turn.
    tx`
      insert into reputations ${tx(reputations)}
      on conflict (wallet) do update set score_e_4 = reputations.score_e_4 + 1,
        total_outcomes = reputations.total_outcomes + 1, version = reputations.version + 1,
        confirmed_outcomes = reputations.confirmed_outcomes + 1,
        assessed_outcomes = reputations.assessed_outcomes + 1,
        category_scores_e_4 = excluded.category_scores_e_4, breakdown = excluded.breakdown,
        score_day = excluded.score_day, last_updated = excluded.last_updated,
        totals = excluded.totals`,
    tx`
      insert into reputation_history (
        wallet, version, at, cause, outcome_id, seq, score_e_4, previous_score_e_4, tier,
        total_outcomes, receipt
      )
      select reputations.wallet, version, now(), 'outcome', outcome_id, seq, score_e_4, 0, tier,
        total_outcomes, ${toJson(sql, SCORE_CHANGE)}
      from ledger_records join reputations on reputations.wallet = contractor
      where tx_hash = ${hash}`,
    tx`update recordings set settled_at = now() where transaction_id = ${transactionId}`,
  ]);
  return placed.length;
}

const hash = (): Hex => `0x${randomBytes(32).toString("hex")}`;

/** Marks a value as JSON for postgres.js. */
const toJson = (sql: postgres.Sql, value: object) => sql.json(value as postgres.JSONValue);
