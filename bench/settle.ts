import { monitorEventLoopDelay } from "node:perf_hooks";
import { createTestClient, http, toHex } from "viem";
import { type Chain, openChain } from "@/server/chain/client";
import { createSender } from "@/server/chain/transactions/sender";
import { openDatabase } from "@/server/db/client";
import type { Core } from "@/server/lib/context";
import { parseEnv } from "@/server/lib/env";
import { createLog } from "@/server/lib/process/log";
import { settleTransaction } from "@/server/settlement/settle-transaction";
import { signPending } from "@/server/settlement/sign-pending";
import { insertJudgedOutcome } from "@/server/testing/fixtures/outcome";
import type { BenchEnvironment } from "./environment";
import { createFigure, type Figure, measureRounds, percentile } from "./measure";
import { type SeededAgent, seedAgents, seedLedger } from "./workload";

/** Number of earlier outcomes of each measured agent; the first is the yardstick. */
const HISTORIES = [100, 10_000, 50_000] as const;
const REQUESTERS = 200;
const NS_PER_MS = 1e6;
/** The slot of `seq` in the registry, after the owner, the pending owner and `head`. */
const SEQ_SLOT = 3;

/**
 * Measures the milliseconds that settling one recorded outcome takes, and for how long it blocks the
 * event loop, by the number of earlier outcomes of its contractor.
 */
export async function measureSettling(env: BenchEnvironment, rounds: number): Promise<Figure[]> {
  const url = await env.createDatabase("settle");
  const agents = await seedAgents(url, HISTORIES.length + REQUESTERS);
  const requesters = agents.slice(HISTORIES.length).map(({ wallet }) => wallet);
  await seedLedger(
    url,
    HISTORIES.map((outcomes, index) => ({ wallet: agents[index]?.wallet ?? "", outcomes })),
    requesters,
  );
  const chain = await openChain({ ...(await env.startChain()), confirmations: 1 });
  await skipSeqs(
    chain,
    HISTORIES.reduce((sum, outcomes) => sum + outcomes, 0),
  );
  const { core, close } = openSettling(url, chain);
  const blocked = new Map<string, number[]>();
  const measureOne = (contractor: SeededAgent | undefined, key: string) => async () => {
    if (!contractor) throw new Error("There are too few agents");
    const requester = requesters[Math.floor(Math.random() * REQUESTERS)] ?? "";
    const cost = await settleOne(core, chain, contractor, requester);
    blocked.set(key, [...(blocked.get(key) ?? []), cost.blockedMs]);
    return cost.ms;
  };
  const measurements = Object.fromEntries(
    HISTORIES.map((outcomes, index) => [outcomes, measureOne(agents[index], String(outcomes))]),
  );
  try {
    await measureRounds(3, measurements);
    blocked.clear();
    const ms = await measureRounds(rounds, measurements);
    const [few, some, many] = HISTORIES.map((outcomes) => ms[outcomes] ?? Number.NaN);
    const [briefly = 0, , long = 0] = HISTORIES.map((outcomes) =>
      percentile(blocked.get(String(outcomes)) ?? [], 50),
    );
    return [
      createFigure("settle.history_ratio", "ms", many ?? 0, few ?? 0),
      createFigure("settle.history_ratio_10000", "ms", some ?? 0, few ?? 0),
      createFigure("settle.blocked_ms", "ms", long, briefly),
    ];
  } finally {
    await close();
  }
}

/** Opens what a settlement needs, without an engine: nothing else records or settles. */
export function openSettling(url: string, chain: Chain): { core: Core; close(): Promise<void> } {
  const { db, close } = openDatabase(url);
  const log = createLog({ LOG_LEVEL: "silent" });
  return { core: { db, chain, log, env: parseEnv({}), publish: async () => {} }, close };
}

/** Adds a judged outcome, records it on chain, and measures its settlement. */
export async function settleOne(
  core: Core,
  chain: Chain,
  contractor: Pick<SeededAgent, "id" | "wallet">,
  requester: string,
): Promise<{ ms: number; blockedMs: number }> {
  await insertJudgedOutcome(core, contractor, { requester });
  const sender = createSender({ db: core.db, chain, log: core.log });
  const [transactionId] = await signPending(core, sender, new Date());
  if (!transactionId) throw new Error("There is no outcome to record");
  await sender.broadcast(transactionId);
  const confirmed = await sender.waitForConfirmation(transactionId, { timeoutMs: 10_000 });
  if (confirmed.state !== "confirmed") throw new Error(`The record is ${confirmed.state}`);
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const started = performance.now();
  await settleTransaction(core, { transactionId, receipt: confirmed.receipt, now: new Date() });
  const ms = performance.now() - started;
  delays.disable();
  return { ms, blockedMs: delays.max / NS_PER_MS };
}

/** Continues the registry's count after `seq`, as if the seeded ledger were on chain. */
export async function skipSeqs(chain: Chain, seq: number): Promise<void> {
  const transport = http(chain.client.chain?.rpcUrls.default.http[0]);
  await createTestClient({ mode: "anvil", transport }).setStorageAt({
    address: chain.registryAddress,
    index: SEQ_SLOT,
    value: toHex(seq, { size: 32 }),
  });
}
