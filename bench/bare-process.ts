import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import postgres from "postgres";
import type { Terms } from "@/server/agreements/schema";
import type { SubmitInput } from "@/server/outcomes/schema";
import type { ScoreBreakdown } from "@/server/reputation/schema";
import { findCeiling } from "@/server/reputation/score/public-reputation";
import { serveForParent } from "./listen";

// The yardstick: only node:http and postgres.js. It reads and writes the same rows as the service,
// in as few round trips as possible, returns the same bodies to reads, and validates nothing.
const sql = postgres(process.argv[2] ?? "", { max: 4 });

const READ = "/api/v1/reputation/";
const AGREEMENTS = "/api/v1/agreements";

serveForParent((req, res) => {
  const url = req.url ?? "";
  const responding = url.endsWith("/bulk")
    ? readMany(req)
    : url.startsWith(READ)
      ? readOne(url.slice(READ.length))
      : url.startsWith(AGREEMENTS)
        ? handleAgreement(req, url.slice(AGREEMENTS.length))
        : submit(req);
  responding.then(
    (body) => send(res, body),
    (error: unknown) => {
      console.error(error);
      res.writeHead(500).end();
    },
  );
});

async function readOne(wallet: string): Promise<unknown> {
  const [row] = await sql<Row[]>`
    select wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes,
      success_rate_e_4, assessed_success_rate_e_4, dispute_rate_e_4, breakdown, category_scores_e_4, score_day::text, last_updated
    from reputations where wallet = ${wallet}`;
  return toReputation(row);
}

async function readMany(req: IncomingMessage): Promise<unknown> {
  const wallets = (await parseBody(req)) as string[];
  const rows = await sql<Row[]>`
    select wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes,
      success_rate_e_4, assessed_success_rate_e_4, dispute_rate_e_4, breakdown, category_scores_e_4, score_day::text, last_updated
    from reputations where wallet = any(${wallets}::char(42)[])`;
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return wallets.map((wallet) => toReputation(byWallet.get(wallet)));
}

interface Row {
  wallet: string;
  score_e_4: number;
  tier: string;
  total_outcomes: number;
  confirmed_outcomes: number;
  assessed_outcomes: number;
  success_rate_e_4: number;
  assessed_success_rate_e_4: number | null;
  dispute_rate_e_4: number;
  breakdown: ScoreBreakdown;
  category_scores_e_4: Record<string, number>;
  score_day: string;
  last_updated: Date;
}

function toReputation(row: Row | undefined) {
  if (!row) return null;
  const categoryScores: Record<string, number> = {};
  for (const category in row.category_scores_e_4) {
    categoryScores[category] = toPoints(row.category_scores_e_4[category] ?? 0);
  }
  return {
    walletAddress: row.wallet,
    score: toPoints(row.score_e_4),
    tier: row.tier,
    ceiling: findCeiling(row.breakdown),
    totalOutcomes: row.total_outcomes,
    confirmedOutcomes: row.confirmed_outcomes,
    assessedOutcomes: row.assessed_outcomes,
    successRate: row.success_rate_e_4 / 10_000,
    assessedSuccessRate:
      row.assessed_success_rate_e_4 === null ? null : row.assessed_success_rate_e_4 / 10_000,
    disputeRate: row.dispute_rate_e_4 / 10_000,
    categoryScores,
    lastUpdated: row.last_updated,
    scoreDay: row.score_day,
  };
}

const toPoints = (e4: number) => Math.floor(e4 / 100) / 100;

async function submit(req: IncomingMessage): Promise<unknown> {
  const input = (await parseBody(req)) as Partial<SubmitInput> & { agreementId?: string };
  const agentId = String(req.headers["x-agent-id"]);
  const id = randomUUID();
  const response = { outcomeId: id, status: "EVALUATING", estimatedResolutionSeconds: 30 };
  const [terms] = input.agreementId ? await findTerms(input.agreementId) : [];
  const contractor = terms?.contractor ?? input.contractorAgentAddress ?? "";
  // postgres.js pipelines all of them.
  await sql.begin((tx) => [
    countRequest(tx, `outcome:${contractor}`),
    tx`
      insert into outcomes (
        id, contractor, requester, task_description, task_category, deliverable_content,
        value_micro, submitted_by, submitter_agent_id, proven, salt, task_hash, deliverable_hash,
        idempotency_key, input_hash, stored_answer, agreement_id, agreed
      ) values (
        ${id}, ${contractor}, ${terms?.requester ?? input.requesterAgentAddress ?? ""},
        ${terms?.task ?? input.taskDescription ?? ""}, ${terms?.category ?? input.taskCategory ?? ""},
        ${input.deliverableContent ?? null}, ${terms?.valueMicro ?? (input.valueUsdc ?? 0) * 1e6},
        'contractor', ${agentId}, false, ${randomBytes(16)}, ${hash()}, ${hash()},
        ${req.headers["idempotency-key"]?.toString() ?? null}, ${hash()}, ${JSON.stringify(response)},
        ${input.agreementId ?? null}, ${input.agreementId !== undefined}
      )`,
    ...(input.agreementId
      ? [
          tx`
            update agreements set status = 'DELIVERED', ended_at = now(), outcome_id = ${id}
            where id = ${input.agreementId}`,
        ]
      : []),
    ...startJudging(tx, id),
  ]);
  return response;
}

async function handleAgreement(req: IncomingMessage, path: string): Promise<unknown> {
  const input = (await parseBody(req)) as { terms: Terms; signature: string };
  const wallet = String(req.headers["x-agent-wallet"]);
  const [, agreementId = "", action] = path.split("/");
  if (action === "check") {
    await countRequest(sql, `requirement-check:${wallet}`);
    return findTerms(agreementId);
  }
  const id = agreementId || randomUUID();
  const { terms, signature } = input;
  await sql.begin((tx) => [
    countRequest(tx, `agreement:${wallet}`),
    agreementId
      ? tx`
          update agreements set status = 'AGREED', agreed_at = now(), contractor_signature = ${signature}
          where id = ${id} returning *`
      : tx`
          insert into agreements (
            id, terms, terms_hash, digest, requester, contractor, value_micro, deliver_by, proposed_by,
            requester_signature, start_by
          ) values (
            ${id}, ${sql.json(terms as unknown as postgres.JSONValue)}, ${hash()}, ${hash()}, ${terms.requester},
            ${terms.contractor}, ${terms.valueMicro}, ${terms.deliverBy}, 'requester', ${signature},
            ${terms.startBy}
          ) returning *`,
  ]);
  return { agreementId: id, terms };
}

const findTerms = async (agreementId: string) =>
  (await sql<{ terms: Terms }[]>`select terms from agreements where id = ${agreementId}`).map(
    ({ terms }) => terms,
  );

const hash = () => `0x${randomBytes(32).toString("hex")}`;

const countRequest = (tx: postgres.ISql, bucket: string) => tx`
  insert into rate_limit_windows (bucket, hits) values (${bucket}, array[now()])
  on conflict (bucket) do update set hits = rate_limit_windows.hits || now()`;

/** Stores the event of a submission with the run of its function. */
const startJudging = (tx: postgres.ISql, outcomeId: string) => {
  const eventId = `outcome-submitted:${outcomeId}`;
  const name = "outcome/submitted";
  return [
    tx`
      insert into engine_events (id, name, data, ts)
      values (${eventId}, ${name}, ${sql.json({ outcomeId })}, ${Date.now()})`,
    tx`
      with run as (
        insert into engine_runs (function_id, status, event_id)
        values ('standing-judge-outcome', 'active', ${eventId}) returning id
      ), job as (
        insert into engine_jobs (run_id, function_id, event_name, state, due_at)
        select id, 'standing-judge-outcome', ${name}, 'ready', now() from run
      )
      select pg_notify('engine_jobs', '')`,
  ];
};

async function parseBody(req: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(res: ServerResponse, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(200, {
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  res.end(text);
}
