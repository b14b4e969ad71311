import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import postgres from "postgres";
import {
  type PublicColumns,
  toPublicReputation,
} from "@/server/reputation/score/public-reputation";
import { serveForParent } from "./listen";

// The yardstick: only node:http and postgres.js. It reads the same rows as the service, in as few round
// trips as possible, and returns the same bodies by the same conversion. Of a submission it stores the body, which is the least
// that a server does before it acknowledges one; it validates nothing.
const sql = postgres(process.argv[2] ?? "", {
  max: 4,
  transform: { column: { from: postgres.toCamel } },
});

const READ = "/api/v1/reputation/";
await sql`
  create view read_reputations as
  select wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, assessed_outcomes,
    success_rate_e_4, assessed_success_rate_e_4, dispute_rate_e_4, breakdown, category_scores_e_4,
    score_day::text, last_updated
  from reputations`;
await sql`create table submissions (id uuid primary key, body jsonb not null)`;

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
  const [row] = await sql<PublicColumns[]>`
    select * from read_reputations where wallet = ${wallet}`;
  return toReputation(row);
}

async function readMany(req: IncomingMessage): Promise<unknown> {
  const wallets = (await parseBody(req)) as string[];
  const rows = await sql<PublicColumns[]>`
    select * from read_reputations where wallet = any(${wallets}::char(42)[])`;
  const byWallet = new Map(rows.map((row) => [row.wallet, row]));
  return wallets.map((wallet) => toReputation(byWallet.get(wallet)));
}

const toReputation = (row: PublicColumns | undefined) => (row ? toPublicReputation(row) : null);

async function submit(req: IncomingMessage): Promise<unknown> {
  const id = randomUUID();
  const body = sql.json((await parseBody(req)) as postgres.JSONValue);
  await sql`insert into submissions values (${id}, ${body})`;
  return { outcomeId: id, status: "EVALUATING", estimatedResolutionSeconds: 30 };
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
