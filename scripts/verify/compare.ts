import { createPublicClient, http, type PublicClient } from "viem";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { type RegistryLedger, readRegistry } from "@/server/chain/registry/read-registry";
import {
  compareOutcomes,
  compareScore,
  type Difference,
  hasLostEvidence,
} from "@/server/explorer/compare-with-ledger";
import { type GroupedLedger, groupLedger } from "@/server/reputation/score/group-ledger";
import type { ServiceClient } from "./client";
import { createProgressBar } from "./report";

/** The bulk limit of the API. */
const MAX_BATCH = 100;
/** Maximum number of batches compared concurrently. */
const CONCURRENCY = 4;

/** Counts of compared items, and the differences found. */
export interface Comparison {
  scores: number;
  outcomes: number;
  /** Number of compared outcomes whose evidence the service reports as lost. */
  lostEvidence: number;
  differences: Difference[];
  /** The wallets with differences. */
  differingWallets: string[];
}

/** Compares scores and outcomes of `wallets` with the ledger. */
export async function compare(
  service: ServiceClient,
  ledger: GroupedLedger,
  wallets: string[],
): Promise<Comparison> {
  const byWallet = new Map<string, Difference[]>();
  let scores = 0;
  let outcomes = 0;
  let lostEvidence = 0;
  const showProgress = createProgressBar("Comparing");
  let done = 0;
  await forEachBatch(wallets, async (batch) => {
    const reputations = await service.listReputations(batch);
    const reputationByWallet = new Map(reputations.map((one) => [one.walletAddress, one]));
    for (const wallet of batch) {
      const reputation = reputationByWallet.get(wallet);
      if (reputation) scores += 1;
      const shown = await service.listOutcomes(wallet);
      outcomes += shown.length;
      lostEvidence += shown.filter(hasLostEvidence).length;
      byWallet.set(wallet, [
        ...(reputation
          ? compareScore(reputation, ledger, new Date())
          : [buildMissingScore(wallet, ledger)]),
        ...compareOutcomes(wallet, shown, ledger),
      ]);
      showProgress(++done, wallets.length);
    }
  });
  const differingWallets = wallets.filter((wallet) => byWallet.get(wallet)?.length);
  const differences = differingWallets.flatMap((wallet) => byWallet.get(wallet) ?? []);
  return { scores, outcomes, lostEvidence, differences, differingWallets };
}

/** Returns the difference for a score that is missing from the response. */
const buildMissingScore = (wallet: string, ledger: GroupedLedger): Difference => ({
  subject: `score of ${wallet}`,
  field: "",
  shown: "nothing",
  expected: "a score",
  records: ledger.getRecordsFor(wallet),
});

async function forEachBatch(
  wallets: string[],
  work: (batch: string[]) => Promise<void>,
): Promise<void> {
  // Smaller batches if there are too few wallets to keep every worker busy.
  const size = Math.min(MAX_BATCH, Math.max(1, Math.ceil(wallets.length / CONCURRENCY)));
  let next = 0;
  const worker = async () => {
    while (next < wallets.length) {
      const from = next;
      next += size;
      await work(wallets.slice(from, from + size));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

export interface Source {
  client: PublicClient;
  registry: `0x${string}`;
  fromBlock: bigint | undefined;
  /** Sequence number of a record whose `head` is wanted, too. */
  headAfter?: number;
}

/** Returns a client of the node. Throws unless the node is on the expected chain. */
export async function openNode(rpc: string, chainId: number): Promise<PublicClient> {
  const client = createPublicClient({ transport: http(rpc, { timeout: 60_000, retryCount: 2 }) });
  const found = await client.getChainId().catch(() => {
    throw new CommandError(`No node responds at ${new URL(rpc).host}: give another with --rpc.`);
  });
  if (found === chainId) return client as PublicClient;
  throw new CommandError(`The node is on chain ${found}, the service records on chain ${chainId}.`);
}

/** The ledger of the registry with its records by wallet. */
type Ledger = RegistryLedger & { grouped: GroupedLedger };

/** Reads a ledger that agrees with its contract. Retries first, since a reorg may be the cause. */
export async function readValidLedger(source: Source): Promise<Ledger> {
  const first = await readLedger(source);
  const ledger = first.faults.length === 0 ? first : await readLedger(source);
  if (ledger.faults.length === 0) return ledger;
  throw new InvalidLedger(ledger.faults.slice(0, 100).join("\n"));
}

export class InvalidLedger extends Error {}

/** Reads and groups the whole ledger of the registry. */
async function readLedger({ client, registry, fromBlock, headAfter }: Source): Promise<Ledger> {
  const onProgress = createProgressBar("Reading");
  const options = { client, address: registry, fromBlock, onProgress, headAfter };
  const read = await readRegistry(options).catch((error: unknown) => {
    const reason = error instanceof Error && "shortMessage" in error ? error.shortMessage : error;
    throw new CommandError(
      `The ledger of ${registry} cannot be read: ${String(reason).replace(/\.$/, "")}.`,
    );
  });
  return { ...read, grouped: groupLedger(read.records) };
}
