import { createTestClient, type Hex, http, toHex } from "viem";
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
import { createFigure, type Figure, measureRounds } from "./measure";
import { seedScale } from "./scale/seed";

/** Outcomes of contractors follow a power law: the first one has about 26,000, most about 160. */
const SCALE = { agents: 400, outcomes: 190_000 };
/** The slot of `seq` in the registry, after the owner, the pending owner and `head`. */
const SEQ_SLOT = 3;

/**
 * Measures the milliseconds that settling one recorded outcome takes: of the agent with the most earlier
 * outcomes, and of the one with the fewest.
 */
export async function measureSettling(env: BenchEnvironment, rounds: number): Promise<Figure[]> {
  const url = await env.createDatabase("settle");
  await seedScale(url, SCALE);
  const chain = await openChain({ ...(await env.startChain()), confirmations: 1 });
  await skipSeqs(chain, SCALE.outcomes);
  // Without an engine: nothing else records or settles.
  const { db, close } = openDatabase(url);
  const log = createLog({ LOG_LEVEL: "silent" });
  const core: Core = { db, chain, log, env: parseEnv({}), publish: async () => {} };
  const agents = await db.sql<SettledAgent[]>`
    select id, wallet from reputations join agents using (wallet) order by total_outcomes desc`;
  const measureOne = (contractor: SettledAgent | undefined) => async () => {
    const requester = agents[Math.floor(Math.random() * agents.length)];
    if (!contractor || !requester) throw new Error("There are no agents");
    return settleOne(core, chain, contractor, requester.wallet);
  };
  const measurements = { many: measureOne(agents[0]), few: measureOne(agents.at(-1)) };
  try {
    await measureRounds(3, measurements);
    const { many, few } = await measureRounds(rounds, measurements);
    return [createFigure("settle.history_ratio", "ms", many, few)];
  } finally {
    await close();
  }
}

interface SettledAgent {
  id: string;
  wallet: Hex;
}

/** Adds a judged outcome, records it on chain, and returns the milliseconds of its settlement. */
async function settleOne(
  core: Core,
  chain: Chain,
  contractor: SettledAgent,
  requester: string,
): Promise<number> {
  await insertJudgedOutcome(core, contractor, { requester });
  const sender = createSender({ db: core.db, chain, log: core.log });
  const [transactionId] = await signPending(core, sender, new Date());
  if (!transactionId) throw new Error("There is no outcome to record");
  await sender.broadcast(transactionId);
  const confirmed = await sender.waitForConfirmation(transactionId, { timeoutMs: 10_000 });
  if (confirmed.state !== "confirmed") throw new Error(`The record is ${confirmed.state}`);
  const started = performance.now();
  await settleTransaction(core, { transactionId, receipt: confirmed.receipt, now: new Date() });
  return performance.now() - started;
}

/** Continues the registry's count after `seq`, as if the seeded ledger were on chain. */
async function skipSeqs(chain: Chain, seq: number): Promise<void> {
  const transport = http(chain.client.chain?.rpcUrls.default.http[0]);
  await createTestClient({ mode: "anvil", transport }).setStorageAt({
    address: chain.registryAddress,
    index: SEQ_SLOT,
    value: toHex(seq, { size: 32 }),
  });
}
