import pLimit from "p-limit";
import type postgres from "postgres";
import {
  createPublicClient,
  type Hex,
  http,
  keccak256,
  type Log,
  maxUint64,
  parseAbi,
  parseEventLogs,
  zeroHash,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { LedgerRecord } from "@/server/chain/registry/ledger";
import { CATEGORIES } from "@/server/lib/schema";
import type { LocalChain } from "@/server/local/anvil";
import { computeScore } from "@/server/reputation/score/score";
import type { Agent } from "./agent";
import type { Environment } from "./environment";
import type { ChainFacts, Facts, PublishedFacts, Rows, SettledJob } from "./facts";
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

/** Reads the rows by plain SQL in one snapshot. The connection converts column names to camel case. */
const collectRows = (sql: postgres.Sql): Promise<Rows> =>
  sql.begin("isolation level repeatable read", async (tx) => ({
    outcomes: await tx<Rows["outcomes"]>`
      select id, idempotency_key, contractor, requester, status, verdict, confidence_ppm,
        case submitted_by when 'contractor' then contractor else requester end as submitter,
        final_verdict, on_chain_tx, record_index
      from outcomes order by id`,
    disputes: await tx<Rows["disputes"]>`
      select id, outcome_id, contractor, requester, opened_by, recorded_verdict, status, verdict,
        final_verdict, on_chain_tx
      from disputes order by id`,
    sides: await tx<Rows["sides"]>`
      select dispute_id, party, transfer_id from dispute_sides order by id`,
    payouts: await tx<Rows["payouts"]>`
      select id, "to", amount_micro as micro, status, tx_hash from payouts order by id`,
    transfers: await tx<Rows["transfers"]>`
      select id, tx_hash, purpose, "from", "to", amount_micro as micro,
        gone_at is not null as is_reorged
      from used_transfers order by id`,
    deliveries: await tx<Rows["deliveries"]>`
      select id, webhook_id, event_id, event, payload, status,
        round(extract(epoch from next_attempt_at) * 1000)::float8 as next_attempt_at
      from webhook_deliveries order by id`,
    attempts: await tx<Rows["attempts"]>`
      select delivery_id, attempt, round(extract(epoch from at) * 1000)::float8 as at, latency_ms
      from webhook_attempts order by delivery_id, run, attempt`,
    scores: await tx<Rows["scores"]>`
      select wallet, version::int, score_e_4, previous_score_e_4, tier
      from reputation_history order by wallet, version`,
    totals: await tx<Rows["totals"]>`
      select wallet, version::int, totals from reputations order by wallet`,
    evidence: await tx<Rows["evidence"]>`
      select wallet, requester, category, backing, reported, day, good::text, bad::text, outcomes,
        counted, successes, disputed, earned::text, lost::text
      from evidence`,
    ledger: await tx<Rows["ledger"]>`select seq::int, tx_hash from ledger_records order by seq`,
    takeovers: await tx<Rows["takeovers"]>`select wallet from takeovers order by id`,
    anchors: await tx<Rows["anchors"]>`
      select wallet, seq::int, revoke_asked_at is not null as is_revoked, revoked_seq::int
      from anchors order by id`,
    escrowJobs: await tx<Rows["escrowJobs"]>`
      select escrow, job_id, outcomes.id as outcome_id from escrow_jobs
      left join outcomes on outcomes.agreement_id = escrow_jobs.agreement_id
      order by escrow_jobs.id`,
  }));

/** Copied from `contracts/VerdictRegistry.sol`. */
const registry = parseAbi([
  "function head() view returns (bytes32)",
  "function seq() view returns (uint64)",
  "event OutcomeRecorded(bytes16 indexed outcomeId, address indexed contractor, address indexed requester, uint64 seq, uint8 category, uint8 flags, uint16 policy, uint32 confPpm, uint64 valueMicro, uint64 paidMicro, uint64 resolvedAt, bytes32 evidenceHash)",
  "event DisputeRecorded(bytes16 indexed outcomeId, uint64 seq, uint8 flags, uint64 resolvedAt, bytes32 evidenceHash)",
  "event RefundRecorded(bytes16 indexed outcomeId, uint64 seq, uint64 refundedAt, bytes32 paymentTx)",
  "event SupersededRecorded(bytes16 indexed outcomeId, bytes16 indexed by, uint64 seq)",
  "event AnchorRecorded(address indexed wallet, uint64 seq, uint64 from, uint64 until)",
  "event AnchorRevocationRecorded(uint64 indexed anchorSeq, uint64 seq)",
  "event TakeoverRecorded(address indexed wallet, uint64 seq, uint64 takenAt)",
]);
const usdc = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "function balanceOf(address account) view returns (uint256)",
]);

const escrow = parseAbi([
  "event JobCreated(uint256 indexed jobId, address indexed client, address indexed provider, address evaluator, uint256 expiredAt, address hook)",
  "event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason)",
  "event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason)",
  "event JobExpired(uint256 indexed jobId)",
  "event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount)",
]);

const REQUESTER_SUBMITTED = 1;
const PROVEN = 2;
const SUCCESS = 4;
const AGREED = 8;
/** Flags of a dispute. */
const CONTRACTOR_WINS = 1;
const ASSESSED = 2;

/** Reads registry, USDC and stake account from the chain. Does not use the service's decoder. */
async function collectChain(chain: LocalChain): Promise<ChainFacts> {
  const client = createPublicClient({ transport: http(chain.rpcUrl, { timeout: 30_000 }) });
  const stakeAddress = privateKeyToAddress(chain.stakeKey);
  const blockNumber = await client.getBlockNumber();
  const range = { fromBlock: 0n, toBlock: blockNumber };
  const contract = { address: chain.registryAddress, abi: registry, blockNumber };
  const [logs, usdcLogs, escrowLogs, head, seq, balance] = await Promise.all([
    client.getLogs({ address: chain.registryAddress, ...range }),
    client.getLogs({ address: chain.usdcAddress, ...range }),
    client.getLogs({ address: chain.escrowAddresses, ...range }),
    client.readContract({ ...contract, functionName: "head" }),
    client.readContract({ ...contract, functionName: "seq" }),
    client.readContract({
      address: chain.usdcAddress,
      abi: usdc,
      functionName: "balanceOf",
      args: [stakeAddress],
      blockNumber,
    }),
  ]);
  const parsed = parseEventLogs({ abi: registry, logs });
  const counts = new Map<string, number>();
  return {
    records: parsed.map((log) => {
      const txHash = log.transactionHash;
      const logIndex = counts.get(txHash) ?? 0;
      counts.set(txHash, logIndex + 1);
      const record = decode(log);
      return {
        ...record,
        seq: Number(log.args.seq),
        subject: getSubject(record),
        txHash,
        logIndex,
      };
    }),
    seq: Number(seq),
    head,
    computedHead: computeHead(parsed),
    transfers: parseEventLogs({ abi: usdc, logs: usdcLogs, eventName: "Transfer" }).map(
      ({ transactionHash, args: { from, to, value } }) => ({
        txHash: transactionHash,
        from,
        to,
        micro: String(value),
      }),
    ),
    settledJobs: listSettledJobs(escrowLogs),
    stakeAddress,
    stakeBalanceMicro: String(balance),
  };
}

function getSubject(record: LedgerRecord): string {
  if (record.type === "outcome") return record.id;
  if (record.type === "anchor-revoked") return String(record.anchorSeq);
  return "outcomeId" in record ? record.outcomeId : record.wallet;
}

function decode({
  eventName,
  args,
}: ReturnType<typeof parseEventLogs<typeof registry>>[number]): LedgerRecord {
  switch (eventName) {
    case "OutcomeRecorded":
      return {
        type: "outcome",
        id: formatUuid(args.outcomeId),
        contractor: args.contractor,
        requester: args.requester,
        category: CATEGORIES[args.category] as never,
        valueMicro: Number(args.valueMicro),
        paidMicro: Number(args.paidMicro),
        submittedBy: args.flags & REQUESTER_SUBMITTED ? "requester" : "contractor",
        proven: (args.flags & PROVEN) !== 0,
        agreed: (args.flags & AGREED) !== 0,
        verdict: args.flags & SUCCESS ? "SUCCESS" : "FAILURE",
        confPpm: args.confPpm,
        resolvedAt: Number(args.resolvedAt),
      };
    case "DisputeRecorded":
      return {
        type: "dispute",
        outcomeId: formatUuid(args.outcomeId),
        verdict: args.flags & CONTRACTOR_WINS ? "CONTRACTOR_WINS" : "REQUESTER_WINS",
        assessed: (args.flags & ASSESSED) !== 0,
        resolvedAt: Number(args.resolvedAt),
      };
    case "RefundRecorded":
      return {
        type: "refund",
        outcomeId: formatUuid(args.outcomeId),
        at: Number(args.refundedAt),
        paymentTx: args.paymentTx,
      };
    case "SupersededRecorded":
      return {
        type: "superseded",
        outcomeId: formatUuid(args.outcomeId),
        by: formatUuid(args.by),
      };
    case "TakeoverRecorded":
      return { type: "takeover", wallet: args.wallet, at: Number(args.takenAt) };
    case "AnchorRecorded":
      return {
        type: "anchor",
        wallet: args.wallet,
        from: Number(args.from),
        until: args.until === maxUint64 ? null : Number(args.until),
        seq: Number(args.seq),
      };
    case "AnchorRevocationRecorded":
      return { type: "anchor-revoked", anchorSeq: Number(args.anchorSeq) };
  }
}

const formatUuid = (bytes: Hex) =>
  bytes.slice(2).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");

/** Computes head(n) = keccak256(head(n - 1) . topics of log n . data of log n), head(0) = 0. */
const computeHead = (logs: Pick<Log, "topics" | "data">[]) =>
  logs.reduce<Hex>((head, { topics, data }) => {
    const words = [head, ...topics, data].map((hex) => hex.slice(2)).join("");
    return keccak256(`0x${words}`);
  }, zeroHash);

/** Returns every log that ends a job, with what it released. */
function listSettledJobs(logs: Log[]): SettledJob[] {
  const created = parseEventLogs({ abi: escrow, logs, eventName: "JobCreated" });
  const released = parseEventLogs({ abi: escrow, logs, eventName: "PaymentReleased" });
  const ended = parseEventLogs({
    abi: escrow,
    logs,
    eventName: ["JobCompleted", "JobRejected", "JobExpired"],
  });
  return ended.map(({ eventName, args: { jobId } }) => {
    const payment = released.find(({ args }) => args.jobId === jobId);
    const { client = "", provider = "" } =
      created.find(({ args }) => args.jobId === jobId)?.args ?? {};
    const isPaid = eventName === "JobCompleted" && payment !== undefined;
    const releasedMicro = isPaid ? String(payment.args.amount) : null;
    return { jobId: String(jobId), client, provider, releasedMicro };
  });
}
