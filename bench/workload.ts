import { randomBytes, randomUUID } from "node:crypto";
import type { Hex } from "viem";
import { generateApiKey } from "@/server/agents/api-key";
import { agents, apiKeys } from "@/server/agents/tables";
import type { OutcomeRecord } from "@/server/chain/registry/ledger";
import { openDatabase } from "@/server/db/client";
import type { Database } from "@/server/lib/context";
import { CATEGORIES } from "@/server/lib/schema";
import { toChecksumAddress } from "@/server/lib/wallet";
import type { HttpRequest } from "./load";

export const TASK =
  "Review the retry logic of our payment worker and list what can go wrong when the bank answers late. For each finding, name the line, the harm and a fix, in plain words for a reader who did not write the code.";

export const DELIVERABLE = `The worker takes a payment from the queue, calls the bank and marks the payment as sent.

1. Line 48: the call has no timeout. When the bank is slow, all workers end up waiting, and payments that could go out are stuck behind those that cannot. Set a timeout of ten seconds.
2. Line 61: each retry uses a new reference. If the first call did reach the bank and only its response was late, the money leaves twice. Create the reference once, store it with the payment, and send the same one on every attempt.
3. Line 75: the payment is marked before the response is checked. A refusal by the bank then looks like success, and the payment is never retried. Check the status first and store refusals under a separate state.
4. Line 90: all retries wait equally long. After an outage every worker calls in the same second. Use exponential backoff with jitter.

Fix the second finding today; the others can follow in that order.`;

/** The judge's input in every benchmark. */
export const JUDGED_CASE = {
  task: TASK,
  category: "code-review",
  deliverable: { kind: "text", text: DELIVERABLE, source: "content" },
} as const;

/**
 * Returns the submission of agent `index` for the next one, counted round, as a client would send
 * it.
 */
export function drawSubmission(agents: SeededAgent[], index: number): HttpRequest {
  const contractor = agents[index % agents.length];
  const requester = agents[(index + 1) % agents.length];
  if (!contractor || !requester) throw new Error("There are no agents");
  return createSubmission(contractor, {
    contractorAgentAddress: contractor.wallet,
    requesterAgentAddress: requester.wallet,
    taskDescription: TASK,
    taskCategory: "code-review",
    deliverableContent: DELIVERABLE,
    valueUsdc: 25.5,
  });
}

/** Returns the request that submits `body` with an agent's key, once. */
export const createSubmission = ({ apiKey }: SeededAgent, body: object): HttpRequest => ({
  method: "POST",
  path: "/api/v1/outcome",
  headers: {
    "Content-Type": "application/json",
    "X-API-Key": apiKey,
    "Idempotency-Key": randomUUID(),
  },
  body: JSON.stringify(body),
});

/** Rows per batch, since each registration takes a lock per wallet. */
const BATCH_SIZE = 2_000;

export interface SeededAgent {
  wallet: Hex;
  apiKey: string;
}

/** Adds `count` wallets with a reputation each, as settlements would leave them. */
export async function seedReputations(url: string, count: number): Promise<string[]> {
  const wallets = Array.from({ length: count }, randomWallet);
  await insertInBatches(url, wallets, async ({ sql }, part) => {
    // Skips the triggers that maintain the explorer's counts, which are not read here.
    await sql`set session_replication_role = replica`;
    await sql`
      insert into reputations (
        wallet, score_e_4, tier, total_outcomes, confirmed_outcomes, success_rate_e_4, dispute_rate_e_4,
        category_scores_e_4, breakdown, version, score_day, last_updated
      )
      select wallet, 761234, 'TRUSTED', 12, 12, 9167, 833, '{"legal": 449012, "ops": 704921}',
        '{"claimed": [0, 0], "paid": [10, 1], "anchored": [0, 0]}', 1,
        current_date, now()
      from unnest(${part}::text[]) as wallet`;
  });
  return wallets;
}

/** Adds `count` registered agents, each with an unused key and one of the wallets. */
export async function seedAgents(
  url: string,
  count: number,
  wallets: Hex[] = Array.from({ length: count }, randomWallet),
): Promise<SeededAgent[]> {
  const seeded = wallets.map((wallet, n) => {
    const { key, ...stored } = generateApiKey(randomBytes(32));
    return { id: randomUUID(), wallet, name: `Agent ${n}`, apiKey: key, ...stored };
  });
  await insertInBatches(url, seeded, async (db, part) => {
    await db.insert(agents).values(part.map(({ id, wallet, name }) => ({ id, wallet, name })));
    const keys = part.map(({ id, hash, lastFour }) => ({ agentId: id, hash, lastFour }));
    await db.insert(apiKeys).values(keys);
  });
  return seeded.map(({ wallet, apiKey }) => ({ wallet, apiKey }));
}

async function insertInBatches<T>(
  url: string,
  all: T[],
  insert: (db: Database, part: T[]) => Promise<void>,
): Promise<void> {
  const { db, close } = openDatabase(url, 1);
  for (let from = 0; from < all.length; from += BATCH_SIZE) {
    await insert(db, all.slice(from, from + BATCH_SIZE));
  }
  await db.sql`vacuum analyze`;
  await close();
}

const randomHex = (size: number): Hex => `0x${randomBytes(size).toString("hex")}`;

const randomWallet = (): Hex => toChecksumAddress(randomHex(20));

/** Returns a record of a made-up outcome, as settlement would sign it. */
export function createOutcomeRecord(i: number): OutcomeRecord {
  return {
    type: "outcome",
    id: randomUUID(),
    contractor: randomWallet(),
    requester: randomWallet(),
    category: CATEGORIES[i % CATEGORIES.length] ?? "ops",
    valueMicro: 25_500_000,
    paidMicro: i % 2 ? 25_500_000 : 0,
    submittedBy: "contractor",
    proven: true,
    agreed: false,
    verdict: "SUCCESS",
    confPpm: 912_345,
    resolvedAt: Math.floor(Date.now() / 1000),
    evidenceHash: randomHex(32),
  };
}
