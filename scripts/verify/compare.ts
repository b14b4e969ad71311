import { setTimeout as pause } from "node:timers/promises";
import { createPublicClient, type PublicClient } from "viem";
import type { z } from "zod";
import { CommandError } from "@/scripts/lib/command-error.mjs";
import { createNodeTransport, LONG_READ } from "@/server/chain/node-transport";
import type { PlacedRecord } from "@/server/chain/registry/decode-records";
import { type RegistryLedger, readRegistry } from "@/server/chain/registry/read-registry";
import { describeRecord } from "@/server/chain/registry/record-encodings";
import type { networkSchema } from "@/server/chain/schema";
import type { Dispute } from "@/server/disputes/schema";
import type { ExplorerPage } from "@/server/explorer/agent-list/schema";
import type { SigningChain } from "@/server/explorer/compare-agreements";
import { compareShown, type WalletComparison } from "@/server/explorer/compare-shown";
import type { Difference } from "@/server/explorer/compare-with-ledger";
import type { AgentCheck } from "@/server/explorer/risk/schema";
import type { OutcomesPage } from "@/server/explorer/schema";
import type { PublicOutcome } from "@/server/outcomes/schema";
import type { Reputation } from "@/server/reputation/schema";
import { type GroupedLedger, groupLedger } from "@/server/reputation/score/group-ledger";

/** The bulk limit of the API. */
const MAX_BATCH = 100;
/** Maximum number of batches compared concurrently. */
const CONCURRENCY = 4;

/** Counts of compared items, and the differences found. */
interface Comparison extends WalletComparison {
  /** What the service shows, without wallets that it has no score of. */
  reputations: Reputation[];
  outcomes: number;
  /** Number of compared outcomes under an agreement whose evidence is shown. */
  agreements: number;
  /** Number of compared outcomes whose evidence has an x402 receipt. */
  x402Receipts: number;
  /** The wallets with differences. */
  differingWallets: string[];
}

/** Compares what the service shows of `wallets` with the ledger. */
export async function compare(
  service: ServiceClient,
  ledger: GroupedLedger,
  chain: SigningChain,
  wallets: string[],
): Promise<Comparison> {
  const byWallet = new Map<string, Difference[]>();
  const reputations: Reputation[] = [];
  const counts = { outcomes: 0, agreements: 0, x402Receipts: 0, lostEvidence: 0 };
  const showProgress = createProgressBar("Comparing");
  let done = 0;
  await forEachBatch(wallets, async (batch) => {
    const listed = await service.listReputations(batch);
    const reputationByWallet = new Map(listed.map((one) => [one.walletAddress, one]));
    for (const wallet of batch) {
      const reputation = reputationByWallet.get(wallet);
      if (reputation) reputations.push(reputation);
      const shown = await service.listOutcomes(wallet);
      const checked = await service.check(wallet);
      const disputes = await service.findDisputes(shown);
      counts.outcomes += shown.length;
      counts.agreements += shown.filter(({ evidence }) => evidence?.agreement).length;
      counts.x402Receipts += shown.filter(({ evidence }) => evidence?.x402Receipt).length;
      const records = { reputation, checked, outcomes: shown, disputes };
      const compared = await compareShown(wallet, records, ledger, chain, new Date());
      counts.lostEvidence += compared.lostEvidence;
      byWallet.set(wallet, compared.differences);
      showProgress(++done, wallets.length);
    }
  });
  const differingWallets = wallets.filter((wallet) => byWallet.get(wallet)?.length);
  const differences = differingWallets.flatMap((wallet) => byWallet.get(wallet) ?? []);
  return { ...counts, differences, differingWallets, reputations };
}

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
  const client = createPublicClient({ transport: createNodeTransport(rpc, LONG_READ) });
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

type Network = z.infer<typeof networkSchema>;

/** A client of the public API. Waits when the service limits its rate. */
export interface ServiceClient {
  getNetwork(): Promise<Network>;
  /** Returns the wallets of all registered agents with an outcome. */
  listWallets(): Promise<string[]>;
  listReputations(wallets: string[]): Promise<Reputation[]>;
  /** Returns every outcome of the wallet as contractor. */
  listOutcomes(wallet: string): Promise<PublicOutcome[]>;
  /** Returns the check of the wallet, which has its reputation from the database. */
  check(wallet: string): Promise<AgentCheck>;
  /** Returns the disputes of outcomes, by outcome. */
  findDisputes(outcomes: PublicOutcome[]): Promise<Map<string, Dispute>>;
}

const PAGE_SIZE = 100;
const MAX_WAIT_MS = 120_000;

export function openServiceClient(base: string): ServiceClient {
  async function request<T>(path: string, init?: RequestInit): Promise<T> {
    for (;;) {
      const response = await fetch(`${base}/api/v1${path}`, init).catch(() => null);
      if (!response)
        throw new CommandError(`No service responds at ${base}: give its address with --url.`);
      if (response.ok)
        return response.json().catch(() => throwInvalidJson(base, path)) as Promise<T>;
      await response.body?.cancel();
      if (response.status !== 429) {
        throw new CommandError(
          `${base} responded with ${response.status} to ${path.split("?")[0]}.`,
        );
      }
      const seconds = Number(response.headers.get("retry-after")) || 1;
      await pause(Math.min(seconds * 1_000, MAX_WAIT_MS));
    }
  }

  async function readAllPages<T>(getPath: (page: number) => string): Promise<T[]> {
    const all: T[] = [];
    for (let page = 0; ; page++) {
      const { content, totalPages } = await request<{ content: T[]; totalPages: number }>(
        getPath(page),
      );
      all.push(...content);
      if (page + 1 >= totalPages) return all;
    }
  }

  return {
    getNetwork: () => request("/network"),
    async listWallets() {
      const entries = await readAllPages<ExplorerPage["content"][number]>(
        (page) => `/explore/leaderboard?size=${PAGE_SIZE}&page=${page}`,
      );
      return entries.map(({ walletAddress }) => walletAddress);
    },
    listReputations: (wallets) =>
      request("/reputation/bulk", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(wallets),
      }),
    listOutcomes: (wallet) =>
      readAllPages<OutcomesPage["content"][number]>(
        (page) => `/agents/${wallet}/outcomes?role=contractor&size=${PAGE_SIZE}&page=${page}`,
      ),
    check: (wallet) => request(`/agents/${wallet}/check`),
    async findDisputes(outcomes) {
      const disputes = new Map<string, Dispute>();
      for (const { outcomeId, disputeId } of outcomes) {
        if (disputeId) disputes.set(outcomeId, await request(`/disputes/${disputeId}`));
      }
      return disputes;
    },
  };
}

function throwInvalidJson(base: string, path: string): never {
  throw new CommandError(`${base} responded with invalid JSON to ${path.split("?")[0]}.`);
}

/** Formats the differences by subject, followed by the records that the ledger's values come from. */
export function formatDifferences(differences: Difference[]): string {
  const bySubject = Map.groupBy(differences, ({ subject }) => subject);
  return [...bySubject]
    .map(([subject, group]) =>
      [
        subject,
        ...group.map(({ field, shown, expected }) => {
          const prefix = field ? `${field}: ` : "";
          return `  ${prefix}the service says ${formatValue(shown)}, the ledger ${formatValue(expected)}`;
        }),
        ...sortBySeq(group[0]?.records ?? []).map((placed) => `    ${formatRecord(placed)}`),
      ].join("\n"),
    )
    .join("\n\n");
}

const sortBySeq = (records: PlacedRecord[]) =>
  records.toSorted((a, b) => a.place.seq - b.place.seq);

function formatRecord({ record, place }: PlacedRecord): string {
  return `record ${place.seq}  ${describeRecord(record)}  transaction ${place.txHash}, log ${place.logIndex}`;
}

const formatValue = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");

/**
 * Returns a function that draws a progress bar on standard error, in place. If that is not a terminal, it prints
 * nothing, or with `hasLines` a line for every tenth.
 */
export function createProgressBar(label: string, hasLines = false) {
  let drawn = -1;
  return (done: number, all: number): void => {
    const percent = all === 0 ? 100 : Math.floor((100 * done) / all);
    if (percent === drawn) return;
    drawn = percent;
    if (!process.stderr.isTTY) {
      if (hasLines && percent % 10 === 0) console.error(`  ${label} ${percent}%`);
      return;
    }
    const filled = Math.round(percent / 4);
    const bar = "#".repeat(filled) + ".".repeat(25 - filled);
    process.stderr.write(`\r  ${label.padEnd(10)} [${bar}] ${String(percent).padStart(3)}%`);
    if (percent === 100) process.stderr.write("\r\x1b[K");
  };
}
