import { formatEther } from "viem";
import { DAY_SECONDS } from "@/server/lib/time";
import { fromMicro } from "@/server/lib/usdc";
import { STALLED_KINDS, type Stalled } from "@/server/operations/stalled";
import type { Status } from "@/server/operations/status";

/** Balance below which an account needs a top-up: enough for some hundred transactions on Base. */
export const LOW_WEI = 200_000_000_000_000n;

/** Formats the status for people. */
export function formatStatus(status: Status): string {
  return [
    "Work",
    ...status.stalled.flatMap(formatWork),
    "",
    "Engine",
    formatLine(
      "runs",
      `${status.engine.active} in progress, ${status.engine.failed} failed permanently`,
    ),
    formatLine("jobs", `${status.engine.running} running, ${status.engine.pending} due`),
    ...status.engine.latestFailures.map(({ id, functionId, error }) =>
      formatLine("failed", `${id} ${functionId}: ${getReason(error)}`),
    ),
    "",
    "Judge",
    ...formatJudges(status),
    ...status.faults.map(({ id, fault }) => formatLine("fault", `${id} ${fault}`)),
    "",
    "Chain",
    ...formatChain(status),
  ].join("\n");
}

/** Returns whether nothing needs the operator's attention. */
export const isHealthy = (status: Status): boolean =>
  status.chain !== null &&
  status.silentJudges.length === 0 &&
  listWarnings(status).length === 0 &&
  status.stalled.every(({ kind, stalled }) => kind === "webhooks" || stalled === 0);

function formatWork({ kind, waiting, stalled, oldestSeconds, ids }: Stalled): string[] {
  const { description, requeuedBy } = STALLED_KINDS[kind];
  if (waiting === 0) return [formatLine(kind, "none")];
  const age = oldestSeconds === null ? "" : `, the oldest for ${formatDuration(oldestSeconds)}`;
  const first = formatLine(kind, `${waiting} waiting, ${stalled} stalled${age}`);
  if (stalled === 0) return [first];
  return [
    first,
    `${" ".repeat(16)}${description}; requeued by ${requeuedBy}`,
    `${" ".repeat(16)}${ids.join(" ")}`,
  ];
}

function formatJudges({ silentJudges }: Status): string[] {
  if (silentJudges.length === 0) return [formatLine("judge", "no failures")];
  return silentJudges.map(({ id, since, reason }) =>
    formatLine("judge", `${id} has not responded since ${since.toISOString()}: ${reason}`),
  );
}

function formatChain(status: Status): string[] {
  const { chain, records, owedMicro } = status;
  if (!chain)
    return [
      formatLine("node", "not responding"),
      formatLine("ledger", `${records} records in the database`),
    ];
  const { recorder, stake } = chain.accounts;
  const finalized =
    chain.finalizedBlock === null ? "no finalized block" : `finalized ${chain.finalizedBlock}`;
  return [
    formatLine(
      "node",
      `block ${chain.block}, ${formatDuration(chain.blockAgeSeconds)} old, ${finalized}`,
    ),
    formatLine(
      "ledger",
      `${records} records in the database, ${chain.registryRecords} in the registry`,
    ),
    formatLine("recorder", `${recorder.address} ${formatEther(recorder.wei)} ETH`),
    formatLine("stakes", `${stake.address} ${formatEther(stake.wei)} ETH`),
    formatLine(
      "",
      `${formatUsdc(stake.usdcMicro)} USDC held, ${formatUsdc(owedMicro)} may have to be returned`,
    ),
    ...listWarnings(status).map((sentence) => formatLine("warning", sentence)),
  ];
}

/** Returns a warning for each chain figure that indicates a problem. */
function listWarnings({ chain, missingRecords, owedMicro }: Status): string[] {
  if (!chain) return [];
  const { recorder, stake } = chain.accounts;
  const candidates: [boolean, string][] = [
    [!recorder.mayRecord, "the recorder has no recorder role: nothing is recorded"],
    [recorder.wei < LOW_WEI, "the recorder is low on ETH for gas"],
    [stake.wei < LOW_WEI, "the stake account is low on ETH for gas: no stake can be returned"],
    [stake.usdcMicro < owedMicro, "the stake account holds less USDC than it may have to return"],
    [chain.finalizedBlock === null, "the node reports no finalized block: no stake is returned"],
    [
      missingRecords > 0,
      `a rebuild is due: the database lacks ${missingRecords} records of the registry. Stop every instance, then run rebuild`,
    ],
  ];
  return candidates.flatMap(([applies, sentence]) => (applies ? sentence : []));
}

const formatLine = (name: string, text: string) => `  ${name.padEnd(14)}${text}`;

const formatUsdc = (micro: bigint) => fromMicro(micro).toFixed(2);

const getReason = (error: unknown) =>
  typeof error === "object" && error !== null && "message" in error
    ? String(error.message).split("\n")[0]
    : String(error);

const HOUR_SECONDS = 3_600;

function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 2 * HOUR_SECONDS) return `${Math.round(seconds / 60)} min`;
  return seconds < 2 * DAY_SECONDS
    ? `${Math.round(seconds / HOUR_SECONDS)} h`
    : `${Math.round(seconds / DAY_SECONDS)} d`;
}
