import { and, eq, ne, sql } from "drizzle-orm";
import { agreements } from "@/server/agreements/tables";
import { readNewLogs } from "@/server/chain/read-new-logs";
import { type RawLog, readLogs } from "@/server/chain/registry/read-logs";
import { getFinalizedHeight } from "@/server/chain/transactions/finality";
import type { Core, EvaluatedEscrows, Transaction } from "@/server/lib/context";
import { toChecksumAddress } from "@/server/lib/wallet";
import { decodeFollowed, followedFilter } from "./contract";
import { escrowJobs, whereUndecided } from "./tables";

/**
 * Stores what the escrows' logs say up to the depth at which payments count: jobs that were funded, still
 * unread, submissions, and expiries. Blocks that are not final are read again by each call, so that a
 * reorg hides no job. Returns the last block that was read, or null while older ones are left to the next
 * call. Throws if the node is unreachable.
 */
export async function readJobLogs(
  core: Pick<Core, "db" | "chain">,
  { addresses, fromBlock, evaluator }: EvaluatedEscrows,
): Promise<bigint | null> {
  const { db, chain } = core;
  const head = await chain.client.getBlockNumber({ cacheTime: 0 });
  const confirmed = head - BigInt(chain.confirmations - 1);
  const finalized = (await getFinalizedHeight(chain)) ?? -1n;
  const toBlock = finalized < confirmed ? finalized : confirmed;
  const filter = followedFilter(addresses);
  const cursor = `escrows:${chain.id}:${evaluator}:${addresses.toSorted()}`;
  const options = { cursor, filter, fromBlock, toBlock };
  if (!(await readNewLogs(core, options, storeLogs))) return null;
  const from = toBlock < fromBlock ? fromBlock : toBlock + 1n;
  const recent = await readLogs(chain.client, { filter, from, to: confirmed });
  await db.transaction((tx) => storeLogs(tx, recent));
  return confirmed;
}

/** Only jobs of clients with agreements here are stored: anyone can fund jobs in worthless tokens. */
async function storeLogs(tx: Transaction, logs: RawLog[]): Promise<void> {
  const events = decodeFollowed(logs);
  const clients = events.flatMap((event) =>
    event.eventName === "JobFunded" ? toChecksumAddress(event.args.client) : [],
  );
  const requesters = await tx
    .selectDistinct({ wallet: agreements.requester })
    .from(agreements)
    .where(sql`${agreements.requester} = any(${sql.param(clients)}::text[])`);
  const known = new Set<string>(requesters.map(({ wallet }) => wallet));
  for (const event of events) {
    const { escrow, jobId, block: fundedBlock } = event;
    const isIt = and(eq(escrowJobs.escrow, escrow), eq(escrowJobs.jobId, jobId), whereUndecided);
    if (event.eventName === "JobSubmitted") {
      const deliverableHash = event.args.deliverable;
      await tx.update(escrowJobs).set({ deliverableHash }).where(isIt);
    } else if (event.eventName === "JobExpired") {
      const reason = "The job expired, and its money went back to the client.";
      await tx.update(escrowJobs).set({ status: "ended", reason, endedAt: new Date() }).where(isIt);
    } else if (known.has(toChecksumAddress(event.args.client))) {
      const job = { client: toChecksumAddress(event.args.client), fundedBlock };
      await tx
        .insert(escrowJobs)
        .values({ escrow, jobId, ...job })
        .onConflictDoUpdate({
          target: [escrowJobs.escrow, escrowJobs.jobId],
          // A reorg gave the number to another client's job.
          set: { ...job, status: "unread", agreementId: null, deliverableHash: null },
          setWhere: and(ne(escrowJobs.client, job.client), whereUndecided),
        });
    }
  }
}
