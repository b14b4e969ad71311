import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import postgres from "postgres";
import type { SubmitInput } from "@/server/outcomes/schema";
import type { ScoreBreakdown } from "@/server/reputation/schema";
import { findCeiling } from "@/server/reputation/score/public-reputation";
import { serveForParent } from "./listen";

// The yardstick: only node:http and postgres.js. It reads and writes the same rows as the service,
// in as few round trips as possible, returns the same bodies to reads, and validates nothing.
const sql = postgres(process.argv[2] ?? "", { max: 4 });

const READ = "/api/v1/reputation/";

serveForParent((req, res) => {
  const url = req.url ?? "";
  const responding = url.endsWith("/bulk")
    ? readMany(req)
    : url.startsWith(READ)
      ? readOne(url.slice(READ.length))
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
    select wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes, success_rate_e_4, dispute_rate_e_4,
      breakdown, category_scores_e_4, score_day::text, last_updated
    from reputations where wallet = ${wallet}`;
  return toReputation(row);
}

async function readMany(req: IncomingMessage): Promise<unknown> {
  const wallets = (await parseBody(req)) as string[];
  const rows = await sql<Row[]>`
    select wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes, success_rate_e_4, dispute_rate_e_4,
      breakdown, category_scores_e_4, score_day::text, last_updated
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
    disputeRate: row.dispute_rate_e_4 / 10_000,
    categoryScores,
    lastUpdated: row.last_updated,
    scoreDay: row.score_day,
  };
}

const toPoints = (e4: number) => Math.floor(e4 / 100) / 100;

async function submit(req: IncomingMessage): Promise<unknown> {
  const input = (await parseBody(req)) as SubmitInput;
  const agentId = String(req.headers["x-agent-id"]);
  const id = randomUUID();
  const response = { outcomeId: id, status: "EVALUATING", estimatedResolutionSeconds: 30 };
  const hash = () => `0x${randomBytes(32).toString("hex")}`;
  // postgres.js pipelines all of them.
  await sql.begin((tx) => [
    tx`
      insert into rate_limit_windows (bucket, hits)
      values (${`outcome:${input.contractorAgentAddress}`}, array[now()])
      on conflict (bucket) do update set hits = rate_limit_windows.hits || now()`,
    tx`
      insert into outcomes (
        id, contractor, requester, task_description, task_category, deliverable_content,
        value_micro, submitted_by, submitter_agent_id, proven, salt, task_hash, deliverable_hash,
        idempotency_key, input_hash, stored_answer
      ) values (
        ${id}, ${input.contractorAgentAddress}, ${input.requesterAgentAddress},
        ${input.taskDescription}, ${input.taskCategory}, ${input.deliverableContent ?? null},
        ${input.valueUsdc * 1e6}, 'contractor', ${agentId}, false, ${randomBytes(16)}, ${hash()},
        ${hash()}, ${String(req.headers["idempotency-key"])}, ${hash()}, ${JSON.stringify(response)}
      )`,
    tx`
      insert into engine_events (id, name, data, ts)
      values (
        ${`outcome-submitted:${id}`}, 'outcome/submitted', ${sql.json({ outcomeId: id })},
        ${Date.now()}
      )`,
    tx`
      with run as (
        insert into engine_runs (function_id, status, event_id)
        values ('standing-judge-outcome', 'active', ${`outcome-submitted:${id}`}) returning id
      ), job as (
        insert into engine_jobs (run_id, function_id, event_name, state, due_at)
        select id, 'standing-judge-outcome', 'outcome/submitted', 'ready', now() from run
      )
      select pg_notify('engine_jobs', '')`,
  ]);
  return response;
}

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
