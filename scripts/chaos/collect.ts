import pLimit from "p-limit";
import { createPublicClient, http, type Log, parseAbi, parseEventLogs } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { balanceOf } from "@/server/chain/payments/usdc";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { readRegistry } from "@/server/chain/registry/read-registry";
import type { LocalChain } from "@/server/local/anvil";
import { computeScore } from "@/server/reputation/score/score";
import type { Agent } from "./agent";
import { collectRows, type Rows } from "./collect-rows";
import type { Environment } from "./environment";
import type { ChainFacts, Facts, PublishedFacts, SettledJob } from "./facts";
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

const transferAbi = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
]);

/** Copied from `contracts/testing/AgenticCommerce.sol`. */
const escrowAbi = parseAbi([
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)",
  "event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason)",
  "event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason)",
  "event JobExpired(uint256 indexed jobId)",
  "event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)",
]);

/** Reads registry, USDC, escrow and stake account from the chain. */
async function collectChain(chain: LocalChain): Promise<ChainFacts> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 30_000 }) });
  const stakeAddress = privateKeyToAddress(chain.stakeKey);
  const range = { fromBlock: 0n, toBlock: await client.getBlockNumber() };
  const [ledger, usdcLogs, escrowLogs, stakeBalanceMicro] = await Promise.all([
    readRegistry({ client, address: chain.registryAddress }),
    client.getLogs({ address: chain.usdcAddress, ...range }),
    client.getLogs({ address: chain.escrowAddresses, ...range }),
    balanceOf({ client, usdcAddress: chain.usdcAddress }, stakeAddress),
  ]);
  return {
    records: ledger.records.map(({ record, place }) => ({
      ...record,
      ...place,
      subject: getSubject(record),
    })),
    faults: ledger.faults,
    transfers: parseEventLogs({ abi: transferAbi, logs: usdcLogs }).map(
      ({ transactionHash: txHash, args: { from, to, value: amountMicro } }) => ({
        ...{ txHash, from, to, amountMicro },
      }),
    ),
    settledJobs: listSettledJobs(escrowLogs),
    stakeAddress,
    stakeBalanceMicro,
  };
}

function getSubject(record: LedgerRecord): string {
  if (record.type === "outcome") return record.id;
  if (record.type === "anchor-revoked") return String(record.anchorSeq);
  return "outcomeId" in record ? record.outcomeId : record.wallet;
}

/** Returns every log that ends a job, with what it released. */
function listSettledJobs(logs: Log[]): SettledJob[] {
  const created = parseEventLogs({ abi: escrowAbi, logs, eventName: "JobCreated" });
  const released = parseEventLogs({ abi: escrowAbi, logs, eventName: "PaymentReleased" });
  const ended = parseEventLogs({
    abi: escrowAbi,
    logs,
    eventName: ["JobCompleted", "JobRejected", "JobExpired"],
  });
  return ended.map(({ eventName, args: { jobId } }) => {
    const payment = released.find(({ args }) => args.jobId === jobId);
    const { client = "", provider = "" } =
      created.find(({ args }) => args.jobId === jobId)?.args ?? {};
    const isPaid = eventName === "JobCompleted" && payment !== undefined;
    const releasedMicro = isPaid ? payment.args.amount : null;
    return { jobId: String(jobId), client, provider, releasedMicro };
  });
}
